package io.tierwise.simulator.bound;

import io.tierwise.simulator.bound.ReadProblem.Block;
import io.tierwise.simulator.bound.ReadProblem.Path;
import io.tierwise.simulator.bound.ReadProblem.Reader;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.network.FlowNetwork;
import java.util.List;

/** Readers that read each block from one replica, on the network that the simulator has. */
final class IntegralReads {
  private final List<Reader> readers;
  private final int[][] choice;
  private final Engine engine = new Engine();
  private final FlowNetwork network = new FlowNetwork(engine, (flow, reader) -> next((int) reader));
  private final int[] nextBlock;
  private double secondsOfAll;

  private IntegralReads(ReadProblem problem, int[][] choice) {
    this.readers = problem.readers();
    this.choice = choice;
    this.nextBlock = new int[readers.size()];
    for (int resource = 0; resource < problem.resourceCount(); resource++) {
      network.addResource(problem.curve(resource));
    }
  }

  /**
   * All bytes by the sum of all readers' times.
   *
   * @param choice by reader and block, the replica
   */
  static double bytesPerSecond(ReadProblem problem, int[][] choice) {
    IntegralReads reads = new IntegralReads(problem, choice);
    for (int reader = 0; reader < choice.length; reader++) {
      reads.next(reader);
    }
    while (reads.engine.step()) {
      // Until the last reader is done.
    }
    return problem.bytes() / reads.secondsOfAll;
  }

  private void next(int reader) {
    List<Block> blocks = readers.get(reader).blocks();
    int number = nextBlock[reader]++;
    if (number == blocks.size()) {
      secondsOfAll += Ticks.toSeconds(engine.now());
      return;
    }
    Block block = blocks.get(number);
    Path path = block.replicas().get(choice[reader][number]);
    network.start(
        path.resources(),
        path.unitsPerByte(),
        path.resources().length,
        block.bytes(),
        Double.POSITIVE_INFINITY,
        reader);
  }
}
