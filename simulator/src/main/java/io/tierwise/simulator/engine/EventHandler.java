package io.tierwise.simulator.engine;

/** Called when an event is due. One handler serves all events of its kind. */
@FunctionalInterface
public interface EventHandler {
  /**
   * Called at the event's tick, which {@link Engine#now} tells.
   *
   * @param argument what was given when the event was scheduled; usually the index of a task or
   *     node
   */
  void handle(long argument);
}
