package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.autotier.jobs.JobList;
import io.tierwise.hadoop.autotier.jobs.StagedJobs;
import io.tierwise.hadoop.autotier.jobs.SubmittedJob;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.history.Phase;
import io.tierwise.history.RunRecord;
import io.tierwise.profiles.RunCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is counted of the temporary region, beside what a real HDFS has there. */
class JobPlannerIT {
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

  private static final long BYTES = TwoTierHdfs.FILE_BYTES;
  private static final double NOW = 1_000_000;

  @TempDir private Path folder;
  private TwoTierHdfs hdfs;
  private Journal journal;
  private LastChanges lastChanges;
  private JobPlanner planner;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set("tierwise.tiers.file", Files.writeString(folder.resolve("tiers"), TIERS).toString());
    conf.set("yarn.app.mapreduce.am.staging-dir", StagedJobs.STAGING);
    hdfs = TwoTierHdfs.start(conf, folder);
    journal = new Journal(folder.resolve("journal"));
    Phase map = new Phase("map", 1, 0, 1_000, 1_000, 5, BYTES, 0, 0, 0, Map.of());
    RunRecord run =
        new RunRecord(
            RunRecord.Engine.MAPREDUCE, "job_1", "count", 0, 0, 1_000, true, List.of(map));
    try (RunCatalog catalog = RunCatalog.openOrMake(catalog())) {
      catalog.add(List.of(new RunCatalog.NamedRun(run, "count")));
    }
    begin();
  }

  @AfterEach
  void stop() {
    hdfs.close();
  }

  private String catalog() {
    return folder.resolve("runs.db").toString();
  }

  /** A daemon begins, or begins again, with room for the input of two files and a half. */
  private void begin() throws IOException {
    AutotierSettings settings =
        new AutotierSettings(
            "ppa",
            TimeUnit.DAYS.toMillis(1),
            20,
            1,
            0,
            List.of("/data"),
            1_000,
            Optional.empty(),
            1_000,
            Optional.of("ssd"),
            Optional.of(new Prefetching(catalog(), 5 * BYTES / 2, 0)),
            MoverSettings.DEFAULT);
    lastChanges = LastChanges.of(journal, hdfs.fs().getUri().toString());
    FastTierMoves moves =
        new FastTierMoves(
            hdfs.cluster(),
            MoverSettings.DEFAULT,
            hdfs.cluster().tiers().table().require("ssd"),
            Hardware.disk(hdfs.cluster().tiers()));
    planner = JobPlanner.of(hdfs.cluster(), settings, moves, lastChanges);
  }

  private static String id(int job) {
    return "1700000000000_000" + job;
  }

  private static SubmittedJob job(int number) throws IOException {
    return new SubmittedJob(
        "application_" + id(number),
        UserGroupInformation.getCurrentUser().getShortUserName(),
        "count",
        0);
  }

  private static JobList waiting(int number) throws IOException {
    SubmittedJob job = job(number);
    return new JobList(Map.of(job.application(), job), Map.of(), 60);
  }

  private JobPlan plan(int number) throws IOException {
    return planner.plan(job(number), waiting(number), NOW + 1_000 * number);
  }

  private void stage(int number, String... paths) throws Exception {
    for (String path : paths) {
      if (!hdfs.fs().exists(new org.apache.hadoop.fs.Path(path))) {
        hdfs.write(path);
      }
    }
    StagedJobs.stage(hdfs.fs(), UserGroupInformation.getCurrentUser(), id(number), paths);
  }

  private long fileId(String path) throws IOException {
    return hdfs.fs().getClient().getFileInfo(path).getFileId();
  }

  private StorageType type(String path) throws IOException {
    LocatedBlock block = hdfs.fs().getClient().getLocatedBlocks(path, 0).get(0);
    return block.getStorageTypes()[0];
  }

  /** As the loop does it. */
  private void make(List<RoundPlan.TierMove> moves) throws IOException {
    List<String> before = journal.runs();
    for (RoundPlan.TierMove move : moves) {
      new JobRun(
              hdfs.cluster(),
              MoverSettings.DEFAULT,
              TierMoves.job(hdfs.cluster(), move.layout(), move.fileIds(), move.storagePolicies()))
          .run(
              move.moves(),
              () ->
                  journal.begin(
                      ReplicaMark.COMMAND,
                      hdfs.fs(),
                      move.paths(),
                      move.layout() + " by " + move.by(),
                      null),
              Listener.SILENT);
    }
    journal.runs().stream()
        .filter(run -> !before.contains(run))
        .forEach(run -> lastChanges.add(PastRun.read(journal, run)));
  }

  private void prefetch(int number) throws IOException {
    JobPlan plan = plan(number);
    assertThat(plan.prefetchedBytes()).as(plan.reason()).isPositive();
    make(plan.leaving());
    make(plan.coming());
    planner.settle();
  }

  private void over() {
    planner.jobs().over(new JobList(Map.of(), Map.of(), 60));
  }

  @Test
  void aDaemonThatBeginsAgainCountsWhatAJobStillNeeds() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);

    begin();
    assertThat(plan(1).prefetchedBytes()).isZero();
    stage(2, "/data/c");

    assertThat(plan(2).reason()).isEqualTo("the temporary region has no room");
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  @Test
  void theInputOfAJobThatRanBeforeTheDaemonBeganDoesNotLeave() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    begin();
    planner.learn(job(1), NOW);
    stage(2, "/data/c");

    assertThat(plan(2).reason()).isEqualTo("the temporary region has no room");

    over();
    JobPlan again = plan(2);
    assertThat(again.leaving()).isNotEmpty();
    make(again.leaving());
    assertThat(List.of(type("/data/a"), type("/data/b"))).contains(StorageType.DISK);
  }

  @Test
  void oneOfSeveralFilesStaysForAnotherJobThatReadsIt() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    stage(2, "/data/b", "/data/c");
    assertThat(plan(2).reason()).isEqualTo("the temporary region has no room");
    over();
    prefetch(2);

    assertThat(type("/data/a")).isEqualTo(StorageType.DISK);
    assertThat(List.of(type("/data/b"), type("/data/c"))).containsOnly(StorageType.SSD);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  @Test
  void aFileThatWasRenamedSinceLeavesAllTheSame() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    over();
    for (String file : List.of("a", "b")) {
      hdfs.fs()
          .rename(
              new org.apache.hadoop.fs.Path("/data/" + file),
              new org.apache.hadoop.fs.Path("/data/done\n" + file));
    }
    stage(2, "/data/c", "/data/d");
    prefetch(2);

    assertThat(type("/data/done\na")).isEqualTo(StorageType.DISK);
    assertThat(type("/data/done\nb")).isEqualTo(StorageType.DISK);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  @Test
  void aFileThatWasDeletedIsCountedNoMore() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    over();
    hdfs.delete("/data/a");
    stage(2, "/data/c");
    JobPlan plan = plan(2);

    assertThat(plan.leaving()).isEmpty();
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  @Test
  void whatCouldNotLeaveIsCountedAndLeavesLater() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    over();
    stage(2, "/data/c", "/data/d");
    assertThat(plan(2).leaving()).isNotEmpty();
    planner.failed(job(2), NOW);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
    assertThat(planner.jobs().due(waiting(2), NOW + 1)).isEmpty();
    assertThat(planner.jobs().due(waiting(2), NOW + Autotier.REST_SECONDS)).hasSize(1);

    prefetch(2);

    assertThat(type("/data/a")).isEqualTo(StorageType.DISK);
    assertThat(type("/data/c")).isEqualTo(StorageType.SSD);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  @Test
  void aFileThatBecamePopularIsOthersAndStays() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    over();
    planner.handOver(List.of(fileId("/data/a")));
    assertThat(planner.temporaryBytes()).isEqualTo(BYTES);
    stage(2, "/data/c", "/data/d");
    prefetch(2);

    assertThat(type("/data/a")).isEqualTo(StorageType.SSD);
    assertThat(type("/data/b")).isEqualTo(StorageType.DISK);
    assertThat(lastChanges.placedIn("ssd")).containsOnlyKeys(fileId("/data/a"));
  }

  @Test
  void jobsThatWereNotLookedAtComeBeforeOneThatFailed() throws Exception {
    planner.failed(job(1), NOW);
    JobList both =
        new JobList(Map.of(job(1).application(), job(1)), Map.of(job(2).application(), job(2)), 60);
    assertThat(planner.jobs().due(both, NOW + Autotier.REST_SECONDS))
        .containsExactly(job(2), job(1));
  }
}
