package io.tierwise.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.JsonSchemas;
import io.tierwise.cli.TierwiseCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The demo, run once on little data: what it promises of its results, not how fast they are. */
class DemoIT {
  private static final int POLLS_MAX = 3000;

  @TempDir private static Path directory;
  private static final StringWriter OUT = new StringWriter();
  private static JsonNode rows;

  @BeforeAll
  static void runQuickly() throws Exception {
    StringWriter err = new StringWriter();
    CommandLine command = TierwiseCommand.commandLine();
    command.setOut(new PrintWriter(OUT)).setErr(new PrintWriter(err));

    int exitCode = command.execute("demo", "--quick", "--all", "--output", directory.toString());

    assertThat(exitCode).as(err.toString()).isZero();
    JsonSchemas.check("demo", Files.readString(directory.resolve("results.json")));
    rows = new ObjectMapper().readTree(directory.resolve("results.json").toFile()).path("rows");
  }

  private static JsonNode row(String placement, String access) {
    for (JsonNode row : rows) {
      if (row.get("placement").asText().equals(placement)
          && row.get("access").asText().startsWith(access)) {
        return row;
      }
    }
    throw new AssertionError("no row " + placement + " / " + access + " in " + rows);
  }

  private static List<String> names(String column) {
    List<String> names = new ArrayList<>();
    rows.forEach(row -> names.add(row.get(column).asText().replaceFirst(":.*", "")));
    return names;
  }

  @Test
  void whoeverInterruptsItIsToldWhatIsLeft(@TempDir Path other) throws Exception {
    Path err = other.resolve("err");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                TierwiseCommand.class.getName(),
                "demo",
                "--output",
                other.resolve("demo").toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(err.toFile())
            .start();
    Path cluster = other.resolve("demo/cluster-" + process.pid());
    try {
      for (int i = 0; i < POLLS_MAX && process.isAlive() && !Files.exists(cluster); i++) {
        process.waitFor(100, TimeUnit.MILLISECONDS);
      }
      process.destroy();
      assertThat(process.waitFor(180, TimeUnit.SECONDS)).as("ends when asked").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(err).content().contains("tierwise demo: interrupted: no figures");
    assertThat(cluster).doesNotExist();
    assertThat(process.exitValue()).as("128 and the number of SIGTERM").isEqualTo(143);
  }

  /** How near is the full demo's matter; here, that the twin is of the same size and order. */
  @Test
  void everyRowThatAPolicyDecidesHasAPrediction() {
    for (JsonNode row : rows) {
      JsonNode predicted = row.get("predicted_read_megabytes_per_second");
      boolean stockDecides =
          row.get("placement").asText().equals("stock-ONE_SSD")
              || row.get("access").asText().equals("stock-considerStorageType");
      assertThat(predicted.isNull()).as(row.toString()).isEqualTo(stockDecides);
    }
    double stock = row("stock-HOT", "stock").get("predicted_read_megabytes_per_second").asDouble();
    double tiers =
        row("tier-aware", "tier-aware").get("predicted_read_megabytes_per_second").asDouble();
    assertThat(tiers).isGreaterThan(2 * stock);
    assertThat(OUT.toString())
        .contains("Beforehand, knowing nothing of this run: mean error")
        .contains("Knowing where its blocks and tasks were: mean error")
        .containsPattern(
            "Knowing all that chance decided, the replicas that were read, too:\\s+mean");
  }

  /** The placement is recorded, too, so that only an order that is not ours is left out. */
  @Test
  void everyRowOfOurOrderHasAPredictionOnTheSameBlocks() {
    for (JsonNode row : rows) {
      assertThat(row.get("predicted_read_same_blocks_megabytes_per_second").isNull())
          .as(row.toString())
          .isEqualTo(row.get("access").asText().equals("stock-considerStorageType"));
      assertThat(row.get("predicted_write_same_blocks_megabytes_per_second").asDouble())
          .as(row.toString())
          .isPositive();
    }
  }

  /**
   * How near is a matter of the full demo; here, that no row is without, and none beyond reason.
   */
  @Test
  void everyRowSaysWhatShareOfThePossibleItIs() {
    for (JsonNode row : rows) {
      assertThat(row.get("share_of_bound").asDouble()).as(row.toString()).isBetween(0.01, 1.5);
      assertThat(row.get("share_of_limit").asDouble())
          .as(row.toString())
          .isBetween(0.01, row.get("share_of_bound").asDouble());
    }
    assertThat(OUT.toString()).contains("of bound", "of limit");
  }

  @Test
  void everyPlacementAndEveryStrategyHasARowBesideStock() {
    assertThat(names("placement"))
        .contains(
            "stock-HOT",
            "stock-ONE_SSD",
            "network-aware",
            "random",
            "tier-aware",
            "hybrid",
            "zone-ratio",
            "region-aware",
            "layout");
    assertThat(names("access"))
        .contains(
            "stock",
            "stock-considerStorageType",
            "network-aware",
            "random",
            "tier-aware",
            "hybrid",
            "greedy",
            "balanced",
            "nbd",
            "sbd",
            "dld",
            "auto",
            "adaptive");
  }

  @Test
  void everyRowHasFiguresAndItsSharesAddUp() {
    for (JsonNode row : rows) {
      assertThat(row.get("read_megabytes_per_second").asDouble()).as(row.toString()).isPositive();
      assertThat(row.get("write_megabytes_per_second").asDouble()).as(row.toString()).isPositive();
      assertThat(
              row.get("share_pcie_ssd").asDouble()
                  + row.get("share_sata_ssd").asDouble()
                  + row.get("share_disk").asDouble())
          .as("share of reads by tier in %s", row)
          .isBetween(0.999, 1.001);
      assertThat(
              row.get("share_local").asDouble()
                  + row.get("share_rack").asDouble()
                  + row.get("share_remote").asDouble())
          .as("share of reads by distance in %s", row)
          .isBetween(0.999, 1.001);
    }
  }

  @Test
  void stockHotReadsDisksOnlyAndGreedyTheFastestTierOnly() {
    assertThat(row("stock-HOT", "stock").get("share_disk").asDouble()).isEqualTo(1);
    assertThat(row("layout:one-fast", "greedy").get("share_pcie_ssd").asDouble()).isEqualTo(1);
  }

  @Test
  void dataLocalityDrivenReadsAreAsLocalAsStockOrder() {
    assertThat(row("layout:one-fast", "dld").get("share_local").asDouble())
        .isEqualTo(row("layout:one-fast", "network-aware").get("share_local").asDouble());
  }

  @Test
  void onlyStrategiesThatLimitReadersAreRefused() {
    for (JsonNode row : rows) {
      if (!row.get("access").asText().matches("nbd.*|sbd.*")) {
        assertThat(row.get("refusals").asLong()).as(row.toString()).isZero();
      }
    }
  }

  @Test
  void tableAndFilesSayThatDevicesAreEmulated() throws Exception {
    assertThat(OUT.toString()).contains("stock-HOT", "emulated");
    assertThat(Files.readString(directory.resolve("results.svg"))).contains("emulated");
    assertThat(Files.readAllLines(directory.resolve("results.csv"))).hasSize(rows.size() + 1);
  }

  @Test
  void itBeginsWithAHeadlineAndAFewRowsAndFitsATerminal() {
    List<String> lines = OUT.toString().lines().toList();
    assertThat(lines).allMatch(line -> line.length() <= 80);
    assertThat(lines.get(1))
        .startsWith("Tierwise reads ")
        .contains(" times as fast as stock HDFS's");
    int titles = lines.indexOf(lines.stream().filter(l -> l.contains("x best")).findFirst().get());
    // A long name continues in the next line.
    List<String> names =
        lines.subList(titles + 1, lines.size()).stream()
            .takeWhile(line -> !line.isEmpty())
            .filter(line -> line.startsWith("stock ") || line.startsWith("Tierwise "))
            .toList();
    // Six where the recommended row, the fastest and the frugal one are three.
    assertThat(names).hasSizeBetween(5, 6).anyMatch(line -> line.contains(" hybrid / auto "));
    assertThat(names).filteredOn(line -> line.startsWith("stock ")).hasSize(3);
  }

  @Test
  void theClustersFilesAreGone() throws Exception {
    try (var left = Files.list(directory)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("results.json", "results.csv", "results.svg", "daemons.log");
    }
  }
}
