package io.tierwise.cli.autotier;

import io.tierwise.cli.CommandRun;
import io.tierwise.cli.ReportedReplicas;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.log4j.Appender;

/**
 * A stock HDFS, by default of five nodes with an SSD and a disk each, whose NameNode writes its
 * audit log as it is shipped to.
 */
public final class AuditedHdfs implements AutoCloseable {
  static final int BYTES = 100_000;

  /** Of the bytes of all files. */
  static final int SEED = 1;

  /** A tier table with speeds, so that moves can be weighed. */
  static final String MEASURED_TIERS =
      """
      tiers:
        - name: ssd
          match: {storage-type: SSD}
          class: {name: s, read-megabytes-per-second: 500, write-megabytes-per-second: 400}
        - name: disk
          match: {storage-type: DISK}
          class: {name: d, read-megabytes-per-second: 100, write-megabytes-per-second: 100}
      """;

  private static final StorageType[] BOTH = {StorageType.SSD, StorageType.DISK};

  private final Path folder;
  private final MiniDFSCluster cluster;
  private final AuditFile audit;

  /** Starts one with Hadoop's defaults. */
  public AuditedHdfs(Path folder) throws IOException {
    this(folder, new HdfsConfiguration());
  }

  AuditedHdfs(Path folder, Configuration conf) throws IOException {
    this(folder, conf, BOTH, BOTH, BOTH, BOTH, BOTH);
  }

  /** One of nodes with those volumes each. */
  AuditedHdfs(Path folder, Configuration conf, StorageType[]... nodes) throws IOException {
    this(folder, conf, null, nodes);
  }

  /**
   * One of such nodes whose volumes hold no more.
   *
   * @param capacities bytes, by node and volume; null for those of the disks that they are on
   */
  AuditedHdfs(Path folder, Configuration conf, long[][] capacities, StorageType[]... nodes)
      throws IOException {
    this.folder = folder;
    audit = new AuditFile(folder.resolve("hdfs-audit.log"));
    cluster =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(nodes.length)
            .storagesPerDatanode(nodes[0].length)
            .storageTypes(nodes)
            .storageCapacities(capacities)
            .build();
    cluster.waitActive();
  }

  /** The superuser's connection. */
  public DistributedFileSystem fs() throws IOException {
    return cluster.getFileSystem();
  }

  static org.apache.hadoop.fs.Path hadoop(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  /** A file of one block. */
  public void write(String path, int replicas) throws IOException {
    DFSTestUtil.createFile(fs(), hadoop(path), BYTES, (short) replicas, SEED);
    ReportedReplicas.await(cluster.getNameNode(), path, replicas);
  }

  /** Gives it another number of replicas, and waits until it has just as many. */
  void setReplicas(String path, int replicas) throws IOException {
    fs().setReplication(hadoop(path), (short) replicas);
    ReportedReplicas.await(cluster.getNameNode(), path, replicas);
  }

  /** So many people read the file at once. */
  public void read(String path, int readers) throws IOException, InterruptedException {
    for (int i = 0; i < readers; i++) {
      UserGroupInformation.createRemoteUser("reader" + i)
          .doAs(
              (PrivilegedExceptionAction<Integer>)
                  () -> {
                    try (FileSystem theirs =
                            FileSystem.newInstance(fs().getUri(), new HdfsConfiguration());
                        FSDataInputStream in = theirs.open(hadoop(path))) {
                      return in.read();
                    }
                  });
    }
  }

  /** Has the NameNode know how full the volumes are. */
  void report() throws IOException {
    cluster.triggerHeartbeats();
  }

  int replicas(String path) throws IOException {
    return fs().getFileStatus(hadoop(path)).getReplication();
  }

  /** A command of the daemon. */
  List<String> words(String window, String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of("autotier"));
    all.addAll(List.of(words));
    all.addAll(
        List.of(
            "--audit-log",
            folder.resolve("hdfs-audit.log").toString(),
            "--zone",
            ZoneId.systemDefault().getId(),
            "--window",
            window));
    all.addAll(where());
    return all;
  }

  private List<String> where() throws IOException {
    return List.of(
        "--fs",
        fs().getUri().toString(),
        "-D",
        "tierwise.mover.journal.directory=" + folder.resolve("journal"));
  }

  /** Runs one with windows of a day: tests that begin before the hour end after it. */
  CommandRun autotier(String... words) throws IOException {
    return CommandRun.of(words("1 d", words).toArray(String[]::new));
  }

  /** Ends the NameNode and starts it again. */
  void restartNameNode() throws IOException {
    cluster.restartNameNode(0);
  }

  /** The lease of a process that was killed ends at once, or after a minute as always. */
  void endLeasesAtOnce(boolean wanted) {
    cluster.setLeasePeriod(
        wanted ? 1 : HdfsConstants.LEASE_SOFTLIMIT_PERIOD, TimeUnit.MINUTES.toMillis(20));
  }

  /** Hears each call that the NameNode writes down. */
  void hear(Appender appender) {
    audit.hear(appender);
  }

  /** Something that must not be taken for accesses: the log has nothing of it. */
  void unheard(Doing doing) throws Exception {
    audit.rest();
    try {
      doing.run();
    } finally {
      audit.goOn();
    }
  }

  /** Something that is done. */
  @FunctionalInterface
  interface Doing {
    void run() throws Exception;
  }

  /** Another command on the same cluster and journal. */
  public CommandRun run(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(where());
    return CommandRun.of(all.toArray(String[]::new));
  }

  @Override
  public void close() {
    cluster.shutdown();
    audit.close();
  }
}
