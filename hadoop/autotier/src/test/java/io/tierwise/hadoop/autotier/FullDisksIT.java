package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A daemon beside disks without any room: it may be what makes some. */
class FullDisksIT {
  private static final long SECONDS_MAX = 60;
  private static final long PLENTY_BYTES = 1L << 40;
  private static final int NODES = 2;

  @TempDir private Path folder;
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Round> rounds = new LinkedBlockingQueue<>();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private MiniDFSCluster hdfs;
  private DistributedFileSystem fs;
  private Control control;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    hdfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(NODES)
            .build();
    hdfs.waitActive();
    fs = hdfs.getFileSystem();
    control = new Control(fs, conf);
    DFSTestUtil.createFile(fs, new org.apache.hadoop.fs.Path("/cold/a"), 1, (short) NODES, 1);
  }

  @AfterEach
  void stop() {
    hdfs.shutdown();
  }

  private void setCapacity(long bytes) throws IOException {
    for (DataNode node : hdfs.getDataNodes()) {
      try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
        for (FsVolumeSpi volume : volumes) {
          ((FsVolumeImpl) volume).setCapacityForTesting(bytes);
        }
      }
    }
    hdfs.triggerHeartbeats();
  }

  private CompletableFuture<Void> daemon() throws IOException {
    Daemon daemon =
        new Daemon(
            MoverCluster.of(fs, fs.getConf()),
            control,
            RuledAutotier.settings(
                folder, "path matches /cold/** -> replicas 1", TimeUnit.DAYS.toMillis(1)),
            RuledAutotier.logs(folder),
            new Journal(folder.resolve("journal")),
            said::add);
    return CompletableFuture.runAsync(
        () -> {
          try {
            daemon.run(0, rounds::add, stopped::get);
          } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  private Stream<String> ownFiles() throws IOException {
    return Stream.of(fs.listStatus(Control.directory(fs.getConf())))
        .map(file -> file.getPath().getName());
  }

  @Test
  @Timeout(180)
  void itSaysThatItsStateCannotBeWrittenAndGoesOn() throws Exception {
    setCapacity(1);
    CompletableFuture<Void> daemon = daemon();
    Round round = rounds.poll(SECONDS_MAX, TimeUnit.SECONDS);

    assertThat(round).as("%s", said).isNotNull();
    assertThat(round.changed()).isOne();
    assertThat(said)
        .singleElement()
        .asString()
        .startsWith(
            "what this daemon does cannot be written to /system/tierwise-autotier/status.json (")
        .contains("could only be written to 0 of");
    assertThat(ownFiles()).as("nothing is left of what was tried").containsExactly("lease");
    assertThat(control.status())
        .isEqualTo(new Control.Status(Control.State.RUNNING, null, null, null));

    control.pause();
    Control.Status paused = control.status();
    assertThat(paused.state()).isEqualTo(Control.State.PAUSED);
    assertThat(paused.pausedBy())
        .isEqualTo(UserGroupInformation.getCurrentUser().getShortUserName());
    assertThat(paused.text()).startsWith("paused; paused by ");
    assertThat(AutotierMetrics.text(paused)).contains("state=\"paused\"} 1");
    control.resume();

    setCapacity(PLENTY_BYTES);
    stopped.set(true);
    daemon.get(SECONDS_MAX, TimeUnit.SECONDS);
    Control.Status last = control.status();
    assertThat(last.state()).isEqualTo(Control.State.STOPPED);
    assertThat(last.daemon().rounds()).as("what it told at its end").isOne();
    assertThat(said).hasSize(1);
  }

  /** HDFS closes the lease of a daemon that was killed after a while, and sets the file's time. */
  @Test
  void aLeaseThatNobodyHoldsIsNoSignOfLife() throws Exception {
    org.apache.hadoop.fs.Path lease =
        new org.apache.hadoop.fs.Path(Control.directory(fs.getConf()), "lease");
    fs.create(lease).close();

    assertThat(control.status().state()).isEqualTo(Control.State.STOPPED);
  }

  /** Earlier versions wrote who paused it. */
  @Test
  void aPauseOfAnEarlierVersionHolds() throws Exception {
    DFSTestUtil.writeFile(
        fs,
        new org.apache.hadoop.fs.Path(Control.directory(fs.getConf()), "paused"),
        "{\"user\":\"ann\",\"since\":\"2026-01-02T03:04:05Z\"}");

    assertThat(control.isPaused()).isTrue();
    assertThat(control.status().text()).endsWith("; paused by ann since 2026-01-02T03:04:05Z");
  }
}
