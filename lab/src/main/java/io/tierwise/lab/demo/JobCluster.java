package io.tierwise.lab.demo;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.lab.embedded.EmbeddedCluster;
import io.tierwise.lab.embedded.EmbeddedPlan;
import io.tierwise.lab.embedded.EmbeddedYarn;
import io.tierwise.lab.embedded.LineCount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/**
 * An HDFS of two nodes on emulated devices, one of which has an SSD, and beside it a YARN of one
 * node, which has local directories for both tiers and the plug-in that chooses among them. Close
 * it to stop all; its files stay.
 */
final class JobCluster implements AutoCloseable {
  /** The directory of all input. */
  static final String DATA = "/data";

  private static final String CONTROL = "/system/tierwise-autotier";

  private static final int LINE_BYTES = 1_000;

  /**
   * Of the web servers in one process the second and all later ones warn of the others. Held here,
   * since a logger that nobody holds forgets its level.
   */
  private static final Logger WEB_SERVERS =
      Logger.getLogger("com.google.inject.servlet.GuiceFilter");

  private final EmbeddedCluster hdfs;
  private final DistributedFileSystem fs;
  private final TierConfiguration tiers;
  private final EmbeddedYarn yarn;

  JobCluster(Path directory) throws IOException {
    WEB_SERVERS.setLevel(Level.SEVERE);
    EmbeddedPlan plan =
        new EmbeddedPlan(
            1, 2, 0, PopularityDemo.SPEED_FACTOR, EmbeddedPlan.TEN_GIGABIT_BYTES_PER_SECOND);
    hdfs = EmbeddedCluster.start(plan, new Configuration(false), directory);
    boolean serves = false;
    try {
      fs = (DistributedFileSystem) FileSystem.newInstance(hdfs.uri(), hdfs.configuration());
      tiers = TierConfiguration.load(hdfs.configuration());
      yarn =
          EmbeddedYarn.start(directory, new EmbeddedYarn.Tiers(fastTier(), slowTier()), settings());
      serves = true;
    } finally {
      if (!serves) {
        // Threads that go on would keep the process from ending.
        close();
      }
    }
  }

  private Configuration settings() {
    Configuration conf = new Configuration(hdfs.configuration());
    conf.set("fs.defaultFS", hdfs.uri().toString());
    conf.set("tierwise.nodemanager.intermediate.directory", hdfs.uri() + CONTROL + "/intermediate");
    return conf;
  }

  String fastTier() {
    return tiers.table().tier(0).name();
  }

  String slowTier() {
    return tiers.table().tier(tiers.table().count() - 1).name();
  }

  /** Of a client of both. */
  Configuration configuration() {
    return yarn.configuration();
  }

  DistributedFileSystem fs() {
    return fs;
  }

  /** Where the history server keeps its files. */
  String history() {
    return hdfs.uri() + EmbeddedYarn.STAGING + "/history";
  }

  /** Writes a file of one block and one replica, so that it is certain which device reads it. */
  String write(String name, int bytes) throws IOException {
    String path = DATA + "/" + name;
    byte[] line = new byte[LINE_BYTES];
    SplittableRandom random = new SplittableRandom(name.hashCode());
    try (FSDataOutputStream out =
        fs.create(new org.apache.hadoop.fs.Path(path), true, LINE_BYTES, (short) 1, bytes)) {
      for (int written = 0; written < bytes; written += LINE_BYTES) {
        for (int i = 0; i < line.length - 1; i++) {
          line[i] = (byte) ('a' + random.nextInt('z' - 'a' + 1));
        }
        line[line.length - 1] = '\n';
        out.write(line, 0, Math.min(LINE_BYTES, bytes - written));
      }
    }
    return path;
  }

  /** The bytes of a file's replicas by tier. */
  Map<String, Long> tiers(String path) throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (LocatedBlock block :
        fs.getClient().getLocatedFileInfo(path, false).getLocatedBlocks().getLocatedBlocks()) {
      for (int i = 0; i < block.getLocations().length; i++) {
        TierMatch.Volume volume =
            TierMatch.Volume.of(
                block.getStorageTypes()[i], block.getLocations()[i], block.getStorageIDs()[i]);
        int tier = tiers.matcher().tierOf(volume);
        bytes.merge(tiers.table().tier(tier).name(), block.getBlockSize(), Long::sum);
      }
    }
    return bytes;
  }

  /** Submits the job that reads a file, without a setting of Tierwise's. */
  Job submit(String input) throws IOException, InterruptedException {
    return LineCount.submit(configuration(), "count lines", List.of(input));
  }

  ApplicationReport report(Job job) throws IOException {
    return yarn.report(LineCount.application(job));
  }

  /**
   * Whether it is over.
   *
   * @throws IOException when it failed
   */
  boolean succeeded(Job job) throws IOException {
    ApplicationReport report = report(job);
    if (report.getFinalApplicationStatus() == FinalApplicationStatus.FAILED
        || report.getFinalApplicationStatus() == FinalApplicationStatus.KILLED) {
      throw new IOException("the demo's job failed: " + report.getDiagnostics());
    }
    return report.getYarnApplicationState() == YarnApplicationState.FINISHED;
  }

  /** Another application takes the whole node, so that jobs wait; its id. */
  ApplicationId occupy() throws IOException, InterruptedException {
    return yarn.occupy();
  }

  void kill(ApplicationId application) throws IOException {
    yarn.kill(application);
  }

  /** The bytes that a job's maps left for its reducer, by tier. */
  Map<String, Long> mapOutputBytes(Job job) throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (String tier : List.of(fastTier(), slowTier())) {
      for (Path file : yarn.mapOutputs(tier, LineCount.application(job))) {
        bytes.merge(tier, Files.size(file), Long::sum);
      }
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    if (yarn != null) {
      yarn.close();
    }
    if (fs != null) {
      fs.close();
    }
    hdfs.close();
  }
}
