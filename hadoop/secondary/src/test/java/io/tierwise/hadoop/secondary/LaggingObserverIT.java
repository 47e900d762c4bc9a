package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.hdfs.client.TierwiseFileSystem;
import io.tierwise.hadoop.hdfs.secondary.SecondaryKeys;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cleaning by a client that reads from an observer, which does not know yet what just happened. */
class LaggingObserverIT {
  private static final int OBSERVER = 2;
  private static final Path FILE = new Path("/d/file");

  private MiniQJMHACluster cluster;
  private java.nio.file.Path store;
  private Journal journal;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.setBoolean(DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY, true);
    conf.set(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, "5s");
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_STATE_CONTEXT_ENABLED_KEY, true);
    File folder = Files.createTempDirectory("tierwise-observer").toFile();
    MiniQJMHACluster.Builder builder =
        new MiniQJMHACluster.Builder(conf, new File(folder, "dfs"))
            .baseDir(new File(folder, "journals").toString())
            .setNumNameNodes(OBSERVER + 1);
    builder.getDfsBuilder().numDataNodes(1);
    cluster = builder.build();
    mini().transitionToActive(0);
    mini().waitActive(0);
    mini().transitionToObserver(OBSERVER);
    store = Files.createDirectory(folder.toPath().resolve("store"));
    journal = new Journal(folder.toPath().resolve("journal"));
  }

  @AfterEach
  void end() throws IOException {
    cluster.shutdown();
  }

  private MiniDFSCluster mini() {
    return cluster.getDfsCluster();
  }

  private Configuration conf(boolean readsFromObserver) {
    Configuration conf = new Configuration(mini().getConfiguration(0));
    String name = MiniQJMHACluster.NAMESERVICE;
    conf.set("fs.defaultFS", "hdfs://" + name);
    conf.set("fs.hdfs.impl", TierwiseFileSystem.class.getName());
    conf.set(SecondaryKeys.STORES, store.toUri().toString().replaceFirst("/$", ""));
    if (readsFromObserver) {
      conf.set(
          "dfs.client.failover.proxy.provider." + name, ObserverReadProxyProvider.class.getName());
    }
    return conf;
  }

  private void run(SecondaryRun.Kind kind) throws IOException {
    Configuration conf = conf(false);
    SecondaryTier.prepare(conf);
    try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(conf);
        SecondaryTier tier = SecondaryTier.of(fs, conf)) {
      List<String> paths = List.of("/d");
      SecondarySettings settings = new SecondarySettings(1L << 40, 0);
      SecondaryReport report =
          new SecondaryRun(tier, settings, kind)
              .run(
                  paths,
                  new SecondaryRun(tier, settings, kind).plan(paths),
                  () -> journal.begin("test", fs, paths, "", null),
                  Listener.SILENT,
                  () -> false);
      assertThat(report.left()).isEmpty();
      assertThat(report.files()).isOne();
    }
  }

  @Test
  void aCopyThatWasJustTakenUpStays() throws IOException {
    byte[] data = new byte[1 << 20];
    new Random(4).nextBytes(data);
    try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(conf(false));
        FSDataOutputStream out = fs.create(FILE)) {
      out.write(data);
    }
    run(SecondaryRun.Kind.COPY);

    Configuration conf = conf(true);
    SecondaryTier.prepare(conf);
    try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(conf);
        SecondaryTier tier = SecondaryTier.of(fs, conf)) {
      // The first read of a client alone waits for what was written before.
      fs.getFileStatus(FILE);
      assertThat(HATestUtil.isSentToAnyOfNameNodes(fs, mini(), OBSERVER)).isTrue();
      run(SecondaryRun.Kind.OFFLOAD);

      SecondaryReport report =
          new Cleaning(tier, false, 0)
              .orphans(conf, () -> journal.begin("test", fs, List.of(), "", null));

      assertThat(report.left()).isEmpty();
      assertThat(report.files()).isZero();
    }
    try (FileSystem ours = FileSystem.newInstance(conf(false))) {
      assertThat(Clusters.read(ours, FILE.toString())).isEqualTo(data);
    }
  }
}
