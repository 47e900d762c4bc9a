package io.tierwise.simulator.report;

import io.tierwise.simulator.measure.MovementResult;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * One number of a run.
 *
 * @param name for programs, snake case, unit last
 * @param title for people
 * @param comparable whether a report says by how much it differs from the first case's
 */
public record Figure(
    String name, String title, Format format, boolean comparable, Measure measure) {
  /** Takes the number; NaN when the run does not have it. */
  @FunctionalInterface
  public interface Measure {
    double of(RunResult run, Scenario scenario);
  }

  /** All figures, in the order of the report. Tiers are those of the first run. */
  public static List<Figure> all(List<String> tierNames) {
    List<Figure> all = new ArrayList<>(work());
    all.addAll(reads(tierNames));
    all.addAll(writes(tierNames));
    all.addAll(RegionFigures.all());
    all.addAll(movement());
    all.addAll(UpkeepFigures.all());
    all.addAll(StoredFigures.all());
    all.addAll(FastTierFigures.all());
    all.addAll(ShareFigures.all());
    all.addAll(costs());
    return all;
  }

  /** The figure of that name among those that every run has. */
  public static Figure named(String name) {
    return all(List.of()).stream()
        .filter(figure -> figure.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no figure is named " + name));
  }

  static Figure figure(
      String name, String title, Format format, boolean comparable, Measure measure) {
    return new Figure(name, title, format, comparable, measure);
  }

  private static List<Figure> work() {
    return List.of(
        figure("makespan_seconds", "makespan", Format.SECONDS, true, (r, s) -> r.makespanSeconds()),
        figure(
            "job_mean_seconds",
            "job, mean",
            Format.SECONDS,
            true,
            (r, s) -> r.jobs().meanSeconds()),
        figure(
            "job_p50_seconds",
            "job, median",
            Format.SECONDS,
            true,
            (r, s) -> r.jobs().p50Seconds()),
        figure(
            "job_p95_seconds", "job, 95%", Format.SECONDS, true, (r, s) -> r.jobs().p95Seconds()),
        figure(
            "jobs_finished", "jobs finished", Format.COUNT, false, (r, s) -> r.jobs().finished()),
        figure("jobs_failed", "jobs failed", Format.COUNT, false, (r, s) -> r.jobs().failed()),
        figure(
            "tasks_run",
            "tasks",
            Format.COUNT,
            false,
            (r, s) -> r.jobs().mapTasks() + r.jobs().reduceTasks()));
  }

  private static List<Figure> reads(List<String> tierNames) {
    List<Figure> reads = new ArrayList<>();
    reads.add(figure("read_bytes", "read", Format.BYTES, false, (r, s) -> r.reads().bytes()));
    reads.add(
        figure(
            "read_bytes_per_second",
            "read rate of tasks",
            Format.RATE,
            true,
            (r, s) -> unlessNone(r.reads().bytes(), r.reads().totalBytesPerSecond())));
    reads.add(
        figure(
            "read_bytes_per_second_task_mean",
            "  mean over tasks",
            Format.RATE,
            true,
            (r, s) -> unlessNone(r.reads().bytes(), r.reads().taskBytesPerSecondMean())));
    reads.add(
        figure(
            "read_bytes_per_second_task_deviation",
            "  deviation over tasks",
            Format.RATE,
            true,
            (r, s) -> unlessNone(r.reads().bytes(), r.reads().taskBytesPerSecondDeviation())));
    for (int i = 0; i < tierNames.size(); i++) {
      int tier = i;
      reads.add(
          share(
              "read_share_of_tier_" + tierNames.get(i),
              "  from " + tierNames.get(i),
              (r, s) -> ratio(r.reads().bytesByTier()[tier], r.reads().bytes())));
    }
    reads.add(
        share(
            "read_share_cached",
            "  from page caches",
            (r, s) -> ratio(r.reads().cachedBytes(), r.reads().bytes())));
    reads.add(
        share(
            "read_share_local",
            "  on the same node",
            (r, s) -> ratio(r.reads().localBytes(), r.reads().bytes())));
    reads.add(
        share(
            "read_share_rack",
            "  in the same rack",
            (r, s) -> ratio(r.reads().rackBytes(), r.reads().bytes())));
    reads.add(
        share(
            "read_share_remote",
            "  from other racks",
            (r, s) ->
                ratio(r.reads().remoteBytes() + r.reads().otherRegionBytes(), r.reads().bytes())));
    return reads;
  }

  private static List<Figure> writes(List<String> tierNames) {
    List<Figure> writes = new ArrayList<>();
    writes.add(figure("write_bytes", "written", Format.BYTES, false, (r, s) -> r.writes().bytes()));
    writes.add(
        figure(
            "write_bytes_per_second",
            "write rate of tasks",
            Format.RATE,
            true,
            (r, s) -> unlessNone(r.writes().bytes(), r.writes().totalBytesPerSecond())));
    writes.add(
        figure(
            "write_bytes_per_second_task_mean",
            "  mean over tasks",
            Format.RATE,
            true,
            (r, s) -> unlessNone(r.writes().bytes(), r.writes().taskBytesPerSecondMean())));
    for (int i = 0; i < tierNames.size(); i++) {
      int tier = i;
      writes.add(
          share(
              "write_share_of_tier_" + tierNames.get(i),
              "  to " + tierNames.get(i),
              (r, s) ->
                  ratio(
                      r.writes().bytesByTier()[tier],
                      LongStream.of(r.writes().bytesByTier()).sum())));
    }
    writes.add(
        share(
            "single_rack_block_share",
            "blocks in one rack",
            (r, s) -> unlessNone(r.writes().bytes(), r.writes().singleRackBlockShare())));
    writes.add(
        figure("network_bytes", "network", Format.BYTES, true, (r, s) -> r.network().bytes()));
    writes.add(
        figure(
            "cross_rack_bytes",
            "  between racks",
            Format.BYTES,
            true,
            (r, s) -> r.network().crossRackBytes()));
    writes.add(
        figure(
            "shuffle_bytes",
            "shuffled",
            Format.BYTES,
            false,
            (r, s) -> r.network().shuffleBytes()));
    writes.add(
        figure(
            "cut_short_copy_bytes",
            "copied in vain",
            Format.BYTES,
            false,
            (r, s) -> unlessNone(r.writes().cutShortBytes(), (double) r.writes().cutShortBytes())));
    return writes;
  }

  private static List<Figure> movement() {
    return List.of(
        figure(
            "moved_bytes", "moved", Format.BYTES, false, (r, s) -> moved(r, MovementResult::bytes)),
        figure(
            "moved_replicas",
            "  replicas",
            Format.COUNT,
            false,
            (r, s) -> moved(r, MovementResult::replicas)),
        figure(
            "moved_network_bytes",
            "  between nodes",
            Format.BYTES,
            false,
            (r, s) -> moved(r, MovementResult::networkBytes)),
        figure(
            "unmoved_replicas",
            "  that stayed",
            Format.COUNT,
            false,
            (r, s) -> moved(r, MovementResult::leftReplicas)),
        figure(
            "movement_seconds",
            "  time of moving",
            Format.SECONDS,
            false,
            (r, s) ->
                r.movements().isEmpty()
                    ? Double.NaN
                    : r.movements().stream().mapToDouble(MovementResult::seconds).sum()));
  }

  private static double moved(RunResult run, ToLongFunction<MovementResult> of) {
    return run.movements().isEmpty() ? Double.NaN : run.movements().stream().mapToLong(of).sum();
  }

  private static List<Figure> costs() {
    return List.of(
        figure(
            "device_written_bytes",
            "written by devices",
            Format.BYTES,
            true,
            (r, s) -> LongStream.of(r.cost().writtenBytesByClass()).sum()),
        figure("energy_joules", "energy", Format.JOULES, true, (r, s) -> energy(r)),
        figure(
            "device_joules",
            "  of devices",
            Format.JOULES,
            true,
            (r, s) -> Arrays.stream(r.cost().deviceJoulesByClass()).sum()),
        figure(
            "energy_dollars",
            "electricity",
            Format.DOLLARS,
            true,
            (r, s) -> r.cost().energyDollars()),
        figure("hardware_dollars", "hardware", Format.DOLLARS, false, (r, s) -> r.cost().dollars()),
        figure(
            "storage_dollars_per_gigabyte",
            "storage, a GB",
            Format.DOLLARS,
            true,
            (r, s) -> r.atEnd().dollarsPerGigabyte()),
        figure("loss_risk_a_day", "loss risk/day", Format.RISK, false, LossRisk::of),
        figure(
            "lost_blocks", "blocks lost", Format.COUNT, false, (r, s) -> r.faults().lostBlocks()));
  }

  static Figure share(String name, String title, Measure measure) {
    return figure(name, title, Format.SHARE, false, measure);
  }

  static double ratio(long part, long whole) {
    return whole == 0 ? Double.NaN : (double) part / whole;
  }

  private static double unlessNone(long bytes, double value) {
    return bytes == 0 ? Double.NaN : value;
  }

  private static double energy(RunResult run) {
    return run.cost().nodeJoules() + Arrays.stream(run.cost().deviceJoulesByClass()).sum();
  }
}
