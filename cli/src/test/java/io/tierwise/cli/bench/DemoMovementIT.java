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

/** The movement demo, run once on little data: what it promises, not how fast it is. */
@Tag("long")
class DemoMovementIT {
  private static final long DATA_BYTES = 6L * 4 * (1 << 20);

  @TempDir private static Path directory;
  private static String out;
  private static JsonNode answer;

  @BeforeAll
  static void runQuickly() throws IOException {
    CommandRun run = CommandRun.of("demo", "movement", "--quick", "--output", directory.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    out = run.out();
    String json = Files.readString(directory.resolve("movement.json"));
    JsonSchemas.check("demo movement", json);
    answer = new ObjectMapper().readTree(json);
  }

  private static JsonNode phase(String name) {
    for (JsonNode row : answer.path("rows")) {
      if (row.path("phase").asText().equals(name)) {
        return row;
      }
    }
    throw new AssertionError("no phase " + name + " in " + answer);
  }

  private static void assertBytes(String phase, long pcie, long sata, long disk) {
    JsonNode tiers = phase(phase).path("bytes_by_tier");
    assertThat(
            List.of(
                tiers.path("pcie-ssd").asLong(),
                tiers.path("sata-ssd").asLong(),
                tiers.path("disk").asLong()))
        .as(phase)
        .containsExactly(pcie, sata, disk);
  }

  @Test
  void dataIsWhereItsLayoutWantsItAfterMoveAndRepair() {
    assertBytes("before", 0, 0, 3 * DATA_BYTES);
    assertBytes("re-tiering", DATA_BYTES, DATA_BYTES, DATA_BYTES);
    assertBytes("repair", DATA_BYTES, DATA_BYTES, DATA_BYTES);
    assertBytes("monitor", 0, 0, 3 * DATA_BYTES);
    assertBytes("undone", 0, 0, 3 * DATA_BYTES);
  }

  @Test
  void whatTheUndoLeftIsRepaired() {
    assertThat(answer.path("undo_left_replicas").asLong()).isPositive();
    assertThat(answer.path("repaired_replicas").asLong()).isPositive();
  }

  @Test
  void theReaderReadsInEveryPhase() {
    List<String> phases = new ArrayList<>();
    answer.path("rows").forEach(row -> phases.add(row.path("phase").asText()));
    assertThat(phases)
        .containsExactly(
            "before",
            "re-tiering",
            "re-tiered",
            "node lost",
            "repair",
            "repaired",
            "undo",
            "monitor",
            "undone");
    for (JsonNode row : answer.path("rows")) {
      assertThat(row.path("reads").asLong()).as(row.toString()).isPositive();
    }
  }

  @Test
  void whatTheSimulatorSaidIsWhatMoved() {
    assertThat(answer.path("predicted_replicas").asLong())
        .isEqualTo(answer.path("moved_replicas").asLong())
        .isEqualTo(2 * DATA_BYTES / (1 << 20));
    assertThat(answer.path("predicted_seconds").asDouble()).isPositive();
  }

  @Test
  void tableAndChartSayThatDevicesAreEmulated() throws IOException {
    assertThat(out).contains("p99", "pcie-ssd", "the simulator said beforehand", "Undo moved");
    assertThat(out.lines()).allMatch(line -> line.length() <= 80);
    assertThat(Files.readString(directory.resolve("movement.svg"))).contains("emulated");
  }

  @Test
  void theClustersFilesAreGone() throws IOException {
    try (var left = Files.list(directory)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("movement.json", "movement.svg", "movement-daemons.log");
    }
  }
}
