package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.Control;
import io.tierwise.hadoop.autotier.Prefetching;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.history.Phase;
import io.tierwise.history.RunRecord;
import io.tierwise.profiles.RunCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The daemon beside real MapReduce jobs that a real ResourceManager has accepted, and for which it
 * has no node yet.
 */
@Tag("long")
class PrefetchIT {
  private static final StorageType[] BOTH = {StorageType.SSD, StorageType.DISK};
  private static final String STAGING = "/staging";
  private static final String CONTROL = "/control";
  private static final long INTERMEDIATE_BYTES = 80_000;

  /** For the input and the intermediate data of one job. */
  private static final long REGION_BYTES = 250_000;

  private static final String TIERS =
      """
      tiers:
        - name: ssd
          match: {storage-type: SSD}
          class: {name: s, read-megabytes-per-second: 500, write-megabytes-per-second: 400}
        - name: disk
          match: {storage-type: DISK}
          class: {name: d, read-megabytes-per-second: 1, write-megabytes-per-second: 1}
      """;

  @TempDir private static Path shared;
  private static AuditedHdfs hdfs;
  private static MiniYARNCluster yarn;
  private static Configuration conf;
  private static int tests;

  @TempDir private Path folder;
  private final List<Job> jobs = new ArrayList<>();
  private String below;

  @BeforeAll
  static void start() throws IOException {
    hdfs = new AuditedHdfs(shared, new HdfsConfiguration(), BOTH, BOTH);
    YarnConfiguration settings = new YarnConfiguration();
    settings.set("fs.defaultFS", hdfs.fs().getUri().toString());
    settings.set("mapreduce.framework.name", "yarn");
    settings.set("yarn.app.mapreduce.am.staging-dir", STAGING);
    settings.set(
        "tierwise.tiers.file", Files.writeString(shared.resolve("tiers"), TIERS).toString());
    settings.set(Control.DIRECTORY_KEY, CONTROL);
    yarn = new MiniYARNCluster("waiting", 0, 1, 1);
    yarn.init(settings);
    yarn.start();
    conf = yarn.getConfig();
    try (RunCatalog catalog = RunCatalog.openOrMake(catalog())) {
      catalog.add(List.of(run()));
    }
  }

  @AfterAll
  static void end() {
    yarn.stop();
    hdfs.close();
  }

  private static String catalog() {
    return shared.resolve("runs.db").toString();
  }

  /** A map that read a tenth of a second, wrote nearly as long, and took a second. */
  private static RunCatalog.NamedRun run() {
    Phase map =
        new Phase(
            "map", 1, 0, 1_000, 1_000, 5, AuditedHdfs.BYTES, 0, INTERMEDIATE_BYTES, 0, Map.of());
    RunRecord run =
        new RunRecord(
            RunRecord.Engine.MAPREDUCE, "job_1", "count", 0, 0, 1_000, true, List.of(map));
    return new RunCatalog.NamedRun(run, "count");
  }

  @BeforeEach
  void directory() {
    below = "/data" + tests++;
  }

  @AfterEach
  void killJobs() throws Exception {
    for (Job job : jobs) {
      kill(job);
    }
    jobs.clear();
  }

  /** MapReduce's own client would look for the job's history, which there is none of. */
  private static void kill(Job job) throws Exception {
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(conf);
      client.start();
      client.killApplication(ApplicationId.fromString(application(job)));
    }
  }

  private DaemonThread daemon(MoverSettings moving) throws IOException {
    return new DaemonThread(
        hdfs, conf, settings(moving), shared.resolve("hdfs-audit.log"), folder.resolve("journal"));
  }

  private AutotierSettings settings(MoverSettings moving) {
    return new AutotierSettings(
        "ppa",
        TimeUnit.DAYS.toMillis(1),
        20,
        1,
        0,
        List.of(below),
        1_000,
        Optional.empty(),
        1_000,
        Optional.of("ssd"),
        Optional.of(new Prefetching(catalog(), REGION_BYTES)),
        moving);
  }

  /** Submits a job that waits, which reads these files. */
  private Job submit(String name, String... paths) throws Exception {
    Job job = Job.getInstance(conf, name);
    for (String path : paths) {
      FileInputFormat.addInputPath(job, AuditedHdfs.hadoop(path));
    }
    job.setOutputFormatClass(NullOutputFormat.class);
    job.submit();
    jobs.add(job);
    return job;
  }

  private static String application(Job job) {
    return job.getJobID().toString().replace("job_", "application_");
  }

  private String input(String name) throws IOException {
    String path = below + "/" + name;
    hdfs.write(path, 1);
    return path;
  }

  private static boolean isOnSsd(String path) throws IOException {
    return hdfs.fs().getClient().getLocatedBlocks(path, 0).get(0).getStorageTypes()[0]
        == StorageType.SSD;
  }

  private static Path told(Job job) {
    return Path.of(CONTROL, "intermediate", application(job));
  }

  private static String tier(Job job) throws IOException {
    try (var in = hdfs.fs().open(AuditedHdfs.hadoop(told(job).toString()))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static boolean isTold(Job job) throws IOException {
    return hdfs.fs().exists(AuditedHdfs.hadoop(told(job).toString()));
  }

  private CommandRun command(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of("autotier"));
    all.addAll(List.of(words));
    all.addAll(
        List.of(
            "--fs", hdfs.fs().getUri().toString(), "-D", Control.DIRECTORY_KEY + "=" + CONTROL));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private String plan(String... more) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "plan",
                "--audit-log",
                shared.resolve("hdfs-audit.log").toString(),
                "--zone",
                ZoneId.systemDefault().getId(),
                "--below",
                below,
                "--fast-tier",
                "ssd",
                "--prefetch",
                Long.toString(REGION_BYTES),
                "--catalog",
                catalog(),
                "-D",
                "tierwise.mover.journal.directory=" + folder.resolve("journal")));
    for (String key :
        List.of(
            "tierwise.tiers.file",
            "yarn.app.mapreduce.am.staging-dir",
            YarnConfiguration.RM_ADDRESS)) {
      words.addAll(List.of("-D", key + "=" + conf.get(key)));
    }
    words.addAll(List.of(more));
    CommandRun run = command(words.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.unfolded();
  }

  @Test
  void whatAWaitingJobReadsComesAndLeavesForTheNextJobWhenItsJobWasKilled() throws Exception {
    String one = input("one");
    String two = input("two");
    hdfs.read(one, 1);
    Job first = submit("count", one);

    assertThat(plan())
        .contains("job count (" + application(first))
        .contains("are prefetched for")
        .contains("between phases go to ssd")
        .contains("prefetches: 1 file to ssd: would move 1 replica");
    assertThat(isOnSsd(one)).as("a plan changes nothing").isFalse();

    try (DaemonThread daemon = daemon(MoverSettings.DEFAULT)) {
      await("its input comes", () -> isOnSsd(one));
      await("NodeManagers are told", () -> isTold(first));
      assertThat(tier(first)).isEqualTo("ssd");
      assertThat(hdfs.fs().getStoragePolicy(AuditedHdfs.hadoop(one)).getName())
          .isEqualTo("ONE_SSD");
      await(
          "the daemon tells of it",
          () -> command("status").unfolded().contains("input of 1 job of 1 was prefetched"));

      kill(first);
      await("NodeManagers are told nothing of it", () -> !isTold(first));
      assertThat(isOnSsd(one)).as("nothing needs its room").isTrue();
      Job second = submit("count", two);
      await("the next job's input comes", () -> isOnSsd(two));
      assertThat(isOnSsd(one)).isFalse();
      assertThat(hdfs.fs().getStoragePolicy(AuditedHdfs.hadoop(one)).getName()).isEqualTo("HOT");
      daemon.awaitSaid("makes room: 1 file to disk");
      assertThat(tier(second)).isEqualTo("ssd");
    }
    Journal journal = new Journal(folder.resolve("journal"));
    assertThat(journal.runs()).hasSize(3);
  }

  @Test
  void aDaemonThatBeginsAgainKnowsWhatTheOneBeforePrefetched() throws Exception {
    String one = input("one");
    String two = input("two");
    hdfs.read(one, 1);
    Job first = submit("count", one);
    try (DaemonThread daemon = daemon(MoverSettings.DEFAULT)) {
      await("its input comes", () -> isOnSsd(one));
      daemon.awaitSaid("prefetches: 1 file");
    }
    kill(first);

    try (DaemonThread daemon = daemon(MoverSettings.DEFAULT)) {
      await("what was told of it goes", () -> !isTold(first));
      submit("count", two);
      await("the next job's input comes", () -> isOnSsd(two));
      assertThat(isOnSsd(one)).isFalse();
      daemon.awaitSaid("makes room: 1 file to disk");
    }
  }

  @Test
  void whilePausedNothingComesAndAfterwardsItDoes() throws Exception {
    String one = input("one");
    hdfs.read(one, 1);
    assertThat(command("pause").exitCode()).isZero();
    try (DaemonThread daemon = daemon(MoverSettings.DEFAULT)) {
      submit("count", one);
      await("it is paused", () -> command("status").unfolded().startsWith("paused"));
      assertThat(isOnSsd(one)).isFalse();
      assertThat(command("resume").exitCode()).isZero();
      await("its input comes", () -> isOnSsd(one));
      daemon.awaitSaid("prefetches: 1 file");
    } finally {
      assertThat(command("resume").exitCode()).isZero();
    }
  }

  @Test
  void jobsOfWhichNothingIsKnownAreLeftWithAReason() throws Exception {
    String gone = input("gone");
    String stays = input("stays");
    hdfs.read(stays, 1);
    submit("count", gone);
    submit("nobody ran it", stays);
    hdfs.fs().delete(AuditedHdfs.hadoop(gone), false);

    assertThat(plan())
        .contains("stays as it is: none of the files that it would read is there for its user")
        .contains("stays as it is: no run of \"nobody ran it\" is in the catalog");
    submit("count", stays);
    assertThat(plan("--keep-free", "99.9999")).contains("the temporary region has no room");
    assertThat(new ObjectMapper().readTree(planJson()).path("jobs")).hasSize(3);
  }

  private String planJson() throws IOException {
    return plan("--json");
  }

  @Test
  void aResourceManagerThatIsDownIsToldOnceAndWaitedFor() throws Exception {
    String one = input("one");
    hdfs.read(one, 1);
    yarn.stopResourceManager(0);
    try (DaemonThread daemon = daemon(MoverSettings.DEFAULT)) {
      daemon.awaitSaid("the ResourceManager does not answer");
      await(
          "it is told",
          () -> command("status").unfolded().contains("the ResourceManager does not"));
      yarn.restartResourceManager(0);
      submit("count", one);
      await("its input comes", () -> isOnSsd(one));
      assertThat(daemon.said())
          .filteredOn(line -> line.contains("the ResourceManager does not answer"))
          .hasSize(1);
    }
  }
}
