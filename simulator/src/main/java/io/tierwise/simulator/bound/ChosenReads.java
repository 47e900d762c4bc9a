package io.tierwise.simulator.bound;

import io.tierwise.simulator.bound.ReadProblem.Block;
import io.tierwise.simulator.bound.ReadProblem.Path;
import io.tierwise.simulator.bound.ReadProblem.Reader;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.network.FlowNetwork;
import java.util.List;

/**
 * How fast reads are when the replica of each block is chosen already: readers begin together, go
 * through their blocks one after another, and share devices and links max-min fairly, as in the
 * simulator. Beside a measured run of the same choices it says what the run lost to everything that
 * this leaves out: protocols, latencies, processors.
 */
public final class ChosenReads {
  private final List<Reader> readers;
  private final int[][] choice;
  private final Engine engine = new Engine();
  private final FlowNetwork network = new FlowNetwork(engine, (flow, reader) -> next((int) reader));
  private final int[] nextBlock;
  private double secondsOfAll;

  private ChosenReads(ReadProblem problem, int[][] choice) {
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
   * @param choice by reader and block, the replica, in the order in which they were added
   */
  public static double bytesPerSecond(ReadProblem problem, int[][] choice) {
    ChosenReads reads = new ChosenReads(problem, choice);
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
