package io.tierwise.lab.demo;

import io.tierwise.lab.demo.DemoTwin.Phase;
import io.tierwise.lab.dfsio.BenchRow;
import io.tierwise.lab.embedded.device.DeviceModel;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.simulator.Decisions;
import io.tierwise.simulator.scenario.WorkloadSpec;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The simulator's prediction of a row: the same policy classes on a {@link DemoTwin}, given more
 * and more of what chance decided, so that it can be told how much of an error is luck.
 *
 * <p>A row is the median of a few repeats. The twin makes as many, twenty times over.
 */
public final class DemoPrediction {
  static final int SAMPLES = 20;

  private final DemoTwin twin;
  private final List<DemoPlacement> placements;

  /**
   * @param placements of the demo
   */
  public DemoPrediction(DemoTwin twin, List<DemoPlacement> placements) {
    this.twin = twin;
    this.placements = placements;
  }

  /**
   * TestDFSIO's throughput.
   *
   * @param mean bytes per second, over the samples
   * @param low bytes per second that one sample in ten stays below
   * @param high bytes per second that one sample in ten exceeds; as low where nothing is left to
   *     chance
   */
  record Rate(double mean, double low, double high) {
    boolean leavesToChance() {
      return low < high;
    }
  }

  private interface Repeat {
    double bytesPerSecond(int repeat, int run) throws IOException;
  }

  private static Optional<Rate> rate(int sampleCount, int repeats, Repeat row) throws IOException {
    double[] samples = new double[sampleCount];
    for (int sample = 0; sample < sampleCount; sample++) {
      double[] rates = new double[repeats];
      for (int repeat = 0; repeat < repeats; repeat++) {
        rates[repeat] = row.bytesPerSecond(repeat, sample * repeats + repeat);
      }
      samples[sample] = BenchRow.median(rates);
    }
    Arrays.sort(samples);
    return Optional.of(
        new Rate(
            Arrays.stream(samples).average().orElseThrow(),
            samples[sampleCount / 10],
            samples[sampleCount - 1 - sampleCount / 10]));
  }

  /** Knowing nothing of the runs; nothing for a row where no policy of ours places and orders. */
  Optional<Rate> beforehand(Phase phase, BenchRow row) throws IOException {
    Optional<String> placement = placementOf(row.placement());
    Optional<String> access = phase == Phase.WRITE ? Optional.of("random") : accessOf(row.access());
    if (placement.isEmpty() || access.isEmpty()) {
      return Optional.empty();
    }
    return rate(
        SAMPLES,
        row.reads().size(),
        (repeat, run) -> twin.bytesPerSecond(phase, placement.get(), access.get(), run));
  }

  /** Knowing where the runs' blocks and tasks were; nothing where no strategy of ours orders. */
  Optional<Rate> onSameBlocks(Phase phase, DemoRow row) throws IOException {
    Optional<String> access =
        phase == Phase.WRITE ? Optional.of("random") : accessOf(row.row().access());
    if (access.isEmpty()) {
      return Optional.empty();
    }
    AccessStrategy strategy = AccessStrategies.parse(access.get());
    return rate(
        phase == Phase.WRITE ? 1 : SAMPLES,
        row.runs().size(),
        (repeat, run) ->
            twin.bytesPerSecond(phase, decisions(row.runs().get(repeat), strategy), run));
  }

  /** Knowing also which replicas were read: what remains is the model of devices and links. */
  Optional<Rate> fromSameReplicas(DemoRow row) throws IOException {
    return rate(
        1,
        row.runs().size(),
        (repeat, run) -> {
          AccessStrategy access = new RecordedAccess(row.sources().get(repeat));
          return twin.bytesPerSecond(Phase.READ, decisions(row.runs().get(repeat), access), run);
        });
  }

  private static Decisions decisions(RunRecord run, AccessStrategy access) {
    PlacementPolicy placement = new RecordedPlacement(run);
    return new Decisions(
        placement,
        access,
        Map.of(
            WorkloadSpec.Dfsio.WRITE_JOB, run.writers(),
            WorkloadSpec.Dfsio.READ_JOB, run.readers()));
  }

  private Optional<String> placementOf(String name) {
    if (name.equals(DemoPlacement.STOCK_HOT)) {
      return Optional.of("network-aware:tiers=" + DeviceModel.DISK.name());
    }
    return placements.stream()
        .filter(placement -> placement.name().equals(name))
        .filter(placement -> placement.how() == DemoPlacement.How.ATTRIBUTE)
        .map(DemoPlacement::specification)
        .findFirst();
  }

  /** Rows leave out the link speed that the strategy is told. */
  private Optional<String> accessOf(String shortName) {
    if (shortName.equals(DemoPlacement.STOCK_BY_TYPE)) {
      return Optional.empty();
    }
    if (shortName.equals(DemoPlacement.STOCK)) {
      return Optional.of("network-aware");
    }
    return Optional.of(
        placements.stream()
            .flatMap(placement -> placement.accesses().stream())
            .filter(access -> DemoPlacement.shortName(access).equals(shortName))
            .findFirst()
            .orElse(shortName));
  }
}
