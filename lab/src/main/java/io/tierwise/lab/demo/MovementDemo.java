package io.tierwise.lab.demo;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.lab.embedded.EmbeddedCluster;
import io.tierwise.lab.embedded.EmbeddedPlan;
import io.tierwise.policies.movement.MovementLimits;
import io.tierwise.simulator.measure.MovementResult;
import io.tierwise.simulator.scenario.MovementSpec;
import io.tierwise.simulator.scenario.StoredSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Stored data changes its tiers under a reader, a node is lost and its replicas come back, all is
 * undone, and the monitor has repaired what the undo left: from the settings to the results.
 *
 * @param directory where results go, and the cluster's files while it runs
 * @param quick little data and short phases
 */
public record MovementDemo(Path directory, boolean quick) {
  static final String BEFORE = "layout:3 x disk";
  static final String AFTER = "layout:1 x pcie-ssd + 1 x sata-ssd + 1 x disk";
  private static final double SPEED_FACTOR = 0.25;
  private static final MovementLimits LIMITS = new MovementLimits(4_000_000, 24_000_000, 4, 0.05);
  private static final MovementLimits QUICK_LIMITS =
      new MovementLimits(8_000_000, 48_000_000, 4, 0.05);

  /**
   * The result.
   *
   * @param predicted the same movement on a simulated twin, beforehand, without the reader
   * @param lost the node that was stopped
   * @param noticedSeconds from the loss to the NameNode's giving the node up
   * @param repairedSeconds from there until every block had its layout again
   * @param undone what the undo moved back, and what it left
   * @param repaired replicas that the monitor had brought back afterwards
   */
  public record Result(
      List<MovementPhase> phases,
      MoverReport moved,
      MovementResult predicted,
      String lost,
      double noticedSeconds,
      double repairedSeconds,
      MoverReport undone,
      long repaired,
      String chart) {
    /** All figures by name. */
    public Map<String, Object> columns() {
      Map<String, Object> columns = new LinkedHashMap<>();
      columns.put("rows", phases.stream().map(MovementPhase::columns).toList());
      columns.put("moved_replicas", moved.moved().replicas());
      columns.put("moved_bytes", moved.moved().bytes());
      columns.put("moved_seconds", moved.seconds());
      columns.put("predicted_replicas", predicted.replicas());
      columns.put("predicted_seconds", predicted.seconds());
      columns.put("lost_node", lost);
      columns.put("noticed_seconds", noticedSeconds);
      columns.put("repaired_seconds", repairedSeconds);
      columns.put("undone_replicas", undone.moved().replicas());
      columns.put(
          "undo_left_replicas",
          undone.left().stream().mapToLong(left -> left.amount().replicas()).sum());
      columns.put("repaired_replicas", repaired);
      return columns;
    }

    /** The phases for people. */
    public Table table() {
      List<String> tiers = List.copyOf(phases.get(0).bytesByTier().keySet());
      Table table = new Table().text("phase").number("seconds", "reads", "p50", "p99");
      tiers.forEach(table::number);
      for (MovementPhase phase : phases) {
        List<Object> row = new ArrayList<>();
        row.add(phase.name());
        row.add(String.format(Locale.ROOT, "%.1f", phase.seconds()));
        row.add(phase.reads());
        row.add(millis(phase.p50Seconds()));
        row.add(millis(phase.p99Seconds()));
        tiers.forEach(tier -> row.add(Words.bytes(phase.bytesByTier().get(tier))));
        table.row(row.toArray());
      }
      return table;
    }

    /** The findings, a sentence each. */
    public List<String> sentences() {
      return List.of(
          "Columns of tiers: bytes of replicas there at the end of the phase. Every byte that was"
              + " read was checked.",
          String.format(
              Locale.ROOT,
              "Moved %s (%s) in %.1f s; the simulator said beforehand %s in %.1f s (%+.0f%%).",
              Words.count(moved.moved().replicas(), "replica"),
              Words.bytes(moved.moved().bytes()),
              moved.seconds(),
              Words.count(predicted.replicas(), "replica"),
              predicted.seconds(),
              100 * (predicted.seconds() / moved.seconds() - 1)),
          String.format(
              Locale.ROOT,
              "Lost %s: given up after %.1f s; HDFS's own re-replication, placed by the policy, had"
                  + " every block back in its layout %.1f s later.",
              lost,
              noticedSeconds,
              repairedSeconds),
          String.format(
              Locale.ROOT,
              "Undo moved %s back%s. The policy of before holds again: the monitor found what was"
                  + " off it, and repairs moved %s.",
              Words.count(undone.moved().replicas(), "replica"),
              undone.left().stream().map(MovementDemo::left).collect(Collectors.joining(",")),
              Words.count(repaired, "replica")));
    }

    private static String millis(double seconds) {
      return Double.isNaN(seconds) ? null : String.format(Locale.ROOT, "%.0f ms", 1000 * seconds);
    }
  }

  private static String left(MoverReport.Left left) {
    return " and left " + left.amount().replicas() + " as they were (" + left.reason() + ")";
  }

  EmbeddedPlan cluster() {
    return EmbeddedPlan.SMALL.withSpeedFactor(SPEED_FACTOR);
  }

  MovementData data() {
    return new MovementData("/warehouse", quick ? 6 : 24);
  }

  MovementLimits limits() {
    return quick ? QUICK_LIMITS : LIMITS;
  }

  /** How long the reader reads while nothing else happens. */
  double calmSeconds() {
    return quick ? 2 : 8;
  }

  /** The plan of the demo, in a sentence or two. */
  public String introduction() {
    return String.format(
        Locale.ROOT,
        "Embedded HDFS: %d DataNodes in %d racks; %s with 3 replicas on disks go to \"%s\" while a"
            + " reader reads them, at %s a node. Devices and links are EMULATED (hatS Table 4.2 and"
            + " 10 Gbps, times %s): the data is real, the time that a device would take is slept."
            + " The NameNode gives a node up after 12 s, by"
            + " dfs.namenode.heartbeat.recheck-interval, not after HDFS's 10.5 minutes, and its"
            + " monitor looks each second, not each minute.",
        cluster().nodes().size(),
        cluster().rackCount(),
        Words.bytes((long) data().blocks() * MovementData.BLOCK_BYTES),
        AFTER.substring("layout:".length()),
        Words.bytes(limits().nodeBytesPerSecond()) + "/s",
        SPEED_FACTOR);
  }

  /** Runs all, and writes {@code movement.json} and {@code movement.svg}. */
  public Result run(Listener listener) throws IOException {
    Files.createDirectories(directory);
    MovementResult predicted = predict();
    Result result;
    try (MovementDemoRun run = new MovementDemoRun(this, listener)) {
      result = run.all(predicted);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    Files.writeString(directory.resolve("movement.svg"), result.chart());
    return result;
  }

  /** The movement on a simulated twin of the cluster. */
  private MovementResult predict() throws IOException {
    MovementData data = data();
    long fileBytes = (long) MovementData.BLOCKS_PER_FILE * MovementData.BLOCK_BYTES;
    List<StoredSpec> stored = new ArrayList<>();
    for (int file = 0; file < data.files(); file++) {
      stored.add(new StoredSpec(data.path(file), 1, fileBytes, BEFORE));
    }
    return DemoTwin.moving(
        cluster(),
        MovementData.BLOCK_BYTES,
        stored,
        new MovementSpec(0, data.directory(), AFTER, limits(), EmbeddedCluster.HEARTBEAT_SECONDS));
  }
}
