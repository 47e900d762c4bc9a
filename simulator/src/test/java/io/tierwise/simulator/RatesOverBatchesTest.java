package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Move;
import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * What a node may take for moves holds for all moves of a monitor, or of a tier's flushes, and not
 * for each of their batches: three nodes with an SSD and a disk each.
 */
class RatesOverBatchesTest {
  private static final long BLOCK_BYTES = 64L << 20;

  /** A move is in place so long after its start at most: copied, and the old replica dropped. */
  private static final double IN_PLACE_SECONDS = 12;

  private static final String NODES =
      """
      nodes:
        both:
          page-cache: 0 B
          volumes:
            - {device: sata-ssd, capacity: %s, temporary: false}
            - {device: hdd, capacity: 1 TB}
      cluster: {racks: [{nodes: [{kind: both, count: 3}]}]}
      tiers: [{name: ssd, device: sata-ssd}, {name: disk, device: hdd}]
      """;

  /** A move as a node sees it that reads or writes for it. */
  private record Taken(double seconds, long bytes) {}

  private final Map<Integer, List<Taken>> byNode = new TreeMap<>();

  private void note(double seconds, Move move, ClusterView view) {
    IntStream.of(view.nodeOfVolume(move.source()), view.nodeOfVolume(move.to()))
        .distinct()
        .forEach(
            node ->
                byNode
                    .computeIfAbsent(node, any -> new ArrayList<>())
                    .add(new Taken(seconds, move.cost().writtenBytes())));
  }

  private RunResult run(Scenario scenario) throws IOException {
    byNode.clear();
    return Simulation.of(scenario)
        .tell(
            (seconds, action, view) -> {
              if (action instanceof Move move) {
                note(seconds, move, view);
              }
            })
        .run(Progress.NONE);
  }

  /** Between any two moves of a node there is the time that those before the second take. */
  private void assertRateHolds(double bytesPerSecond) {
    assertThat(byNode.values()).anyMatch(moves -> moves.size() > 1);
    byNode.forEach(
        (node, moves) -> {
          for (int first = 0; first < moves.size(); first++) {
            double bytes = 0;
            for (int last = first + 1; last < moves.size(); last++) {
              bytes += moves.get(last - 1).bytes();
              double seconds = moves.get(last).seconds() - moves.get(first).seconds();
              assertThat(bytes)
                  .as("bytes of node %d from move %d to move %d", node, first, last)
                  .isLessThanOrEqualTo(bytesPerSecond * (seconds + IN_PLACE_SECONDS));
            }
          }
        });
  }

  /** The monitor's batches have 256 blocks. */
  @Property(tries = 6)
  void aMonitorKeepsToItsRateFromBatchToBatch(
      @ForAll @IntRange(min = 270, max = 600) int blocks,
      @ForAll @IntRange(min = 1, max = 3) int megabytes,
      @ForAll @IntRange(max = 1000) int seed)
      throws IOException {
    String yaml =
        NODES.formatted("1 TB")
            + """
            seed: %d
            policies: {placement: "layout:1 x disk", replication: 1, block: 64 MiB}
            stored: [{path: /w, files: 1, size: %d MiB}]
            movement: [{path: /w, placement: "layout:1 x ssd", apply: false}]
            monitor: {interval: 20 s, bandwidth: %d MB/s}
            workload: {dfsio: {tasks: 1, file: 1 MB, read: false}}
            """
                .formatted(seed, 64 * blocks, megabytes);
    RunResult result = run(ScenarioFiles.parse(yaml, "monitor").scenario());

    assertThat(result.repairs().orElseThrow().moves().bytes()).isEqualTo(blocks * BLOCK_BYTES);
    assertRateHolds(megabytes * 1e6);
  }

  private static String row(int job, int seconds) {
    return "j%d\t%d\t1\t%d\t0\t0\t/in/%d".formatted(job, seconds, BLOCK_BYTES, job);
  }

  /** Flushes of the SSDs, while jobs bring new files. */
  private RunResult flush(String cluster, String how, List<String> rows) throws IOException {
    Path trace = Files.write(Files.createTempFile("flushes", ".tsv"), rows);
    String yaml =
        cluster
            + """
            policies: {placement: "layout:1 x ssd", replication: 1, block: 64 MiB}
            flush: [{tier: ssd, %s}]
            workload: {trace: {format: swim, file: %s}}
            """
                .formatted(how, trace);
    RunResult result = run(ScenarioFiles.parse(yaml, "flush").scenario());
    Files.delete(trace);
    return result;
  }

  /** A run has one move: that of the second waits for what the first one took. */
  @Example
  void twoRunsOfAFlushKeepToTheRateTogether() throws IOException {
    long seconds = 100;
    String how = "high: 5%, low: 1%, every: 1 s, bandwidth: " + BLOCK_BYTES / seconds + " B/s";
    RunResult result =
        flush(
            NODES.formatted("1 GB").replace("count: 3", "count: 1"),
            how,
            List.of(row(0, 0), row(1, 30)));

    assertThat(result.flushes().get(0).flushes()).isEqualTo(2);
    List<Taken> moves = byNode.get(0);
    assertThat(moves).hasSize(2);
    assertThat(moves.get(1).seconds() - moves.get(0).seconds())
        .isGreaterThanOrEqualTo(seconds - IN_PLACE_SECONDS);
  }

  /** New files fill the tier again and again: each look is a batch of its own. */
  @Property(tries = 6)
  void flushesKeepToTheirRateFromLookToLook(
      @ForAll @IntRange(min = 1, max = 3) int megabytes,
      @ForAll @IntRange(min = 1, max = 30) int every,
      @ForAll @IntRange(max = 1000) int seed)
      throws IOException {
    String how =
        "high: 15%%, low: 12%%, every: %d s, bandwidth: %d MB/s".formatted(every, megabytes);
    List<String> rows = IntStream.range(0, 60).mapToObj(job -> row(job, 10 * job)).toList();
    RunResult result = flush(NODES.formatted("1 GB") + "seed: " + seed + "\n", how, rows);

    assertThat(result.flushes().get(0).flushes()).isGreaterThan(1);
    assertRateHolds(megabytes * 1e6);
  }
}
