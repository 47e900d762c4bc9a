package io.tierwise.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands on the real model: what they print and write, and what they say of mistakes. */
class SimulateCommandTest {
  @TempDir private Path folder;

  private String small() throws IOException {
    return Ran.small(folder);
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
          .filter(file -> !file.endsWith("facebook.yaml") && !file.endsWith("rho-by-use.yaml"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleRuns(Path example) {
    Ran ran = Ran.of("simulate", example.toString());
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("makespan").contains("read rate of tasks").doesNotContain("NaN");
    assertThat(ran.out().lines()).allMatch(line -> line.length() <= 80);
  }

  @ParameterizedTest
  @ValueSource(strings = {"facebook.yaml", "rho-by-use.yaml"})
  void theExamplesOfATraceRunOnATraceOfItsForm(String example) throws IOException {
    Path trace = folder.resolve("t.tsv");
    Files.writeString(
        trace,
        """
        job0\t0\t0\t1000000000\t1000000\t200000000\t/in/a
        job1\t5\t5\t300000000\t0\t0\t/in/a
        job2\t9\t4\t0\t0\t70000000\t/in/b
        """);
    Ran ran =
        Ran.of(
            "simulate",
            project().resolve("examples/scenarios").resolve(example).toString(),
            "--set",
            "workload.trace.file=" + trace);
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out()).containsPattern("jobs finished +3");
  }

  @Test
  void policiesStandSideBySideWithinEightyColumns() throws IOException {
    Ran ran = Ran.of("simulate", small(), "--policies", "stock,tier-aware,hybrid", "--seeds", "3");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out().lines().findFirst().orElseThrow())
        .containsSubsequence("stock", "tier-aware");
    assertThat(ran.out()).containsPattern("\n\n +hybrid\n");
    assertThat(ran.out()).contains("±");
    assertThat(ran.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(ran.err()).contains("9 runs in");
  }

  @Test
  void theFolderHoldsResultsChartsAndScenariosThatRunAgain() throws IOException {
    Path out = folder.resolve("new/out");
    Ran ran =
        Ran.of(
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

    Ran again = Ran.of("simulate", out.resolve("scenario-1.yaml").toString(), "--json");
    JsonNode repeated = new ObjectMapper().readTree(again.out());
    assertThat(repeated.at("/cases/0/runs/0/log_hash"))
        .isEqualTo(json.at("/cases/0/runs/0/log_hash"));
  }

  /** The trace is named from the scenario's folder, and that from ours. */
  @Test
  void theScenarioOfATraceRunsAgainFromItsFolder() throws IOException {
    Files.writeString(folder.resolve("t.tsv"), "job0\t0\t0\t100000000\t1000000\t200000\n");
    Path mine =
        Files.writeString(
            folder.resolve("mine.yaml"),
            """
            cluster: {racks: [{nodes: [{kind: disk-node, count: 3}]}]}
            workload: {trace: {format: swim, file: t.tsv}}
            """);
    Path fromHere = Path.of("").toAbsolutePath().relativize(mine.toAbsolutePath());
    Path out = folder.resolve("far/away/out");
    Ran ran = Ran.of("simulate", fromHere.toString(), "--out", out.toString(), "--json");
    assertThat(ran.exitCode()).as(ran.err()).isZero();

    Ran again = Ran.of("simulate", out.resolve("scenario-1.yaml").toString(), "--json");
    assertThat(again.exitCode()).as(again.err()).isZero();
    String hash = "/cases/0/runs/0/log_hash";
    assertThat(new ObjectMapper().readTree(again.out()).at(hash))
        .isEqualTo(new ObjectMapper().readTree(ran.out()).at(hash));
  }

  @Test
  void aDryRunSaysWhatWouldRunAndRunsNothing() throws IOException {
    Ran ran = Ran.of("simulate", small(), "--dry-run", "--policies", "stock,hybrid", "--json");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    JsonNode plans = new ObjectMapper().readTree(ran.out()).path("plans");
    assertThat(plans.get(0).get("nodes").asInt()).isEqualTo(6);
    assertThat(plans.get(0).get("jobs").asInt()).isEqualTo(2);
    assertThat(plans.get(1).get("placement").asText()).isEqualTo("hybrid");
    assertThat(Ran.of("simulate", small(), "--dry-run").out()).contains("sata-ssd > hdd");
  }

  @Test
  void theSchemaIsJsonAndTheNamedClustersAreListed() throws IOException {
    assertThat(new ObjectMapper().readTree(Ran.of("simulate", "--schema").out()).has("$defs"))
        .isTrue();
    assertThat(Ran.of("simulate", "--list").out())
        .contains("hats-testbed", "hdfs-h", "Intel DC P3700", "2800 MB/s", "AMD EPYC 9654");
    assertThat(Ran.of("simulate", "--list", "--json").out())
        .contains("\"watts_busy\" : 702.0", "SPECpower_ssj2008, published Nov-2022");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2 | simulate                                        | name a scenario file
          2 | simulate gone.yaml                              | "gone.yaml" does not exist
          2 | simulate hats-testbed                           | has no workload: give the key
          2 | simulate SMALL --set sed=1                      | unknown key; did you mean "seed"?
          2 | simulate SMALL --policies stock,hybird          | --policies hybird: policies.placement: unknown placement policy "hybird"; did you mean "hybrid"?
          2 | simulate SMALL --compare hybrid/gredy           | --compare hybrid/gredy: policies.access: unknown access strategy "gredy"; did you mean "greedy"?
          2 | simulate SMALL --compare hybrid                 | write PLACEMENT/ACCESS
          2 | simulate SMALL --compare hybrid/fast            | unknown access strategy "fast"
          2 | simulate SMALL --seeds 0                        | --seeds 0: give 1 to 1000
          2 | simulate SMALL --threads 0                      | --threads 0: give 1 to 256
          2 | simulate SMALL --precision most                 | --precision most is no number
          2 | simulate SMALL --precision 2                    | between 0 and 1
          2 | simulate SMALL --out SMALL                      | is a file: name a folder
          3 | simulate SMALL --out SMALL/below                | cannot be written
          2 | simulate SMALL --set workload.trace={format:swim} | workload.trace
          2 | simulate SMALL --set workload.trace.file=gone.tsv --set workload.trace.format=swim | gone.tsv
          2 | simulate SMALL --check 5s                       | --check 5s: write FROM..TO in simulated time
          2 | simulate SMALL --check 5..3s                    | not back in time
          2 | simulate SMALL --check -1s..3s                  | from 0 or later
          2 | simulate SMALL --check 1..2parsecs              | has the unknown unit "parsecs"
          2 | simulate SMALL --check 1..2                     | has no unit; allowed: ns, us, ms, s, min, h, d
          2 | simulate SMALL --check ..2s                     | "" is no time
          2 | simulate SMALL --set policies.placement=region-aware | needs regions, but all racks are in one
          2 | simulate SMALL --set tiers=[hdd,nvme-p3700]     | holds data on no node: a tier needs a device
          2 | halve SMALL --vary seed=1,2 --seeds 2           | halving needs --seeds 3 or more
          2 | halve SMALL --vary seed=1,2 --seeds 4 --keep 2  | --keep 2: give a share between 0 and 1
          2 | sweep SMALL --vary seed                         | write KEY=A,B,C
          2 | sweep SMALL --vary seed=1..99..0.001            | more than 1000 values
          2 | sweep SMALL --vary seed=1..200 --vary policies.replication=1..100 | the grid has 20000 points
          2 | sweep SMALL --vary seed=1,2 --vary seed=3       | is varied twice
          2 | sweep SMALL --vary policies.replication=1..9    | "7" replicas need as many nodes
          2 | sweep SMALL --vary seed=1,2 --objectives speed  | speed is no figure; known: makespan_seconds
          2 | capture --node cores                            | --node cores: write KEY=VALUE
          2 | bench dfsio --file-size 2mbit --dry-run         | --file-size is 2mbit: give bytes, or a number with a unit (GB: 10^9 bytes
          2 | search SMALL --vary seed=1..2                   | four points or more, as KEY=FROM..TO..STEP
          2 | search SMALL --vary seed=1..9 --minimise makespan | is no figure; did you mean makespan_seconds?
          2 | search SMALL --vary seed=1..9 --minimise job_p59_seconds | did you mean job_p50_seconds?
          """)
  void aMistakeIsOneLineBeforeAnythingRuns(int exitCode, String command, String message)
      throws IOException {
    Ran ran = Ran.of(command.replace("SMALL", small()).split(" "));
    assertThat(ran.err()).contains(message);
    assertThat(ran.err().strip().lines()).hasSize(1);
    assertThat(ran.exitCode()).isEqualTo(exitCode);
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void aScenarioThatCannotFitIntoMemoryIsRefusedBeforeItRuns() throws IOException {
    Ran ran =
        Ran.of(
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
  void invariantsAreCheckedInThePartThatWasAskedFor() throws IOException {
    Ran checked = Ran.of("simulate", small(), "--check", "0..1 h");
    assertThat(checked.exitCode()).as(checked.err()).isZero();
    assertThat(checked.err())
        .containsPattern("all invariants held after each of [0-9,]{2,} events from 0 s to 1 h");
    Ran late = Ran.of("simulate", small(), "--check", "10..20 h");
    assertThat(late.exitCode()).isZero();
    assertThat(late.err()).contains("nothing was checked: no run had an event from 10 h to 20 h");
    assertThat(late.out()).isEqualTo(checked.out());
    Ran sweep = Ran.of("sweep", small(), "--vary", "seed=1,2", "--check", "0 s..1 min");
    assertThat(sweep.err()).contains("all invariants held after each of");
  }

  @Test
  void rowsThatAreSkippedAreCountedAndTheFirstIsShown() throws IOException {
    Path trace =
        Files.writeString(folder.resolve("t.tsv"), row(0) + "junk\n" + row(1) + "more junk\n");
    String[] arguments = {
      "simulate",
      small(),
      "--set",
      "workload.trace={format: swim, skip-bad-rows: true, file: '" + trace + "'}",
      "--dry-run"
    };
    Ran ran = Ran.of(arguments);
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.err())
        .contains("2 bad rows of the trace are skipped, the first: " + trace + ":2: 'junk' has 1");
    assertThat(ran.err().strip().lines()).hasSize(1);
  }

  @Test
  void aTraceThatIsCutOffBinaryOrEmptyIsOneLine() throws IOException {
    String rows = row(0) + row(1) + row(2);
    byte[] packed =
        gzip(IntStream.range(0, 3000).mapToObj(job -> row(job)).collect(Collectors.joining()));
    Map<String, byte[]> files =
        Map.of(
            "t.tsv:3: ",
            rows.substring(0, rows.length() - 8).getBytes(StandardCharsets.UTF_8),
            "is not text",
            new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8},
            "is empty",
            new byte[0],
            "the file is cut off",
            Arrays.copyOf(packed, packed.length / 2));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path trace = Files.write(folder.resolve("t.tsv"), file.getValue());
      Ran ran =
          Ran.of(
              "simulate", small(), "--set", "workload.trace={format: swim, file: '" + trace + "'}");
      assertThat(ran.err()).contains(trace.toString(), file.getKey());
      assertThat(ran.err().strip().lines()).hasSize(1);
      assertThat(ran.exitCode()).isEqualTo(2);
    }
    Path whole = Files.write(folder.resolve("whole.tsv"), packed);
    Ran ran =
        Ran.of(
            "simulate",
            small(),
            "--dry-run",
            "--set",
            "workload.trace={format: swim, file: '" + whole + "'}");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out()).contains(" 3000 ");
  }

  /** A job of a SWIM trace. */
  private static String row(int job) {
    return "job" + job + "\t0\t0\t1000000\t0\t0\t/in/a\n";
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  @Test
  void theDecisionsOfTheFirstRunAreWrittenLineByLine() throws IOException {
    Path file = folder.resolve("decisions.jsonl");
    Ran ran = Ran.of("simulate", small(), "--seeds", "3", "--decisions", file.toString());

    assertThat(ran.exitCode()).as(ran.err()).isZero();
    ObjectMapper json = new ObjectMapper();
    int assigned = 0;
    for (String line : Files.readAllLines(file)) {
      JsonNode decision = json.readTree(line);
      assertThat(decision.path("policy").asText()).isNotBlank();
      assigned += decision.path("action").asText().equals("assign") ? 1 : 0;
    }
    assertThat(assigned).as("six writers and six readers, of one run").isEqualTo(12);
  }

  @Test
  void aFileOfDecisionsThatCannotBeWrittenIsNamedBeforeAnythingRuns() throws IOException {
    Ran ran = Ran.of("simulate", small(), "--decisions", folder.resolve("no/such/d").toString());

    assertThat(ran.exitCode()).isEqualTo(3);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains("--decisions").contains("no/such/d").contains("another file");
    assertThat(ran.err().strip().lines()).hasSize(1);
  }
}
