package io.tierwise.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.autotier.jobs.StagedInput;
import io.tierwise.hadoop.autotier.jobs.SubmittedJob;
import io.tierwise.history.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Spark application, submitted as its users do, is run in all configurations on a real HDFS and
 * YARN. Of what it did its event log tells.
 */
@Tag("long")
class ProfileSparkIT {
  @TempDir private static Path folder;
  private static ProfilingCluster cluster;
  private static SparkHome spark;

  private List<String> before;

  @BeforeAll
  static void start() throws Exception {
    spark = new SparkHome(Files.createDirectories(folder.resolve("spark")));
    cluster = new ProfilingCluster(folder);
  }

  @AfterAll
  static void end() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void remember() throws IOException {
    before = cluster.storesOnDisks();
  }

  /** Neither input nor event logs stay elsewhere. */
  @AfterEach
  void assertThatAllIsAsBefore() throws IOException {
    assertThat(cluster.stores()).isEqualTo(before);
    FileStatus[] home = cluster.fs().listStatus(cluster.fs().getHomeDirectory());
    assertThat(home).extracting(status -> status.getPath().getName()).containsOnly(".sparkStaging");
  }

  private static List<String> options(String... more) {
    List<String> words = cluster.options(ProfilingCluster.INPUT, more);
    words.addAll(List.of("--spark-conf", spark.conf().toString(), "--json", "--"));
    return words;
  }

  private static JsonNode json(CommandRun run, int exitCode) throws IOException {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
    return new ObjectMapper().readTree(run.out());
  }

  private static List<String> printed(CommandRun run, String pattern) {
    return Pattern.compile(pattern)
        .matcher(run.err())
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  @Test
  void runsInAllConfigurationsAndTakesItsFiguresFromEventLogs() throws Exception {
    List<String> words = options();
    words.addAll(spark.words(ProfilingCluster.INPUT, "/out/all/{run}", "end"));
    CommandRun run = ProfilingCluster.run(words);

    JsonNode report = json(run, 0);
    assertThat(report.path("doubts")).isEmpty();
    assertThat(report.path("added_runs").asInt()).isEqualTo(4);
    assertThat(report.path("choice").path("configuration").asInt()).isBetween(1, 4);
    for (JsonNode row : report.path("configurations")) {
      assertThat(row.path("phases").findValuesAsText("phase")).containsExactly("map", "reduce");
      JsonNode map = row.path("phases").get(0);
      JsonNode reduce = row.path("phases").get(1);
      assertThat(map.path("seconds").asDouble()).isPositive();
      assertThat(reduce.path("seconds").asDouble()).isPositive();
      assertThat(map.path("read_bytes").asLong())
          .isBetween(ProfilingCluster.INPUT_BYTES, 2 * ProfilingCluster.INPUT_BYTES);
      assertThat(map.path("spilled_bytes").asLong())
          .isPositive()
          .isEqualTo(reduce.path("shuffled_bytes").asLong());
      assertThat(reduce.path("written_bytes").asLong()).isPositive();
    }
    assertThat(printed(run, "input is on \\[([A-Z, ]*)]"))
        .containsExactly("DISK, DISK", "DISK, DISK", "SSD, SSD", "SSD, SSD");
    assertThat(tiersOf(printed(run, "intermediate data in (/\\S+)")))
        .containsExactly("disk", "ssd", "disk", "ssd");

    JsonNode shown =
        json(
            CommandRun.of(
                "profile", "show", "spark words", "--catalog", cluster.catalog(), "--json"),
            0);
    assertThat(shown.path("applications").get(0).path("configurations").findValuesAsText("seconds"))
        .hasSize(4)
        .doesNotContain("null");
  }

  /** The tier of each run: an executor has all directories of it, and no other. */
  private static List<String> tiersOf(List<String> folders) {
    List<String> tiers = new ArrayList<>();
    String application = "";
    for (String each : folders) {
      String of = each.replaceAll(".*(application_\\d+_\\d+).*", "$1");
      String tier = each.contains("-localDir-nm-0_0/") ? "ssd" : "disk";
      if (!of.equals(application)) {
        application = of;
        tiers.add(tier);
      }
      assertThat(tiers.get(tiers.size() - 1)).as(each).isEqualTo(tier);
    }
    return tiers;
  }

  /** Each of these four is submitted in another way. */
  @Test
  void whatCannotBeKnownIsSaidAndWhatIsKnownIsKept() throws Exception {
    List<String> words = options("--application", "odd");
    words.addAll(
        List.of(
            "sh",
            "-c",
            """
            case $2 in
              *config-1-1) set -- "$@" --deploy-mode cluster;;
              *config-4-1) set -- "$@" --conf spark.eventLog.enabled=false;;
              *config-3-1) set -- "$@" --master 'local[2]';;
              *config-2-1) set -- "$@" --conf spark.yarn.tags=mine;;
            esac
            submit=$0 input=$1 output=$2 jar=$3
            shift 3
            exec "$submit" "$@" --class SparkWords "$jar" "$input" "$output" end
            """));
    List<String> plain = spark.words(ProfilingCluster.INPUT, "/out/odd/{run}", "end");
    words.addAll(List.of(plain.get(0), plain.get(4), plain.get(5), plain.get(3)));
    JsonNode report = json(ProfilingCluster.run(words), 1);

    List<String> doubts = new ArrayList<>();
    report.path("doubts").forEach(doubt -> doubts.add(doubt.asText()));
    assertThat(doubts).hasSize(3);
    assertThat(doubts.get(0))
        .startsWith("config-4-1: application_")
        .contains("left no event log where it is looked for")
        .contains("spark.eventLog.enabled and spark.eventLog.dir");
    assertThat(doubts.get(1))
        .startsWith("config-3-1: where local-")
        .contains("spark.local.dir decides");
    assertThat(doubts.get(2)).startsWith("config-2-1: where application_").contains("{tag}");
    assertThat(report.path("added_runs").asInt()).isEqualTo(3);
    for (JsonNode row : report.path("configurations")) {
      boolean logged = row.path("configuration").asInt() != 4;
      assertThat(row.path("jobs").asInt()).isEqualTo(logged ? 1 : 0);
    }
  }

  /** While it waits on YARN, nothing else tells what it reads. */
  @Test
  void whatAnApplicationSaysThatItReadsIsInWhatItsClientStages() throws Exception {
    List<String> words = options("--application", "told");
    words.addAll(
        spark.words(
            ProfilingCluster.INPUT,
            "/out/told/{run}",
            "end",
            "--conf",
            "spark.tierwise.input=/data",
            "--conf",
            "spark.yarn.preserve.staging.files=true"));
    json(ProfilingCluster.run(words), 0);

    StagedInput staged = new StagedInput(cluster.fs().getUri(), cluster.fs().getConf());
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    FileStatus[] kept =
        cluster
            .fs()
            .listStatus(
                new org.apache.hadoop.fs.Path(cluster.fs().getHomeDirectory(), ".sparkStaging"));
    assertThat(kept).hasSize(4);
    for (FileStatus each : kept) {
      SubmittedJob job =
          new SubmittedJob(RunRecord.Engine.SPARK, each.getPath().getName(), user, "told", 0);
      assertThat(staged.of(job).files())
          .extracting(StagedInput.InputFile::path)
          .containsExactly(ProfilingCluster.INPUT);
      cluster.fs().delete(each.getPath(), true);
    }
  }

  @Test
  void anApplicationThatFailsEndsItAndIsInTheCatalog() throws Exception {
    List<String> words = options("--application", "failing spark");
    words.addAll(
        spark.words(
            ProfilingCluster.INPUT,
            "/out/failing/{run}",
            "fail",
            "--conf",
            "spark.task.maxFailures=1"));
    JsonNode report = json(ProfilingCluster.run(words), 1);

    assertThat(report.path("configurations")).hasSize(1);
    assertThat(report.path("configurations").get(0).path("failure").asText())
        .isEqualTo("exit code 1");
    JsonNode shown =
        json(
            CommandRun.of(
                "profile", "show", "failing spark", "--catalog", cluster.catalog(), "--json"),
            0);
    assertThat(
            shown
                .path("applications")
                .get(0)
                .path("configurations")
                .get(0)
                .path("failed_runs")
                .asInt())
        .isOne();
  }
}
