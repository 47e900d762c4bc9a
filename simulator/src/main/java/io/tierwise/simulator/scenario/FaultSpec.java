package io.tierwise.simulator.scenario;

/**
 * A fault.
 *
 * @param atSeconds since the start
 * @param target what breaks
 * @param name of the node, rack, or node and device ({@code node-3/0})
 * @param kind how
 * @param factor for {@link Kind#SLOW}: the share of its speed that is left
 * @param untilSeconds when it is well again; infinite for never
 */
public record FaultSpec(
    double atSeconds, Target target, String name, Kind kind, double factor, double untilSeconds) {

  /** The kind of thing that breaks. */
  public enum Target {
    NODE,
    DEVICE,
    RACK,
    LINK
  }

  /** How. */
  public enum Kind {
    FAIL,
    SLOW
  }
}
