package io.tierwise.simulator.scenario;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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

  /** Names of what some faults slow. */
  public static Set<String> slowed(List<FaultSpec> faults) {
    return faults.stream()
        .filter(fault -> fault.kind() == Kind.SLOW)
        .map(FaultSpec::name)
        .collect(Collectors.toSet());
  }
}
