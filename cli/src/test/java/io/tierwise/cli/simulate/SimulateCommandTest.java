package io.tierwise.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.TierwiseCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The commands on the real model: what they print and write, and what they say of mistakes. */
class SimulateCommandTest {
  private static final String SMALL =
      """
      cluster: {racks: [{count: 2, nodes: [{kind: disk-node, count: 2}, ssd-node]}]}
      workload: {dfsio: {tasks: 6, file: 100 MB}}
      """;

  private record Ran(int exitCode, String out, String err) {}

  @TempDir private Path folder;

  private static Ran run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = TierwiseCommand.commandLine();
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    int exitCode = line.execute(arguments);
    return new Ran(exitCode, out.toString(), err.toString());
  }

  private String small() throws IOException {
    return Files.writeString(folder.resolve("small.yaml"), SMALL).toString();
  }

  private static Path project() {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("ARCHITECTURE.md"))) {
      root = root.getParent();
    }
    return root;
  }

  static List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(project().resolve("examples/scenarios"))) {
      return files
          .filter(file -> file.toString().endsWith(".yaml"))
          .filter(file -> !file.endsWith("facebook.yaml"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleRuns(Path example) {
    Ran ran = run("simulate", example.toString());
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("makespan").contains("read rate of tasks").doesNotContain("NaN");
    assertThat(ran.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void theExampleOfATraceRunsOnATraceOfItsForm() throws IOException {
    Path trace = folder.resolve("t.tsv");
    Files.writeString(
        trace,
        """
        job0\t0\t0\t1000000000\t1000000\t200000000\t/in/a
        job1\t5\t5\t300000000\t0\t0\t/in/a
        job2\t9\t4\t0\t0\t70000000\t/in/b
        """);
    Ran ran =
        run(
            "simulate",
            project().resolve("examples/scenarios/facebook.yaml").toString(),
            "--set",
            "workload.trace.file=" + trace);
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out()).containsPattern("jobs finished +3");
  }

  @Test
  void policiesStandSideBySideWithinAHundredColumns() throws IOException {
    Ran ran = run("simulate", small(), "--policies", "stock,tier-aware,hybrid", "--seeds", "3");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out().lines().findFirst().orElseThrow())
        .containsSubsequence("stock", "tier-aware", "hybrid");
    assertThat(ran.out()).contains("±");
    assertThat(ran.out().lines()).allMatch(line -> line.length() <= 100);
    assertThat(ran.err()).contains("9 runs in");
  }

  @Test
  void theFolderHoldsResultsChartsAndScenariosThatRunAgain() throws IOException {
    Path out = folder.resolve("new/out");
    Ran ran =
        run(
            "simulate",
            small(),
            "--compare",
            "hybrid/dld",
            "--compare",
            "stock/greedy",
            "--out",
            out.toString());
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(out.resolve("makespan.svg")).exists();
    assertThat(out.resolve("results.csv")).content().contains("hybrid/dld,hybrid,dld,1,true,");
    JsonNode json = new ObjectMapper().readTree(out.resolve("results.json").toFile());
    assertThat(json.at("/cases/1/access").asText()).isEqualTo("greedy");

    Ran again = run("simulate", out.resolve("scenario-1.yaml").toString(), "--json");
    JsonNode repeated = new ObjectMapper().readTree(again.out());
    assertThat(repeated.at("/cases/0/runs/0/log_hash"))
        .isEqualTo(json.at("/cases/0/runs/0/log_hash"));
  }

  @Test
  void aDryRunSaysWhatWouldRunAndRunsNothing() throws IOException {
    Ran ran = run("simulate", small(), "--dry-run", "--policies", "stock,hybrid", "--json");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    JsonNode plans = new ObjectMapper().readTree(ran.out());
    assertThat(plans.get(0).get("nodes").asInt()).isEqualTo(6);
    assertThat(plans.get(0).get("jobs").asInt()).isEqualTo(2);
    assertThat(plans.get(1).get("placement").asText()).isEqualTo("hybrid");
    assertThat(run("simulate", small(), "--dry-run").out()).contains("sata-ssd > hdd");
  }

  @Test
  void theSchemaIsJsonAndTheNamedClustersAreListed() throws IOException {
    assertThat(new ObjectMapper().readTree(run("simulate", "--schema").out()).has("$defs"))
        .isTrue();
    assertThat(run("simulate", "--list").out()).contains("hats-testbed", "hdfs-h");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2 | simulate                                        | name a scenario file
          2 | simulate gone.yaml                              | "gone.yaml" does not exist
          2 | simulate hats-testbed                           | needs the key workload
          2 | simulate SMALL --set sed=1                      | unknown key; did you mean "seed"?
          2 | simulate SMALL --policies stock,hybird          | unknown placement policy "hybird"
          2 | simulate SMALL --compare hybrid                 | write PLACEMENT/ACCESS
          2 | simulate SMALL --compare hybrid/fast            | unknown access strategy "fast"
          2 | simulate SMALL --seeds 0                        | --seeds 0: 1 to 1000
          2 | simulate SMALL --threads 0                      | --threads 0: 1 to 256
          2 | simulate SMALL --precision most                 | --precision most is no number
          2 | simulate SMALL --precision 2                    | between 0 and 1
          2 | simulate SMALL --out SMALL                      | is a file: name a folder
          3 | simulate SMALL --out SMALL/below                | cannot be written
          2 | simulate SMALL --set workload.trace={format:swim} | workload.trace
          2 | simulate SMALL --set workload.trace.file=gone.tsv --set workload.trace.format=swim | gone.tsv
          2 | sweep SMALL                                     | give either --vary (one or more) or --search
          2 | sweep SMALL --vary seed                         | write KEY=A,B,C
          2 | sweep SMALL --vary seed=1..99..0.001            | more than 1000 values
          2 | sweep SMALL --vary seed=1..200 --vary policies.replication=1..100 | the grid has 20000 points
          2 | sweep SMALL --vary seed=1,2 --vary seed=3       | is varied twice
          2 | sweep SMALL --vary policies.replication=1..9    | "7" replicas need as many nodes
          2 | sweep SMALL --vary seed=1,2 --objectives speed  | speed is no figure; known: makespan_seconds
          2 | sweep SMALL --search seed=1..2                  | four points or more
          """)
  void aMistakeIsOneLineBeforeAnythingRuns(int exitCode, String command, String message)
      throws IOException {
    Ran ran = run(command.replace("SMALL", small()).split(" "));
    assertThat(ran.err()).contains(message);
    assertThat(ran.err().strip().lines()).hasSize(1);
    assertThat(ran.exitCode()).isEqualTo(exitCode);
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void aScenarioThatCannotFitIntoMemoryIsRefusedBeforeItRuns() throws IOException {
    Ran ran =
        run(
            "simulate",
            small(),
            "--set",
            "cluster.racks[0].count=3000",
            "--set",
            "cluster.racks[0].nodes=[{kind: disk-node, count: 66}]",
            "--set",
            "nodes.disk-node.volumes=[{device: hdd, count: 900}]");
    assertThat(ran.exitCode()).isEqualTo(3);
    assertThat(ran.err()).contains("of memory").contains("TIERWISE_JAVA_OPTS=-Xmx");
    assertThat(ran.err().strip().lines()).hasSize(1);
  }

  @Test
  void aSweepMarksTheFrontOfEachWorkload() throws IOException {
    Path out = folder.resolve("sweep");
    Ran ran =
        run(
            "sweep",
            small(),
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
      small(),
      "--vary",
      "policies.access=stock,greedy,dld",
      "--vary",
      "seed=1..3",
      "--threads",
      "1"
    };
    String one = run(sweep).out();
    sweep[7] = "4";
    assertThat(run(sweep).out()).isEqualTo(one);
  }

  @Test
  void aSearchFindsTheFasterLink() throws IOException {
    Ran ran =
        run("sweep", small(), "--search", "nodes.disk-node.map-slots=1..8", "--evaluations", "8");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.err()).contains("least makespan_seconds at nodes.disk-node.map-slots=");
    assertThat(ran.out().lines().filter(line -> line.endsWith("*"))).isNotEmpty();
  }
}
