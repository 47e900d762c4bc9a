package io.tierwise.cli.autotier;

import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.Control;
import io.tierwise.hadoop.autotier.Prefetching;
import io.tierwise.hadoop.mover.MoverSettings;
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
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/**
 * A real HDFS of two nodes with an SSD and a disk each, and real ResourceManagers without a node:
 * each job that is submitted waits. A catalog knows the application "count".
 */
final class WaitingYarn implements AutoCloseable {
  static final long INTERMEDIATE_BYTES = 80_000;

  private static final StorageType[] BOTH = {StorageType.SSD, StorageType.DISK};
  private static final String CONTROL = "/control";

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

  private final Path shared;
  private final AuditedHdfs hdfs;
  private final MiniYARNCluster yarn;
  private final Configuration conf;
  private final List<Job> jobs = new ArrayList<>();

  /** Beside the settings of a test. */
  WaitingYarn(Path shared, int resourceManagers, Configuration more) throws IOException {
    this.shared = shared;
    hdfs = new AuditedHdfs(shared, new HdfsConfiguration(), BOTH, BOTH);
    YarnConfiguration settings = new YarnConfiguration(more);
    settings.set("fs.defaultFS", hdfs.fs().getUri().toString());
    settings.set("mapreduce.framework.name", "yarn");
    settings.set("yarn.app.mapreduce.am.staging-dir", "/staging");
    settings.set(
        "tierwise.tiers.file", Files.writeString(shared.resolve("tiers"), TIERS).toString());
    settings.set(Control.DIRECTORY_KEY, CONTROL);
    yarn = new MiniYARNCluster("waiting", resourceManagers, 0, 1, 1);
    yarn.init(settings);
    yarn.start();
    conf = yarn.getConfig();
    try (RunCatalog catalog = RunCatalog.openOrMake(catalog())) {
      catalog.add(List.of(run()));
    }
  }

  /** A map that read for half of its time, and wrote for nearly as long. */
  private static RunCatalog.NamedRun run() {
    Phase map =
        new Phase("map", 1, 0, 200, 200, 5, AuditedHdfs.BYTES, 0, INTERMEDIATE_BYTES, 0, Map.of());
    RunRecord run =
        new RunRecord(RunRecord.Engine.MAPREDUCE, "job_1", "count", 0, 0, 200, true, List.of(map));
    return new RunCatalog.NamedRun(run, "count");
  }

  AuditedHdfs hdfs() {
    return hdfs;
  }

  MiniYARNCluster yarn() {
    return yarn;
  }

  Configuration conf() {
    return conf;
  }

  String catalog() {
    return shared.resolve("runs.db").toString();
  }

  /** Submits a job that waits, which reads these files. */
  Job submit(String name, String... paths) throws Exception {
    Job job = Job.getInstance(conf, name);
    for (String path : paths) {
      FileInputFormat.addInputPath(job, AuditedHdfs.hadoop(path));
    }
    job.setOutputFormatClass(NullOutputFormat.class);
    job.submit();
    jobs.add(job);
    return job;
  }

  static String application(Job job) {
    return job.getJobID().toString().replace("job_", "application_");
  }

  /** MapReduce's own client would look for the job's history, which there is none of. */
  void kill(Job job) throws Exception {
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(conf);
      client.start();
      client.killApplication(ApplicationId.fromString(application(job)));
    }
  }

  void killJobs() throws Exception {
    for (Job job : jobs) {
      kill(job);
    }
    jobs.clear();
  }

  /** A daemon for files below a directory. */
  DaemonThread daemon(String below, long regionBytes, MoverSettings moving, Path journal)
      throws IOException {
    AutotierSettings settings =
        new AutotierSettings(
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
            Optional.of(new Prefetching(catalog(), regionBytes)),
            moving);
    return new DaemonThread(hdfs, conf, settings, shared.resolve("hdfs-audit.log"), journal);
  }

  /** Asked in the way that the audit log does not tell of as of a read. */
  boolean isOnSsd(String path) throws IOException {
    LocatedBlock block =
        hdfs.fs().getClient().getLocatedFileInfo(path, false).getLocatedBlocks().get(0);
    return block.getStorageTypes()[0] == StorageType.SSD;
  }

  private static Path told(Job job) {
    return Path.of(CONTROL, "intermediate", application(job));
  }

  /** The tier that NodeManagers are told. */
  String tier(Job job) throws IOException {
    try (var in = hdfs.fs().open(AuditedHdfs.hadoop(told(job).toString()))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  boolean isTold(Job job) throws IOException {
    return hdfs.fs().exists(AuditedHdfs.hadoop(told(job).toString()));
  }

  /** A command of the daemon. */
  CommandRun command(String... words) throws IOException {
    return CommandRun.of(words(words).toArray(String[]::new));
  }

  private List<String> words(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of("autotier"));
    all.addAll(List.of(words));
    all.addAll(
        List.of(
            "--fs", hdfs.fs().getUri().toString(), "-D", Control.DIRECTORY_KEY + "=" + CONTROL));
    return all;
  }

  /** The words of one that decides. */
  List<String> deciding(
      String command, String below, long regionBytes, Path journal, String... more)
      throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                command,
                "--audit-log",
                shared.resolve("hdfs-audit.log").toString(),
                "--zone",
                ZoneId.systemDefault().getId(),
                "--below",
                below,
                "--fast-tier",
                "ssd",
                "--prefetch",
                Long.toString(regionBytes),
                "--catalog",
                catalog(),
                "-D",
                "tierwise.mover.journal.directory=" + journal));
    for (String key :
        List.of(
            "tierwise.tiers.file",
            "yarn.app.mapreduce.am.staging-dir",
            YarnConfiguration.RM_ADDRESS)) {
      words.addAll(List.of("-D", key + "=" + conf.get(key)));
    }
    words.addAll(List.of(more));
    return words(words.toArray(String[]::new));
  }

  @Override
  public void close() {
    yarn.stop();
    hdfs.close();
  }
}
