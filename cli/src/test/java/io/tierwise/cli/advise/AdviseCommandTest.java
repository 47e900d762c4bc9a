package io.tierwise.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdviseCommandTest {
  private static final Path SAMPLE =
      Path.of(System.getProperty("tierwise.root"), "examples/advise");
  private static final String LOG = SAMPLE.resolve("hdfs-audit.log.gz").toString();
  private static final String IMAGE = SAMPLE.resolve("fsimage").toString();
  private static final String TRACES = SAMPLE.resolve("datanode.log.gz").toString();
  private static final String HISTORY = SAMPLE.resolve("history").toString();
  private static final String CONF = SAMPLE.resolve("conf").toString();

  @TempDir private Path folder;

  private static CommandRun advise(String log, String image, String... more) {
    List<String> words = new ArrayList<>(List.of("advise", "--audit-log", log));
    words.addAll(List.of("--fsimage", image));
    words.addAll(List.of(more));
    return CommandRun.of(words.toArray(String[]::new));
  }

  @Test
  void tablesFitATerminalAndHoldNoControlCharacter() {
    CommandRun run = advise(LOG, IMAGE, "--count", "400");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines().filter(line -> line.length() > 80)).isEmpty();
    assertThat(run.out())
        .containsSubsequence("hot ", "warm ", "cold ", "ssd", "disk", "archive", "misplaced")
        .containsSubsequence("hottest files", "hottest directories", "/warehouse/shop.db/customers")
        .doesNotContain("\t");
  }

  @Test
  void theAnswerIsWhatItsSchemaSays() throws IOException {
    CommandRun run = advise(LOG, IMAGE, "--json", "--count", "400");

    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode advice = new ObjectMapper().readTree(run.out());
    assertThat(advice.path("heats").findValuesAsText("heat"))
        .containsExactly("hot", "warm", "cold");
    assertThat(advice.path("hottest_files").findValuesAsText("path"))
        .contains("/user/eve/<img src=x onerror=alert(1)>\t\n&amp;\"'.csv");
  }

  @Test
  void thePageShowsHostileNamesAndReadsNoneAsMarkup() throws IOException {
    Path page = folder.resolve("page.html");
    CommandRun run = advise(LOG, IMAGE, "--count", "400", "--html", page.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("written to " + page);
    assertThat(Files.readString(page))
        .contains("/user/eve/&lt;img src=x onerror=alert(1)&gt;??&amp;amp;&quot;&#39;.csv")
        .doesNotContain("<img", "<script");
    assertThat(advise(LOG, IMAGE, "--html", folder.toString()).exitCode()).isEqualTo(3);
  }

  @Test
  void thePageReplacesNoFileThatIsAskedAbout() throws IOException {
    String log = Files.copy(Path.of(LOG), folder.resolve("log.gz")).toString();
    String image = Files.copy(Path.of(IMAGE), folder.resolve("fsimage")).toString();
    String traces = Files.copy(Path.of(TRACES), folder.resolve("traces.gz")).toString();
    Path cluster = Files.copy(SAMPLE.resolve("cluster.yaml"), folder.resolve("cluster.yaml"));
    for (String page : new String[] {log, image, traces, cluster.toString()}) {
      byte[] before = Files.readAllBytes(Path.of(page));
      CommandRun run =
          advise(
              log,
              image,
              "--client-traces",
              traces,
              "--cluster",
              cluster.toString(),
              "--html",
              page);
      assertThat(run.err()).contains("--html " + page + " is what --").contains("another file");
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(Path.of(page)).hasBinaryContent(before);
    }
  }

  @Test
  void aClusterThatCannotBeReadIsNamedWithItsOption() throws IOException {
    Path empty = Files.createFile(folder.resolve("empty.yaml"));
    for (String cluster :
        new String[] {empty.toString(), folder.toString(), folder.resolve("none").toString()}) {
      CommandRun run = advise(LOG, IMAGE, "--cluster", cluster);
      assertThat(run.err()).startsWith("tierwise advise: --cluster " + cluster + ": ");
      assertThat(run.err().lines()).as(run.err()).hasSize(1);
      assertThat(run.exitCode()).isEqualTo(2);
    }
  }

  @Test
  void jobsOfAHistoryAreFoundInTheLogAndReplayed() throws IOException {
    Path page = folder.resolve("page.html");
    CommandRun run =
        advise(
            LOG,
            IMAGE,
            "--json",
            "--history",
            HISTORY,
            "--conf",
            CONF,
            "--cluster",
            SAMPLE.resolve("cluster.yaml").toString(),
            "--html",
            page.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode advice = new ObjectMapper().readTree(run.out());
    JsonNode jobs = advice.path("jobs").path("rows");
    assertThat(jobs).hasSize(85);
    assertThat(jobs.findValuesAsText("found"))
        .containsOnly("reads", "no_input_named", "outside_the_log");
    assertThat(advice.path("replay").path("site").path("nodes_by_rack").path("/rack2").asInt())
        .isEqualTo(10);
    JsonNode gains = advice.path("replay").path("jobs");
    assertThat(gains.path("jobs").asInt()).isBetween(10, 85);
    assertThat(gains.path("policies").findValuesAsText("policy"))
        .contains("hot set", "Scarlett", "AptStore", "oracle");
    assertThat(gains.path("gains").get(0).path("application").asText()).isEqualTo("customers join");
    assertThat(Files.readString(page))
        .contains(
            "Jobs of the history", "What the jobs of the history would gain", "customers join")
        .doesNotContain("<img", "<script");
  }

  @Test
  void whatIsWrongWithAHistoryOrAConfigurationIsNamedInALine() throws IOException {
    String absent = folder.resolve("absent").toString();
    Path empty = Files.createDirectory(folder.resolve("nothing"));
    // These are told before a log is read.
    assertBad(advise(absent, IMAGE, "--history", absent), "--history " + absent + " is not there");
    assertBad(
        advise(absent, IMAGE, "--history", empty.toString()), "no job that ended: it is empty");
    assertBad(advise(absent, IMAGE, "--conf", empty.toString()), "has none of core-site.xml");
    Path old = Files.writeString(empty.resolve("job_1.jhist"), "Meta VERSION=\"1\" .\n");
    assertBad(advise(absent, IMAGE, "--history", empty.toString()), old + ": does not begin as");
    byte[] whole = Files.readAllBytes(SAMPLE.resolve("history/job_1773500000000_0005.jhist.gz"));
    Files.write(old, Arrays.copyOf(whole, whole.length / 2));
    assertBad(advise(absent, IMAGE, "--history", empty.toString()), "the file is cut off");

    Path conf = Files.createDirectory(folder.resolve("conf"));
    Files.writeString(conf.resolve("core-site.xml"), "<configuration></configuration>");
    CommandRun run = advise(LOG, IMAGE, "--conf", conf.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("--conf " + conf + " names no nodes");
  }

  @Test
  void clientTracesSayWhatWasReadAndWhatTheyCannot() throws IOException {
    CommandRun run = advise(LOG, IMAGE, "--json", "--count", "400", "--client-traces", TRACES);

    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode advice = new ObjectMapper().readTree(run.out());
    JsonNode traces = advice.path("traces");
    assertThat(traces.path("lines").path("corrupt").asInt()).isZero();
    assertThat(traces.path("data_nodes").asInt()).isEqualTo(20);
    assertThat(traces.path("unmapped_blocks").asInt()).isZero();
    // The model is read short-circuit.
    assertThat(traces.path("short_circuit_files").asInt()).isEqualTo(1);
    assertThat(traces.path("estimated").path("files").asInt()).isEqualTo(1);
    assertThat(traces.path("other_time_reads").asLong()).isPositive();
    String text = advise(LOG, IMAGE, "--client-traces", TRACES, "--count", "400").out();
    assertThat(text).contains("by client traces", "no trace of it");
    assertThat(text.lines().filter(line -> line.length() > 80)).isEmpty();
    assertBad(advise(LOG, IMAGE, "--block-pool", "BP-1"), "give --client-traces");
    assertBad(advise(LOG, IMAGE, "--client-traces", LOG), "DataNode.clienttrace is at DEBUG");
    assertBad(advise(LOG, IMAGE, "--client-traces", TRACES, TRACES), "given twice");
  }

  @Test
  void saysWhyThereIsNoForecast() throws IOException {
    Path page = folder.resolve("short.html");
    CommandRun run =
        advise(LOG, IMAGE, "--since", "2026-03-22T22:00:00Z", "--html", page.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.unfolded()).contains("No predictors are ranked: of the log's last reads");
    assertThat(Files.readString(page)).contains("No predictors are ranked");
  }

  @Test
  void badInputIsNamedInALine() throws IOException {
    String absent = folder.resolve("absent").toString();
    assertBad(advise(absent, IMAGE), absent + " is not there");
    assertBad(advise(LOG, absent), absent + " is not there");
    assertBad(advise(LOG, LOG), LOG + " is packed with gzip");
    assertBad(advise(IMAGE, IMAGE), "no line of an HDFS audit log");
    assertBad(advise(LOG, IMAGE, "--hot", "0"), "--hot 0.0");
    assertBad(advise(LOG, IMAGE, "--count", "0"), "--count 0 is too little");
    assertBad(advise(LOG, IMAGE, "--conf", absent), "--conf " + absent + " is no directory");
    assertBad(advise(LOG, IMAGE, "--since", "2027-01-01"), "none that opens a file");
    // These are told before a log is read.
    assertBad(advise(absent, IMAGE, "--cluster", "osu-x"), "osu-x");
    assertBad(advise(absent, IMAGE, "--cluster", oneTier()), "has one tier");
    Path page = folder.resolve("absent/page.html");
    CommandRun unwritable = advise(absent, IMAGE, "--html", page.toString());
    assertThat(unwritable.exitCode()).isEqualTo(3);
    assertThat(unwritable.err()).contains("--html " + page + " cannot be written").hasLineCount(1);
    String empty = Files.writeString(folder.resolve("empty.log"), "").toString();
    assertBad(advise(empty, IMAGE), "the audit log is empty");
  }

  /** The script runs a Java that says what it was given. */
  @Test
  void theScriptGivesItMemoryAndTheWholeCompiler() throws IOException, InterruptedException {
    Path root = Path.of(System.getProperty("tierwise.root"));
    Path script = Files.createDirectories(folder.resolve("bin")).resolve("tierwise");
    Files.copy(root.resolve("bin/tierwise"), script);
    Files.createFile(Files.createDirectories(folder.resolve("lib")).resolve("tierwise-cli-1.jar"));
    Path java = Files.createDirectories(folder.resolve("java/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    ProcessBuilder shell = new ProcessBuilder("bash", script.toString(), "advise", "--help");
    shell.environment().put("JAVA_HOME", folder.resolve("java").toString());
    shell.environment().keySet().removeAll(List.of("HADOOP_CONF_DIR", "TIERWISE_POLICIES"));
    Process process = shell.redirectErrorStream(true).start();
    String given = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(given).isZero();
    assertThat(given).contains(" -Xmx4g ", " advise --help").doesNotContain("TieredStopAtLevel");
  }

  private String oneTier() throws IOException {
    return cluster("{device: hdd, capacity: 10 GB}");
  }

  private String cluster(String volumes) throws IOException {
    String scenario =
        """
        cluster: {racks: [{nodes: [{kind: worker, count: 4}]}]}
        nodes: {worker: {volumes: [VOLUMES]}}
        workload: {dfsio: {tasks: 1}}
        """;
    return Files.writeString(folder.resolve("cluster.yaml"), scenario.replace("VOLUMES", volumes))
        .toString();
  }

  @Test
  void aReplayThatFailsLeavesTheAdvice() throws IOException {
    String small =
        cluster(
            "{device: sata-ssd, capacity: 1 GB, temporary: false}, {device: hdd, capacity: 10 GB}");
    CommandRun run = advise(LOG, IMAGE, "--cluster", small);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("name a larger --cluster").hasLineCount(1);
    assertThat(run.out()).contains("hottest directories", "predictor");
  }

  private static void assertBad(CommandRun run, String text) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(text).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }
}
