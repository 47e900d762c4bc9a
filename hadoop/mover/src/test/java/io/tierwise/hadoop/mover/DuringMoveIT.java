package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.FsDatasetTestUtils.MaterializedReplica;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that change while their block is on its way from one node to another, which takes long. */
class DuringMoveIT {
  private static final String[] RACKS = {"/r1", "/r2", "/r3", "/r1", "/r2", "/r3"};
  private static final StorageType[][] TYPES = {
    {StorageType.DISK}, {StorageType.DISK}, {StorageType.DISK},
    {StorageType.SSD}, {StorageType.SSD}, {StorageType.SSD}
  };
  private static final int FILES = 8;

  /** Of moves between nodes, of each node: a block takes two minutes. */
  private static final long SLOW_BYTES_PER_SECOND = LiveCluster.BLOCK_BYTES / 120;

  /** A node may still send half a second's bytes at that rate after it was told of another. */
  private static final long FAST_BYTES_PER_SECOND = LiveCluster.BLOCK_BYTES;

  private static LiveCluster cluster;

  @TempDir private java.nio.file.Path folder;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    conf.setLong(DFSConfigKeys.DFS_DATANODE_BALANCE_BANDWIDTHPERSEC_KEY, FAST_BYTES_PER_SECOND);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, LiveCluster.BLOCK_BYTES);
    LiveCluster.haveHdfsHurry(conf);
    cluster = LiveCluster.start(conf, RACKS, TYPES, null);
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static Path path(int file) {
    return new Path("/t/f" + file);
  }

  private static byte[] written(int file) {
    byte[] content = new byte[LiveCluster.BLOCK_BYTES];
    new Random(path(file).getName().hashCode()).nextBytes(content);
    return content;
  }

  private static byte[] read(Path file) throws IOException {
    try (FSDataInputStream in = cluster.fs().open(file)) {
      return in.readAllBytes();
    }
  }

  private static void write() throws IOException {
    cluster.fs().delete(new Path("/t"), true);
    for (int file = 0; file < FILES; file++) {
      cluster.write(path(file).toString(), 1, 3);
    }
    // Half a block: what is appended comes into the block that moves.
    int blockBytes = 2 * LiveCluster.BLOCK_BYTES;
    try (FSDataOutputStream out = cluster.fs().create(path(5), true, 4096, (short) 3, blockBytes)) {
      out.write(written(5));
    }
    LiveCluster.await("three replicas", () -> locations(path(5)) == 3);
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
  }

  private static boolean isOnAnSsd(LocatedBlock block) {
    return Arrays.asList(block.getStorageTypes()).contains(StorageType.SSD);
  }

  private static boolean isIn(Path file, int replicas) throws IOException {
    return cluster.blocks(file).stream()
        .allMatch(block -> block.getLocations().length == replicas && isOnAnSsd(block));
  }

  private interface Doing {
    void run() throws IOException;
  }

  /** Nodes hear of it at their next heartbeat; moves under way go on at that rate. */
  private static void haveMovesTake(long bytesPerSecond) throws IOException {
    cluster.fs().setBalancerBandwidth(bytesPerSecond);
    LiveCluster.await(
        "the rate is known",
        () ->
            cluster.mini().getDataNodes().stream()
                .allMatch(node -> node.getBalancerBandwidth() == bytesPerSecond));
  }

  /** Something is done when all moves have begun and none is over. */
  private MoverReport moveAnd(Doing doing) throws Exception {
    haveMovesTake(SLOW_BYTES_PER_SECOND);
    Journal journal = new Journal(folder);
    JournalRun run = journal.begin("test", "me", "hdfs://here", List.of("/t"), "", null);
    CompletableFuture<MoverReport> moving =
        CompletableFuture.supplyAsync(
            () -> {
              try (run;
                  Mover mover =
                      Mover.open(
                              cluster.cluster(),
                              LiveCluster.quick().withMovesPerNode(FILES).atMovesPerSecond(0))
                          .writingTo(run)) {
                return mover.run(cluster.order("", "/t"), Listener.Step.SILENT);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    LiveCluster.await("all moves", () -> PastRun.read(journal, run.id()).moves() >= FILES);
    doing.run();
    assertThat(Steps.of(PastRun.read(journal, run.id())))
        .as("all of that was done before a move was over")
        .noneMatch(PastRun.Step::done);
    haveMovesTake(FAST_BYTES_PER_SECOND);
    return moving.get(2, TimeUnit.MINUTES);
  }

  @Test
  @Timeout(300)
  void whatChangesInTheMiddleOfItsMoveIsWholeAndGoesOn() throws Exception {
    write();
    DistributedFileSystem fs = cluster.fs();
    Path renamed = new Path("/t/renamed");
    Path kept = new Path("/t/kept/file");
    byte[] tail = {1, 2, 3};
    int half = LiveCluster.BLOCK_BYTES / 2;
    fs.mkdirs(kept.getParent());
    fs.rename(path(7), kept);
    fs.allowSnapshot(kept.getParent());

    MoverReport report;
    try (Watcher unused = new Watcher(cluster, List.of(path(0)), 1, 3)) {
      report =
          moveAnd(
              () -> {
                assertThat(fs.setReplication(path(1), (short) 2)).isTrue();
                assertThat(fs.truncate(path(2), half)).as("needs a recovery").isFalse();
                fs.delete(path(3), false);
                fs.rename(path(4), renamed);
                try (FSDataOutputStream out = fs.append(path(5))) {
                  out.write(tail);
                }
                assertThat(fs.setReplication(path(6), (short) 4)).isTrue();
                fs.createSnapshot(kept.getParent(), "s");
                fs.delete(kept, false);
                // HDFS drops nothing when a block's recovery ends: of one that got its copy during
                // that, a replica too many would stay.
                LiveCluster.await("the truncated block", () -> fs.isFileClosed(path(2)));
              });
    }
    assertThat(report.left()).as("%s", report.left()).noneMatch(MoverReport.Left::fault);

    LiveCluster.await(
        "all as wanted",
        () -> {
          // HDFS may have yet to copy or drop what others asked of it.
          boolean complete = cluster.move(LiveCluster.quick(), cluster.order("", "/t")).complete();
          return complete
              && isIn(path(0), 3)
              && isIn(path(1), 2)
              && isIn(path(2), 3)
              && isIn(renamed, 3)
              && isIn(path(5), 3)
              && isIn(path(6), 4);
        });
    for (int same : new int[] {0, 1, 6}) {
      assertThat(read(path(same))).isEqualTo(written(same));
    }
    assertThat(read(path(2))).isEqualTo(Arrays.copyOf(written(2), half));
    assertThat(fs.exists(path(3))).isFalse();
    assertThat(read(renamed)).isEqualTo(written(4));
    byte[] longer = Arrays.copyOf(written(5), LiveCluster.BLOCK_BYTES + tail.length);
    System.arraycopy(tail, 0, longer, LiveCluster.BLOCK_BYTES, tail.length);
    assertThat(read(path(5))).isEqualTo(longer);
    assertThat(read(new Path("/t/kept/.snapshot/s/file"))).isEqualTo(written(7));
    fs.deleteSnapshot(kept.getParent(), "s");
  }

  /** Of two of three replicas the bytes, or their checksums, are gone from the disk. */
  @Test
  @Timeout(300)
  void aReplicaThatItsNodeCannotReadIsPassedOver() throws Exception {
    write();
    for (int file = 0; file < FILES; file++) {
      LocatedBlock block = cluster.blocks(path(file)).get(0);
      spoil(cluster.mini().getMaterializedReplica(0, block.getBlock()), file);
      spoil(cluster.mini().getMaterializedReplica(1, block.getBlock()), file);
    }

    MoverReport report = cluster.move(LiveCluster.quick(), cluster.order("", "/t"));

    // The NameNode takes a replica that its node could not read for lost, and makes it anew: on an
    // SSD, where that comes before the mover looks again. Then no move of that file is counted.
    assertThat(report.left()).as("%s", report.left()).noneMatch(MoverReport.Left::fault);
    long left = report.left().stream().mapToLong(one -> one.amount().replicas()).sum();
    long elsewhere = 0;
    for (int file = 0; file < FILES; file++) {
      elsewhere += isOnAnSsd(cluster.blocks(path(file)).get(0)) ? 0 : 1;
      assertThat(read(path(file))).isEqualTo(written(file));
    }
    assertThat(report.moved().replicas()).isBetween(1L, FILES - left);
    assertThat(elsewhere).as("%s", report.left()).isLessThanOrEqualTo(left);
  }

  private static int locations(Path file) throws IOException {
    return cluster.blocks(file).get(0).getLocations().length;
  }

  private static void spoil(MaterializedReplica replica, int way) throws IOException {
    switch (way % 3) {
      case 0 -> replica.deleteData();
      case 1 -> replica.truncateData(10);
      default -> replica.deleteMeta();
    }
  }
}
