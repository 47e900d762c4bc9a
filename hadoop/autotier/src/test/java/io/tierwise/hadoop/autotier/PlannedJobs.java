package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.autotier.jobs.JobList;
import io.tierwise.hadoop.autotier.jobs.StagedJobs;
import io.tierwise.hadoop.autotier.jobs.SubmittedJob;
import io.tierwise.hadoop.inspect.cluster.ClusterUri;
import io.tierwise.hadoop.mover.MoverSettings;
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
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A {@link JobPlanner} on a real HDFS, with room for the input of two files and a half. */
abstract class PlannedJobs {
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

  static final long BYTES = TwoTierHdfs.FILE_BYTES;
  static final int BLOCK_BYTES = 25_600;

  /** Intermediate data of the application "sort". */
  static final long SPILLED_BYTES = 80_000;

  static final double NOW = 1_000_000;

  private static final long PLENTY_BYTES = 1L << 40;

  /** Of all tests of a suite; null where each has one with little room of its own. */
  private static TwoTierHdfs shared;

  @TempDir private static Path suite;
  @TempDir Path folder;
  TwoTierHdfs hdfs;
  Journal journal;
  LastChanges lastChanges;
  JobPlanner planner;

  @BeforeEach
  void start() throws IOException {
    hdfs = shared == null ? startHdfs() : shared;
    shared = ssdBytes() == PLENTY_BYTES ? hdfs : null;
    journal = new Journal(folder.resolve("journal"));
    try (RunCatalog catalog = RunCatalog.openOrMake(catalog())) {
      catalog.add(
          List.of(run("job_1", "count", 1_000, 0), run("job_2", "sort", 200, SPILLED_BYTES)));
    }
    begin();
  }

  private TwoTierHdfs startHdfs() throws IOException {
    Path where = Files.createTempDirectory(suite, "hdfs");
    Configuration conf = new HdfsConfiguration();
    conf.set("tierwise.tiers.file", Files.writeString(where.resolve("tiers"), TIERS).toString());
    conf.set("yarn.app.mapreduce.am.staging-dir", StagedJobs.STAGING);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, BLOCK_BYTES);
    return TwoTierHdfs.start(conf, where, ssdBytes());
  }

  /** Of a map that reads one file. */
  private static RunCatalog.NamedRun run(String id, String name, long millis, long spilledBytes) {
    Phase map = new Phase("map", 1, 0, millis, millis, 5, BYTES, 0, spilledBytes, 0, Map.of());
    RunRecord run =
        new RunRecord(RunRecord.Engine.MAPREDUCE, id, name, 0, 0, millis, true, List.of(map));
    return new RunCatalog.NamedRun(run, name);
  }

  long ssdBytes() {
    return PLENTY_BYTES;
  }

  /** Bytes of the fast tier for jobs. */
  long regionBytes() {
    return 5 * BYTES / 2;
  }

  @AfterEach
  void stop() throws IOException {
    if (shared == null) {
      hdfs.close();
    } else {
      hdfs.clear();
    }
  }

  @AfterAll
  static void end() {
    if (shared != null) {
      shared.close();
      shared = null;
    }
  }

  private String catalog() {
    return folder.resolve("runs.db").toString();
  }

  /** A daemon begins, or begins again, with room for the input of two files and a half. */
  final void begin() throws IOException {
    AutotierSettings settings =
        new AutotierSettings("ppa", TimeUnit.DAYS.toMillis(1), 20, 1, 0, List.of("/data"), 1_000)
            .toBuilder()
                .callsMax(1_000)
                .fastTier("ssd")
                .prefetching(
                    new Prefetching(catalog(), regionBytes(), 0, TimeUnit.DAYS.toMillis(1)))
                .build();
    lastChanges = LastChanges.of(journal, ClusterUri.of(hdfs.fs()));
    FastTierMoves moves =
        new FastTierMoves(
            hdfs.cluster(),
            MoverSettings.DEFAULT,
            hdfs.cluster().tiers().table().require("ssd"),
            Hardware.disk(hdfs.cluster().tiers()),
            new QuotasAbove(hdfs.cluster()));
    planner = JobPlanner.of(hdfs.cluster(), settings, moves, lastChanges);
  }

  private static String id(int job) {
    return "1700000000000_000" + job;
  }

  static SubmittedJob job(int number) throws IOException {
    return job(number, "count");
  }

  static SubmittedJob job(int number, String name) throws IOException {
    return new SubmittedJob(
        RunRecord.Engine.MAPREDUCE,
        "application_" + id(number),
        UserGroupInformation.getCurrentUser().getShortUserName(),
        name,
        0);
  }

  static JobList waiting(int number) throws IOException {
    return waiting(job(number));
  }

  static JobList waiting(SubmittedJob job) {
    return new JobList(Map.of(job.application(), job), Map.of(), 60);
  }

  final JobPlan plan(int number) throws IOException {
    return plan(number, job(number));
  }

  final JobPlan plan(int number, SubmittedJob job) throws IOException {
    return planner.plan(job, waiting(job), NOW + 1_000 * number);
  }

  final void stage(int number, String... paths) throws Exception {
    for (String path : paths) {
      if (!hdfs.fs().exists(new org.apache.hadoop.fs.Path(path))) {
        hdfs.write(path);
      }
    }
    StagedJobs.stage(hdfs.fs(), UserGroupInformation.getCurrentUser(), id(number), paths);
  }

  final long fileId(String path) throws IOException {
    return hdfs.fs().getClient().getFileInfo(path).getFileId();
  }

  final StorageType type(String path) throws IOException {
    LocatedBlock block = hdfs.fs().getClient().getLocatedBlocks(path, 0).get(0);
    return block.getStorageTypes()[0];
  }

  final void make(List<RoundPlan.TierMove> moves) throws IOException {
    List<String> before = journal.runs();
    hdfs.make(moves, journal);
    journal.runs().stream()
        .filter(run -> !before.contains(run))
        .forEach(run -> lastChanges.add(PastRun.read(journal, run)));
  }

  final void prefetch(int number) throws IOException {
    prefetch(plan(number));
  }

  final void prefetch(JobPlan plan) throws IOException {
    assertThat(plan.prefetchedBytes()).as(plan.reason()).isPositive();
    make(plan.leaving());
    make(plan.coming());
    planner.settle();
  }

  final void over() {
    planner.jobs().over(new JobList(Map.of(), Map.of(), 60));
  }
}
