package io.tierwise.simulator.scenario;

import java.util.List;
import java.util.Optional;

/**
 * Keeps stored data where it should be, all the time.
 *
 * @param popularity by which the replicas of input files go
 * @param fastTier that is shared out among input and intermediate data
 * @param share of the first zone, that follows the use of files
 */
public record UpkeepSpec(
    Optional<MonitorSpec> monitor,
    List<FlushSpec> flushes,
    Optional<PopularitySpec> popularity,
    Optional<FastTierSpec> fastTier,
    Optional<ShareSpec> share) {
  /** Nobody looks after stored data. */
  public static final UpkeepSpec NONE = new UpkeepSpec(Optional.empty(), List.of());

  public UpkeepSpec {
    flushes = List.copyOf(flushes);
  }

  /** Where replicas follow no popularity. */
  public UpkeepSpec(Optional<MonitorSpec> monitor, List<FlushSpec> flushes) {
    this(monitor, flushes, Optional.empty());
  }

  /** Without a fast tier that is shared out, and a share that follows the use. */
  public UpkeepSpec(
      Optional<MonitorSpec> monitor, List<FlushSpec> flushes, Optional<PopularitySpec> popularity) {
    this(monitor, flushes, popularity, Optional.empty(), Optional.empty());
  }
}
