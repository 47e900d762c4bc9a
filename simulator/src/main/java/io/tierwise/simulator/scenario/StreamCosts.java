package io.tierwise.simulator.scenario;

/**
 * What it costs processors to move bytes between processes: from a DataNode to a reader, from a
 * writer along its pipeline, from a map's node to a reducer. Two processes of one node pay it, too.
 *
 * @param sendCyclesPerByte of the thread that sends
 * @param receiveCyclesPerByte of the thread that takes them in and checks them
 */
public record StreamCosts(double sendCyclesPerByte, double receiveCyclesPerByte) {
  /** Streams that are never limited by a core. */
  public static final StreamCosts NONE = new StreamCosts(0, 0);

  public boolean areNone() {
    return sendCyclesPerByte == 0 && receiveCyclesPerByte == 0;
  }
}
