package io.tierwise.simulator.scenario;

import java.util.List;
import java.util.Optional;

/** Keeps stored data where it should be, all the time. */
public record UpkeepSpec(Optional<MonitorSpec> monitor, List<FlushSpec> flushes) {
  /** Nobody looks after stored data. */
  public static final UpkeepSpec NONE = new UpkeepSpec(Optional.empty(), List.of());

  public UpkeepSpec {
    flushes = List.copyOf(flushes);
  }
}
