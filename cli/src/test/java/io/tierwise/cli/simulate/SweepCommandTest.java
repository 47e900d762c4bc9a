package io.tierwise.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.JsonSchemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepCommandTest {
  /** With one replica the node that fails takes blocks with it, and the job fails at once. */
  private static final String FAILING =
      """
      based-on: hats-testbed
      model: {write-through: true}
      workload: {dfsio: {tasks: 60, file: 1 GB, write: false}}
      faults: [{at: 12 s, node: node-3}]
      """;

  @TempDir private Path folder;

  @Test
  void aSweepMarksTheFrontOfEachWorkload() throws IOException {
    Path out = folder.resolve("sweep");
    Ran ran =
        Ran.of(
            "sweep",
            Ran.small(folder),
            "--vary",
            "policies.placement=zone-ratio:{0..1..0.5}",
            "--vary",
            "workload.dfsio.file=100 MB,200 MB",
            "--threads",
            "2",
            "--out",
            out.toString());
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out().lines()).hasSize(7);
    assertThat(ran.out().lines().findFirst().orElseThrow())
        .containsSubsequence("placement", "file", "makespan", "storage, a GB", "front");
    JsonSchemas.check("sweep", Files.readString(out.resolve("results.json")));
    JsonNode json = new ObjectMapper().readTree(out.resolve("results.json").toFile());
    for (String file : List.of("100 MB", "200 MB")) {
      boolean any = false;
      for (JsonNode each : json.get("cases")) {
        any |=
            each.at("/values/workload.dfsio.file").asText().equals(file)
                && each.get("on_front").asBoolean();
      }
      assertThat(any).as("a front for " + file).isTrue();
    }
    assertThat(out.resolve("pareto-storage_dollars_per_gigabyte-2.svg")).exists();
  }

  @Test
  void aSweepIsTheSameOnAnyNumberOfThreads() throws IOException {
    String[] sweep = {
      "sweep",
      Ran.small(folder),
      "--vary",
      "policies.access=stock,greedy,dld",
      "--vary",
      "seed=1..3",
      "--threads",
      "1"
    };
    String one = Ran.of(sweep).out();
    sweep[7] = "4";
    assertThat(Ran.of(sweep).out()).isEqualTo(one);
  }

  @Test
  void aSearchFindsTheFasterLink() throws IOException {
    Ran ran =
        Ran.of(
            "search",
            Ran.small(folder),
            "--vary",
            "nodes.disk-node.map-slots=1..8",
            "--evaluations",
            "8");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.err()).contains("least makespan_seconds at nodes.disk-node.map-slots=");
    assertThat(ran.out().lines().filter(line -> line.endsWith("*"))).isNotEmpty();
  }

  @Test
  void aDryRunOfASearchSaysHowManyPointsItWouldTry() throws IOException {
    String range = "nodes.disk-node.map-slots=1..8";
    Ran ran =
        Ran.of("search", Ran.small(folder), "--vary", range, "--evaluations", "5", "--dry-run");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out().lines()).hasSize(8);
    assertThat(ran.err()).contains("would try at most 5 of these 8 points");
  }

  @Test
  void halvingRunsWithItsOwnDefaults() throws IOException {
    Ran ran = Ran.of("halve", Ran.small(folder), "--vary", "policies.replication=1..3");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out()).containsPattern("(?m) 8 +\\*$");
  }

  @Test
  void successiveHalvingFindsTheBestOfTheGridWithFewerRuns() throws IOException {
    String key = "nodes.disk-node.map-slots";
    String[] grid = {
      "sweep",
      Ran.small(folder),
      "--vary",
      key + "=1..6",
      "--vary",
      "workload.dfsio.tasks=18,36",
      "--seeds",
      "8",
      "--threads",
      "2",
      "--objectives",
      "makespan_seconds"
    };
    Ran all = Ran.of(grid);
    assertThat(all.exitCode()).as(all.err()).isZero();
    String[] halving = Arrays.copyOf(grid, grid.length - 2);
    halving[0] = "halve";
    Ran few = Ran.of(halving);
    assertThat(few.exitCode()).as(few.err()).isZero();
    assertThat(best(few)).hasSize(2).isSubsetOf(best(all));
    assertThat(runs(all)).isEqualTo(96);
    assertThat(runs(few)).isLessThan(60);
    assertThat(few.err()).contains("least makespan_seconds at map-slots=");
    assertThat(few.out().lines().findFirst().orElseThrow()).contains("runs");
  }

  /** Slots and tasks of the points that are marked. */
  private static List<String> best(Ran ran) {
    return ran.out()
        .lines()
        .filter(line -> line.endsWith("*"))
        .map(line -> line.replaceFirst("^ *([0-9]+) +([0-9]+) .*", "$1 slots, $2 tasks"))
        .toList();
  }

  private static int runs(Ran ran) {
    Matcher runs = Pattern.compile("([0-9]+) runs in").matcher(ran.err());
    assertThat(runs.find()).as(ran.err()).isTrue();
    return Integer.parseInt(runs.group(1));
  }

  @Test
  void aClusterThatFailsItsJobsIsNeverTheBest() throws IOException {
    String file = Files.writeString(folder.resolve("failing.yaml"), FAILING).toString();
    String[] grid = {"sweep", file, "--vary", "policies.replication=1,2,3"};
    Ran all = Ran.of(grid);
    assertThat(all.exitCode()).as(all.err()).isZero();
    assertThat(all.out().lines().filter(line -> line.endsWith(" (jobs failed)")))
        .singleElement()
        .asString()
        .startsWith("1 ")
        .doesNotContain("*");
    assertThat(all.out().lines()).allMatch(line -> line.length() <= 80);

    Ran halved = Ran.of("halve", file, "--vary", "policies.replication=1,2,3", "--seeds", "4");
    assertThat(halved.err()).containsPattern("least makespan_seconds at replication=[23]");

    Ran none = Ran.of("search", file, "--vary", "policies.replication=1..4", "--evaluations", "4");
    assertThat(none.err()).doesNotContain("at policies.replication=1");
  }
}
