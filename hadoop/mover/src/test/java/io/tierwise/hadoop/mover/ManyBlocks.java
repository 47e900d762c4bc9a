package io.tierwise.hadoop.mover;

import io.tierwise.policies.movement.MoveTurns.Yielded;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** A process that plans the moves of many blocks, each of a file of its own. */
final class ManyBlocks {
  private static final int NODES = 30;

  private ManyBlocks() {}

  public static void main(String[] arguments) throws IOException {
    long blocks = Long.parseLong(arguments[0]);
    MadeNodes nodes = new MadeNodes(NODES, NODES);
    Planner planner = Planner.ofMoment(nodes::report, nodes.names(), MoverSettings.DEFAULT);
    Tally tally = new Tally(nodes.tiers().table());
    Mover.plan(null, (fs, intake) -> offer(nodes, blocks, intake), planner, tally);
    System.out.println(tally.report(0, Yielded.NOTHING, false).moved().replicas());
  }

  private static void offer(MadeNodes nodes, long blocks, BlockIntake intake) throws IOException {
    for (long id = 1; id <= blocks; id++) {
      int first = (int) (id % NODES);
      LocatedBlock block = nodes.block(id, first, (first + 1) % NODES, (first + 2) % NODES);
      intake.block(nodes.file(block, "3 x ssd"), 0, block);
    }
  }
}
