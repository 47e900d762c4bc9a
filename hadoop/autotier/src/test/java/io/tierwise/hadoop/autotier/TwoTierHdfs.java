package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.hdfs.secondary.SecondaryKeys;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.secondary.SecondaryTier;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;

/** A real HDFS of one node with an SSD and a disk. */
final class TwoTierHdfs implements AutoCloseable {
  static final int FILE_BYTES = 100_000;
  private static final long PLENTY_BYTES = 1L << 40;

  private final MiniDFSCluster hdfs;
  private final DistributedFileSystem fs;
  private final MoverCluster cluster;

  private TwoTierHdfs(MiniDFSCluster hdfs, Configuration conf) throws IOException {
    this.hdfs = hdfs;
    fs = hdfs.getFileSystem();
    cluster = MoverCluster.of(fs, conf);
  }

  /** Names the tiers of an SSD and of a disk that is a fifth as fast. */
  static void tellTiers(Configuration conf, java.nio.file.Path folder) throws IOException {
    java.nio.file.Path tiers =
        Files.writeString(
            folder.resolve("tiers.yaml"),
            """
            tiers:
              - name: ssd
                match: {storage-type: SSD}
                class: {name: s, read-megabytes-per-second: 500, write-megabytes-per-second: 400}
              - name: disk
                match: {storage-type: DISK}
                class: {name: d, read-megabytes-per-second: 100, write-megabytes-per-second: 100}
            """);
    conf.set("tierwise.tiers.file", tiers.toString());
  }

  static TwoTierHdfs start(Configuration conf, java.nio.file.Path folder) throws IOException {
    return start(conf, folder, PLENTY_BYTES);
  }

  /** One whose SSD holds no more than so many bytes. */
  static TwoTierHdfs start(Configuration conf, java.nio.file.Path folder, long ssdBytes)
      throws IOException {
    MiniDFSCluster hdfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(1)
            .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK})
            .storageCapacities(new long[] {ssdBytes, PLENTY_BYTES})
            .build();
    hdfs.waitActive();
    return new TwoTierHdfs(hdfs, conf);
  }

  /** One with a secondary store in that folder. */
  static TwoTierHdfs startWithStore(Configuration conf, java.nio.file.Path folder)
      throws IOException {
    SecondaryTier.prepare(conf);
    conf.set(SecondaryKeys.STORES, "file://" + Files.createDirectory(folder.resolve("store")));
    return start(conf, folder);
  }

  DistributedFileSystem fs() {
    return fs;
  }

  MoverCluster cluster() {
    return cluster;
  }

  /** Writes a file of one block and one replica; its inode id. */
  long write(String path) throws IOException {
    DFSTestUtil.createFile(fs, new Path(path), FILE_BYTES, (short) 1, 1);
    return fs.getClient().getFileInfo(path).getFileId();
  }

  /** Makes moves as the loop does. */
  void make(List<RoundPlan.TierMove> moves, Journal written) throws IOException {
    for (RoundPlan.TierMove move : moves) {
      new JobRun(
              cluster,
              MoverSettings.DEFAULT,
              TierMoves.job(cluster, move.layout(), move.fileIds(), move.storagePolicies()))
          .run(
              move.moves(),
              () ->
                  written.begin(
                      ReplicaMark.COMMAND,
                      fs,
                      move.paths(),
                      move.layout() + " by " + move.by(),
                      null),
              Listener.SILENT);
    }
  }

  /** A plan of these alone. */
  static RoundPlan plan(List<RoundPlan.TierMove> moves, List<StoreMove> offloads) {
    return new RoundPlan(
        "none",
        "",
        "",
        0,
        0,
        List.of(),
        moves,
        offloads,
        List.of(),
        List.of(),
        new RoundPlan.Heard(0, ""),
        List.of(),
        List.of(),
        null);
  }

  /** The work of a round as the daemon makes it, which is begun by {@link #done}. */
  RoundWork work(RoundPlan plan, AutotierSettings settings, Journal journal, OpenGate.Lease lease) {
    return new RoundWork(
        plan, cluster, settings, journal, new DaemonMover(line -> {}), new OpenGate(lease));
  }

  /** Has it done, whether it fails or not. */
  static RoundWork done(RoundWork work) {
    work.start();
    while (!work.isDone()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    return work;
  }

  /** Makes a round as the daemon does. */
  Round make(RoundPlan plan, AutotierSettings settings, Journal journal) throws IOException {
    return done(work(plan, settings, journal, () -> {})).result();
  }

  /** Writes a file of four blocks and one replica, the first of which is on the SSD. */
  long writeFirstBlockToSsd(String name, int blockBytes) throws IOException {
    Path path = new Path(name);
    try (FSDataOutputStream out = fs.create(path, true, blockBytes, (short) 1, blockBytes)) {
      fs.setStoragePolicy(path, "ALL_SSD");
      out.write(new byte[blockBytes]);
      out.hsync();
      fs.setStoragePolicy(path, "HOT");
      out.write(new byte[3 * blockBytes]);
    }
    return fs.getClient().getFileInfo(name).getFileId();
  }

  /** Where the blocks of a file are, all of which have one replica. */
  List<StorageType> types(String path) throws IOException {
    return fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks().stream()
        .map(block -> block.getStorageTypes()[0])
        .toList();
  }

  /** New files find no room from now on, but for SSDs. */
  void fillDisk() throws IOException {
    try (FsDatasetSpi.FsVolumeReferences volumes =
        hdfs.getDataNodes().get(0).getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (volume.getStorageType() == StorageType.DISK) {
          ((FsVolumeImpl) volume).setCapacityForTesting(1);
        }
      }
    }
    report();
  }

  /** Has the NameNode know how full the volumes are. */
  void report() throws IOException {
    hdfs.triggerHeartbeats();
  }

  /** Has the only DataNode lose the first block of a file, which its next reader learns. */
  void loseFirstBlock(String path) throws IOException {
    hdfs.corruptBlockOnDataNodesByDeletingBlockFile(
        fs.getClient().getLocatedBlocks(path, 0).get(0).getBlock());
  }

  /** Ends the NameNode and starts it again: it reads its settings anew. */
  void restartNameNode() throws IOException {
    hdfs.restartNameNode();
    hdfs.waitActive();
  }

  /** Something to do. */
  interface Doing {
    void run() throws Exception;
  }

  /** It answers no question about the namespace meanwhile. */
  void whileNameNodeIsBusy(Doing doing) throws Exception {
    hdfs.getNamesystem().writeLock();
    try {
      doing.run();
    } finally {
      hdfs.getNamesystem().writeUnlock("a test");
    }
  }

  /**
   * Nothing is finished on the node's volume of that type until it is closed, as when its disk
   * hangs under a thread that writes there; the node goes on with its heartbeats.
   */
  AutoCloseable hang(StorageType type) throws Exception {
    FsDatasetSpi<?> dataset = hdfs.getDataNodes().get(0).getFSDataset();
    String volume;
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
      volume = volumes.get(volumes.get(0).getStorageType() == type ? 0 : 1).getStorageID();
    }
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    CompletableFuture<Void> holder =
        CompletableFuture.runAsync(
            () -> {
              try (AutoCloseDataSetLock lock =
                  dataset
                      .acquireDatasetLockManager()
                      .writeLock(LockLevel.VOLUME, hdfs.getNamesystem().getBlockPoolId(), volume)) {
                held.countDown();
                over.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    held.await();
    return () -> {
      over.countDown();
      holder.join();
    };
  }

  /** Deletes all files, for the next test of a suite. */
  void clear() throws IOException {
    for (FileStatus each : fs.listStatus(new Path("/"))) {
      fs.delete(each.getPath(), true);
    }
  }

  void delete(String path) throws IOException {
    fs.delete(new Path(path), false);
  }

  static AutotierSettings settings() {
    return new AutotierSettings("ppa", 1_000, 20, 1, 0, List.of("/"), 100);
  }

  /** With a fast tier. */
  static AutotierSettings.Builder tiered() {
    return settings().toBuilder().callsMax(1_000).fastTier("ssd");
  }

  @Override
  public void close() {
    hdfs.shutdown();
  }
}
