package io.tierwise.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.cli.TierwiseCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A MapReduce application in a process of its own is run in all configurations on a real HDFS and
 * YARN. Whatever becomes of it, each replica of its input is in its old tier afterwards: here, on
 * the only disk of its node.
 */
@Tag("long")
class ProfileRunIT {
  private static final long PATIENCE_SECONDS = 120;

  @TempDir private static Path folder;
  private static final List<Process> PROCESSES = new ArrayList<>();

  private static ProfilingCluster cluster;
  private List<String> before;

  @BeforeAll
  static void start() throws Exception {
    cluster = new ProfilingCluster(folder);
  }

  @AfterAll
  static void end() throws IOException {
    for (Process process : PROCESSES) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    cluster.close();
  }

  @BeforeEach
  void remember() throws IOException {
    before = cluster.storesOnDisks();
  }

  @AfterEach
  void assertThatTheInputIsBack() throws IOException {
    assertThat(cluster.stores()).isEqualTo(before);
    assertThat(cluster.fs().getStoragePolicy(ProfilingCluster.hadoop(ProfilingCluster.INPUT)))
        .hasToString(cluster.fs().getStoragePolicy(ProfilingCluster.hadoop("/")).toString());
    Path lock = cluster.journal().resolve("profile-run.lock");
    assertThat(Files.exists(lock) ? Files.readString(lock) : "").isEmpty();
  }

  private static JsonNode json(CommandRun run, int exitCode) throws IOException {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
    return new ObjectMapper().readTree(run.out());
  }

  private static void await(Callable<String> what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(what.call());
      }
      Thread.sleep(100);
    }
  }

  private static List<String> applications() throws Exception {
    List<String> ids = new ArrayList<>();
    for (ApplicationReport report : reports()) {
      ids.add(report.getApplicationId().toString());
    }
    return ids.stream().sorted().toList();
  }

  private static List<ApplicationReport> reports() throws Exception {
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(cluster.yarnConf());
      client.start();
      return client.getApplications();
    }
  }

  @Test
  void runsInAllConfigurationsAndSaysWhatEachBrings() throws Exception {
    List<String> earlier = applications();
    CommandRun run = ProfilingCluster.run(cluster.words("/out/all", "", "--json", "--times", "1"));

    JsonNode report = json(run, 0);
    JsonNode rows = report.path("configurations");
    assertThat(rows.findValuesAsText("configuration")).containsExactly("1", "2", "3", "4");
    assertThat(rows.findValuesAsText("input_tier")).containsExactly("disk", "ssd", "ssd", "disk");
    assertThat(rows.findValuesAsText("intermediate_tier"))
        .containsExactly("disk", "ssd", "disk", "ssd");
    for (JsonNode row : rows) {
      assertThat(row.path("seconds").get(0).asDouble()).isPositive();
      assertThat(row.path("phases").findValuesAsText("phase"))
          .containsExactly("map", "shuffle", "reduce");
      JsonNode map = row.path("phases").get(0);
      // A map reads its split's description from HDFS, too.
      assertThat(map.path("read_bytes").asLong())
          .isBetween(ProfilingCluster.INPUT_BYTES, ProfilingCluster.INPUT_BYTES + 1_000);
      assertThat(map.path("spilled_bytes").asLong()).isPositive();
    }
    assertThat(report.path("choice").path("configuration").asInt()).isBetween(1, 4);
    assertThat(report.path("added_runs").asInt()).isEqualTo(4);
    assertThat(report.path("doubts")).isEmpty();
    assertThat(inputPlaces(run))
        .containsExactly("DISK, DISK", "DISK, DISK", "SSD, SSD", "SSD, SSD");

    List<String> ran = new ArrayList<>(applications());
    ran.removeAll(earlier);
    // Config-1, -4, -3, -2: the input moves no more often than it has to.
    assertThat(cluster.spilledOn("ssd")).contains(ran.get(1), ran.get(3));
    assertThat(cluster.spilledOn("ssd")).doesNotContain(ran.get(0), ran.get(2));
    assertThat(cluster.spilledOn("disk")).contains(ran.get(0), ran.get(2));
    assertThat(cluster.spilledOn("disk")).doesNotContain(ran.get(1), ran.get(3));
    assertThatTheCatalogHasThem();
  }

  /** As the application saw them, from run to run. */
  private static List<String> inputPlaces(CommandRun run) {
    return Pattern.compile("input is on \\[([A-Z, ]*)]")
        .matcher(run.err())
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  private static void assertThatTheCatalogHasThem() throws IOException {
    CommandRun show =
        CommandRun.of(
            "profile", "show", "count of words", "--catalog", cluster.catalog(), "--json");
    JsonNode row = json(show, 0).path("applications").get(0);
    assertThat(row.path("configurations").findValuesAsText("configuration"))
        .containsExactly("1", "2", "3", "4");
    assertThat(row.path("configurations").findValuesAsText("seconds")).doesNotContain("null");
    assertThat(row.path("runs").asInt()).as("without the fast tier").isPositive();
  }

  @Test
  void anApplicationThatFailsEndsItAndNothingIsChosen() throws Exception {
    CommandRun run =
        ProfilingCluster.run(
            cluster.words("/out/failing", "*config-3-*) echo fail;;", "--application", "failing"));

    assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
    assertThat(run.unfolded())
        .contains("Config-1", "Config-4", "Config-3 failed (exit code 7)", "3 runs added")
        .doesNotContain("Config-2", "DUX would choose");
    JsonNode row =
        json(
                CommandRun.of(
                    "profile", "show", "failing", "--catalog", cluster.catalog(), "--json"),
                0)
            .path("applications")
            .get(0);
    assertThat(row.path("configurations").get(1).path("failed_runs").asInt()).isOne();
  }

  @Test
  void afterAKillTheNextRunPutsTheInputBackFirst() throws Exception {
    Process killed = hanging("killed");
    assertThat(cluster.types()).containsOnly(StorageType.SSD);
    killed.destroyForcibly().waitFor();
    killAll();
    assertThat(ownFolders()).as("copies of two configurations, and event logs").hasSize(3);

    CommandRun plan = ProfilingCluster.run(cluster.words("/out/none", "", "--dry-run"));
    assertThat(plan.exitCode()).as(plan.err()).isZero();
    assertThat(plan.unfolded()).contains("a run that was killed left input elsewhere");
    assertThat(ownFolders()).as("a dry run deletes nothing").hasSize(3);
    assertThat(cluster.types()).as("a dry run changes nothing").containsOnly(StorageType.SSD);

    List<String> words = cluster.options(ProfilingCluster.INPUT);
    words.addAll(List.of("--", "true"));
    CommandRun next = ProfilingCluster.run(words);
    assertThat(next.err().lines().toList().get(0))
        .contains("a profile run was killed and left its input elsewhere: it is put back first");
    assertThat(next.err().lines().filter(line -> line.endsWith("it is deleted"))).hasSize(3);
    assertThat(ownFolders()).isEmpty();
    // It ran nothing on YARN, and says that it knows no bytes.
    assertThat(next.exitCode()).isEqualTo(1);
    assertThat(next.err()).contains("config-3-1: nothing that it ran on YARN bears its tag");
  }

  /** Folders that a profiling in a process of its own made for itself. */
  private static List<String> ownFolders() throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> here = Files.list(temporary())) {
      here.map(path -> path.getFileName().toString())
          .filter(name -> name.startsWith("tierwise-profile-"))
          .forEach(found::add);
    }
    org.apache.hadoop.fs.Path home = cluster.fs().getHomeDirectory();
    if (cluster.fs().exists(home)) {
      for (FileStatus each : cluster.fs().listStatus(home)) {
        if (each.getPath().getName().startsWith(".tierwise-profile-")) {
          found.add(each.getPath().getName());
        }
      }
    }
    return found;
  }

  private static Path temporary() throws IOException {
    return Files.createDirectories(folder.resolve("temporary"));
  }

  @Test
  void whoeverIsStoppedEndsItsJobAndPutsTheInputBack() throws Exception {
    Process stopped = hanging("stopped");
    stopped.destroy();
    assertThat(stopped.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    await(
        () -> "its job is killed",
        () ->
            reports().stream()
                .allMatch(each -> each.getYarnApplicationState() != YarnApplicationState.RUNNING));
  }

  /**
   * A profiling in a process of its own whose first run hangs in a map. Its input has moved: here
   * the SSD is called slow.
   */
  private Process hanging(String name) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-Djava.io.tmpdir=" + temporary()));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(TierwiseCommand.class.getName());
    command.addAll(
        cluster.words(
            "/out/" + name,
            "*) echo hang;;",
            "--fast-tier",
            "disk",
            "--slow-tier",
            "ssd",
            // Nothing of Spark runs, but its event logs are prepared.
            "--spark-conf",
            Files.createDirectories(folder.resolve("spark")).toString()));
    Path log = folder.resolve(name + ".log");
    List<String> earlier = applications();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    PROCESSES.add(process);
    await(
        () -> "its job runs: " + Files.readString(log),
        () ->
            reports().stream()
                .filter(each -> !earlier.contains(each.getApplicationId().toString()))
                .anyMatch(each -> each.getYarnApplicationState() == YarnApplicationState.RUNNING));
    return process;
  }

  private static void killAll() throws Exception {
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(cluster.yarnConf());
      client.start();
      for (ApplicationReport report : client.getApplications()) {
        client.killApplication(report.getApplicationId());
      }
    }
  }

  @Test
  void whatCannotBeIsRefusedInALineBeforeAnythingMoves() throws Exception {
    assertRefused(2, "no such path: /data/gone", cluster.options("/data/gone"));
    assertRefused(2, "--fast-tier: ", options("--fast-tier", "nvme"));
    assertRefused(2, "both disk", options("--fast-tier", "disk"));
    assertRefused(
        3,
        "knows no local directories of tape: set tierwise.nodemanager.local-dirs.tape",
        options("--fast-tier", "tape"));
    assertRefused(3, "not all of --input can be in ssd", options("--keep-free", "99.9999"));
    assertRefused(2, "--times 0 is too little", options("--times", "0"));
  }

  private static List<String> options(String... options) {
    return cluster.options(ProfilingCluster.INPUT, options);
  }

  private static void assertRefused(int exitCode, String message, List<String> options) {
    List<String> words = new ArrayList<>(options);
    words.addAll(List.of("--", "false"));
    CommandRun run = ProfilingCluster.run(words);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
    assertThat(run.err()).contains(message).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aDryRunSaysWhatWouldMoveAndRun() throws Exception {
    JsonNode plan =
        json(ProfilingCluster.run(cluster.words("/out/dry", "", "--dry-run", "--json")), 0);

    assertThat(plan.path("files").asInt()).isOne();
    assertThat(plan.path("input_bytes").asLong()).isEqualTo(ProfilingCluster.INPUT_BYTES);
    assertThat(plan.path("moves").findValuesAsText("replicas")).containsExactly("0", "2");
    assertThat(plan.path("configurations").findValuesAsText("configuration"))
        .containsExactly("1", "2", "3", "4");
    assertThat(plan.path("configurations").get(2).path("command").toString())
        .contains("/out/dry/config-3-1");
  }
}
