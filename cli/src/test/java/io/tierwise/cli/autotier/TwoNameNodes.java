package io.tierwise.cli.autotier;

import io.tierwise.cli.ReportedReplicas;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.spi.Filter;
import org.apache.log4j.spi.LoggingEvent;

/**
 * An HDFS with two NameNodes, one of which is active, and two nodes with an SSD and a disk each.
 * Each NameNode writes an audit log of its own.
 */
final class TwoNameNodes implements AutoCloseable {
  /** A user whose calls must not be taken for accesses: the logs have nothing of them. */
  static final String UNHEARD = "unheard";

  private static final StorageType[] BOTH = {StorageType.SSD, StorageType.DISK};

  private final MiniDFSCluster cluster;
  private final Configuration conf;
  private final DistributedFileSystem fs;
  private final List<Path> logs = new ArrayList<>();
  private final List<FileAppender> appenders = new ArrayList<>();
  private final Logger audit =
      Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");
  private final Level before = audit.getLevel();

  TwoNameNodes(Path folder) throws IOException, URISyntaxException {
    this(folder, new Configuration());
  }

  TwoNameNodes(Path folder, Configuration given) throws IOException, URISyntaxException {
    given.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    cluster =
        new MiniDFSCluster.Builder(given, folder.resolve("hdfs").toFile())
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(2)
            .storagesPerDatanode(BOTH.length)
            .storageTypes(BOTH)
            .build();
    cluster.waitActive();
    for (int i = 0; i < 2; i++) {
      logs.add(folder.resolve("nn" + i + "-audit.log"));
      appenders.add(appender(logs.get(i), cluster.getNameNodePort(i)));
      audit.addAppender(appenders.get(i));
    }
    audit.setLevel(Level.INFO);
    cluster.transitionToActive(0);
    fs = HATestUtil.configureFailoverFs(cluster, given);
    conf = fs.getConf();
  }

  /** Both are in this process: whose line it is tells the thread that answers the call. */
  private static FileAppender appender(Path log, int port) throws IOException {
    FileAppender appender =
        new FileAppender(new PatternLayout("%d{ISO8601} %p %c{2}: %m%n"), log.toString());
    appender.addFilter(
        new Filter() {
          @Override
          public int decide(LoggingEvent event) {
            boolean isOfOther = !event.getThreadName().endsWith(" " + port);
            return isOfOther || event.getRenderedMessage().contains("ugi=" + UNHEARD)
                ? DENY
                : ACCEPT;
          }
        });
    return appender;
  }

  /** Of the one that is active first, and of the other one. */
  List<Path> logs() {
    return logs;
  }

  /** Of clients that know both. */
  Configuration conf() {
    return conf;
  }

  DistributedFileSystem fs() {
    return fs;
  }

  /** The other one is active from now on; the second one, the first time. */
  void failOver() throws IOException {
    int before = active();
    cluster.transitionToStandby(before);
    cluster.transitionToActive(1 - before);
  }

  /** A file of one block, on both nodes' disks. */
  void write(String path) throws IOException {
    DFSTestUtil.createFile(
        fs, AuditedHdfs.hadoop(path), AuditedHdfs.BYTES, (short) 2, AuditedHdfs.SEED);
    ReportedReplicas.await(cluster.getNameNode(active()), path, 2);
  }

  private int active() {
    return cluster.getNameNode(0).isActiveState() ? 0 : 1;
  }

  /** So many people read the file at once. */
  void read(String path, int readers) throws IOException, InterruptedException {
    for (int i = 0; i < readers; i++) {
      UserGroupInformation.createRemoteUser("reader" + i)
          .doAs(
              (PrivilegedExceptionAction<Integer>)
                  () -> {
                    try (FileSystem theirs = FileSystem.newInstance(fs.getUri(), conf);
                        FSDataInputStream in = theirs.open(AuditedHdfs.hadoop(path))) {
                      return in.read();
                    }
                  });
    }
  }

  boolean isOnSsd(String path) throws IOException {
    StorageType[] types =
        fs.getClient().getLocatedFileInfo(path, false).getLocatedBlocks().get(0).getStorageTypes();
    return Arrays.asList(types).contains(StorageType.SSD);
  }

  @Override
  public void close() throws IOException {
    fs.close();
    cluster.shutdown();
    appenders.forEach(audit::removeAppender);
    appenders.forEach(FileAppender::close);
    audit.setLevel(before);
  }
}
