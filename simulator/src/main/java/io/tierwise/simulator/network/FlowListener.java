package io.tierwise.simulator.network;

/** Is told when flows end. */
@FunctionalInterface
public interface FlowListener {
  /**
   * Called at the tick at which the last byte arrived; not called for cancelled flows. May start
   * and cancel flows. The id is free for a later flow once this returns.
   *
   * @param tag what was given at the flow's start
   */
  void flowFinished(int flow, long tag);
}
