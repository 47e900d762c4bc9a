package io.tierwise.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.cli.JsonSchemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The popularity demo, run once on little data: what it promises, not how fast it is. Long:
 * PrefetchIT and AutotierIT have its parts in make test, and DemoIT a demo.
 */
@Tag("long")
class DemoPopularityIT {
  /** Three phases of six readers, who read three hot files and another one. */
  private static final int READS = 3 * 6 * 4;

  @TempDir private static Path directory;
  private static String out;
  private static JsonNode answer;

  @BeforeAll
  static void runQuickly() throws IOException {
    CommandRun run =
        CommandRun.of("demo", "popularity", "--quick", "--output", directory.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    out = run.out();
    String json = Files.readString(directory.resolve("popularity.json"));
    JsonSchemas.check("demo popularity", json);
    answer = new ObjectMapper().readTree(json);
  }

  private static JsonNode row(String management) {
    for (JsonNode row : answer.path("rows")) {
      if (row.path("management").asText().equals(management)) {
        return row;
      }
    }
    throw new AssertionError("no row " + management + " in " + answer);
  }

  @Test
  void theAuditLogTellsOfEachReadUnderEachManagement() {
    List<String> names = new ArrayList<>();
    for (JsonNode row : answer.path("rows")) {
      names.add(row.path("management").asText());
      assertThat(row.path("reads").asInt()).isEqualTo(READS);
      // The log counts a client's opens of a file within a minute once.
      assertThat(row.path("heard_reads").asInt()).as(row.toString()).isEqualTo(READS);
    }
    assertThat(names).containsExactly("default", "lru", "ppa", "oracle");
  }

  @Test
  void nobodyMovesWithoutManagement() {
    assertThat(row("default").path("fast_share").asDouble()).isZero();
    assertThat(row("default").path("moved_bytes").asLong()).isZero();
    assertThat(row("default").path("promotions").asInt()).isZero();
  }

  @Test
  void theOracleHasTheHotFilesInTheFastTierFromTheFirstPhaseOn() {
    JsonNode phases = row("oracle").path("phases");
    for (int phase = 0; phase < phases.size(); phase++) {
      List<Integer> there = new ArrayList<>();
      phases.get(phase).path("files_in_fast_tier").forEach(file -> there.add(file.asInt()));
      assertThat(there).contains(phase, phase + 1, phase + 2);
    }
    assertThat(row("oracle").path("fast_share").asDouble()).isPositive();
  }

  @Test
  void lruBringsWhatWasReadAndKeepsToItsRoom() {
    JsonNode phases = row("lru").path("phases");
    assertThat(phases.get(0).path("files_in_fast_tier")).isEmpty();
    assertThat(phases.get(1).path("files_in_fast_tier")).hasSize(5);
    for (JsonNode row : answer.path("rows")) {
      assertThat(row.path("fast_tier_most_bytes").asLong())
          .as(row.toString())
          .isLessThanOrEqualTo(answer.path("fast_tier_room_bytes").asLong());
    }
  }

  @Test
  void noReplicaIsLeftOver() {
    for (JsonNode row : answer.path("rows")) {
      assertThat(row.path("stored_bytes").asLong()).as(row.toString()).isEqualTo(3L * (10 << 20));
    }
  }

  @Test
  void aProfiledJobThatWaitedFindsItsInputAndItsIntermediateDataOnTheFastTier() {
    JsonNode profiled = answer.path("job").path("profiled");
    assertThat(profiled.path("fast_input_bytes").asLong()).isZero();

    JsonNode prefetched = answer.path("job").path("prefetched");
    assertThat(prefetched.path("input_bytes").asLong())
        .isEqualTo(profiled.path("input_bytes").asLong())
        .isEqualTo(prefetched.path("fast_input_bytes").asLong())
        .isPositive();
    assertThat(prefetched.path("intermediate_bytes").asLong())
        .isEqualTo(prefetched.path("fast_intermediate_bytes").asLong())
        .isGreaterThan(prefetched.path("input_bytes").asLong());
    assertThat(answer.path("job").path("waited_seconds").asDouble()).isPositive();
  }

  @Test
  void tablesFitATerminalAndTheChartSaysThatDevicesAreEmulated() throws IOException {
    assertThat(out).contains("policy", "in tier", "oracle", "Paid:");
    assertThat(out.lines()).allMatch(line -> line.length() <= 80);
    assertThat(Files.readString(directory.resolve("popularity.svg"))).contains("emulated");
  }

  @Test
  void theClustersFilesAreGone() throws IOException {
    try (var left = Files.list(directory)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "popularity.json",
              "popularity.svg",
              "popularity-daemons.log",
              "popularity-audit.log",
              "popularity-jobs-audit.log");
    }
  }
}
