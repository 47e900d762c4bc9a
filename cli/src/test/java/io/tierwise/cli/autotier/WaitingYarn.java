package io.tierwise.cli.autotier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.Control;
import io.tierwise.hadoop.autotier.Prefetching;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.history.Phase;
import io.tierwise.history.RunRecord;
import io.tierwise.lab.embedded.LineCount;
import io.tierwise.profiles.RunCatalog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/**
 * A real HDFS of two nodes with an SSD and a disk each, and real ResourceManagers without a node:
 * each job that is submitted waits. A catalog knows the application "count".
 */
final class WaitingYarn implements AutoCloseable {
  static final long INTERMEDIATE_BYTES = 80_000;

  private static final StorageType[] BOTH = {StorageType.SSD, StorageType.DISK};

  /** The daemon's directory. */
  static final String CONTROL = "/control";

  /** A disk that is far slower than the SSD, whatever both are. */
  static final String TIERS =
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

  /** With the settings of a test beside the defaults. */
  WaitingYarn(Path shared, int resourceManagers, Configuration more) throws IOException {
    this.shared = shared;
    hdfs = new AuditedHdfs(shared, new HdfsConfiguration(more), BOTH, BOTH);
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
  static RunCatalog.NamedRun run() {
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
    Job job = LineCount.submit(conf, name, List.of(paths));
    jobs.add(job);
    return job;
  }

  static String application(Job job) {
    return LineCount.application(job).toString();
  }

  /** MapReduce's own client would look for the job's history, which there is none of. */
  void kill(Job job) throws Exception {
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(conf);
      client.start();
      client.killApplication(LineCount.application(job));
    }
  }

  void killJobs() throws Exception {
    for (Job job : jobs) {
      try {
        kill(job);
      } catch (ApplicationNotFoundException e) {
        // A ResourceManager that began anew knows nothing of it.
      }
    }
    jobs.clear();
  }

  /** A daemon for files below a directory. */
  DaemonThread daemon(String below, long regionBytes, MoverSettings moving, Path journal)
      throws IOException {
    return daemon(below, new Prefetching(catalog(), regionBytes), moving, journal);
  }

  DaemonThread daemon(String below, Prefetching prefetching, MoverSettings moving, Path journal)
      throws IOException {
    return new DaemonThread(
        hdfs, conf, bounds(below, prefetching, moving), shared.resolve("hdfs-audit.log"), journal);
  }

  /** Of a daemon with windows of a day: what was read once or twice does not become popular. */
  static AutotierSettings bounds(String below, MoverSettings moving) {
    return new AutotierSettings("ppa", TimeUnit.DAYS.toMillis(1), 20, 1, 0, List.of(below), 1_000)
        .toBuilder().callsMax(1_000).fastTier("ssd").moving(moving).build();
  }

  /** The same of one that prefetches. */
  static AutotierSettings bounds(String below, Prefetching prefetching, MoverSettings moving) {
    return bounds(below, moving).toBuilder().prefetching(prefetching).build();
  }

  /** Asked in the way that the audit log does not tell of as of a read. */
  private LocatedBlock block(String path) throws IOException {
    return hdfs.fs().getClient().getLocatedFileInfo(path, false).getLocatedBlocks().get(0);
  }

  boolean isOnSsd(String path) throws IOException {
    return storageTypes(path)[0] == StorageType.SSD;
  }

  /** Of all replicas of its block. */
  StorageType[] storageTypes(String path) throws IOException {
    return block(path).getStorageTypes();
  }

  /** Those of some files that are on an SSD. */
  Set<String> onSsd(Collection<String> paths) throws IOException {
    Set<String> there = new TreeSet<>();
    for (String path : paths) {
      if (isOnSsd(path)) {
        there.add(path);
      }
    }
    return there;
  }

  int replicas(String path) throws IOException {
    return block(path).getLocations().length;
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

  /** Tells NodeManagers, as a daemon does. */
  void tell(Job job, String tier, long bytes) throws IOException {
    org.apache.hadoop.fs.Path file = AuditedHdfs.hadoop(told(job).toString());
    try (OutputStream out = hdfs.fs().create(file)) {
      out.write(tier.getBytes(StandardCharsets.UTF_8));
    }
    byte[] value = Long.toString(bytes).getBytes(StandardCharsets.UTF_8);
    hdfs.fs().setXAttr(file, "user.tierwise.intermediate.bytes", value);
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

  /** What the daemon tells of jobs. */
  JsonNode told() throws IOException {
    return new ObjectMapper()
        .readTree(command("status", "--json").out())
        .path("daemon")
        .path("jobs");
  }

  /** Bytes of the temporary region that it counts. */
  long takenBytes() throws IOException {
    return told().path("taken_bytes").asLong(-1);
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
                "--on-average",
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
