package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.io.IOUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Quotas of storage types hold for managed files, and fail none where stock HDFS would not. */
class TypeQuotaIT {
  private static final int BLOCKS = 6;
  private static final String ON_FAST = "layout:3 x fast";

  private static TieredCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        TieredCluster.start(
            TieredCluster.settings(TieredCluster.THREE_TIERS), "/r1", "/r1", "/r2", "/r2");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void limit(Path directory, StorageType type, int replicas) throws IOException {
    cluster
        .files()
        .setQuotaByStorageType(directory, type, (long) replicas * TieredCluster.BLOCK_BYTES);
  }

  private static long overQuota() {
    return cluster.counters().fallbacks().getOrDefault("fast/quota", 0L);
  }

  @Test
  void anAttributePlacesNothingOnATypeWhoseQuotaWouldNotCountIt() throws IOException {
    Path above = cluster.directory("/uncounted", null);
    limit(above, StorageType.SSD, 1);
    long before = overQuota();
    Path file = new Path(cluster.directory("/uncounted/of/user", ON_FAST), "file");
    cluster.write(file, BLOCKS, 3);
    assertThat(cluster.tiersOfBlocks(file)).containsOnly("middle middle middle");
    assertThat(overQuota() - before).isEqualTo(3 * BLOCKS);
    cluster.assertWhole(file, BLOCKS);
  }

  @Test
  void aQuotaThatIsSetInTheMiddleOfAWriteHoldsFromTheNextBlock() throws IOException {
    Path directory = cluster.directory("/later", ON_FAST);
    Path file = new Path(directory, "file");
    byte[] content = TieredCluster.blocksOf(file, BLOCKS);
    int half = content.length / 2;
    try (FSDataOutputStream out =
        cluster.files().create(file, true, 4096, (short) 3, TieredCluster.BLOCK_BYTES)) {
      out.write(content, 0, half);
      out.hsync();
      limit(directory, StorageType.SSD, 1);
      out.write(content, half, content.length - half);
    }
    cluster.awaitReplicas(file, 3);
    List<String> tiers = cluster.tiersOfBlocks(file);
    assertThat(tiers.subList(0, BLOCKS / 2)).containsOnly("fast fast fast");
    assertThat(tiers.subList(BLOCKS / 2, BLOCKS)).containsOnly("middle middle middle");
    cluster.assertWhole(file, BLOCKS);
  }

  @Test
  void asManyReplicasAsTheStoragePolicyIsChargedForGoToTheType() throws IOException {
    Path directory = cluster.directory("/one", ON_FAST);
    cluster.files().setStoragePolicy(directory, "ONE_SSD");
    limit(directory, StorageType.SSD, BLOCKS);
    Path file = new Path(directory, "file");
    cluster.write(file, BLOCKS, 3);
    assertThat(cluster.tiersOfBlocks(file)).containsOnly("fast middle middle");
  }

  @Test
  void aQuotaThatFillsInTheMiddleOfAWriteEndsItWhereItEndsOneOfStockHdfs() throws IOException {
    int ofStock = blocksUntilTheQuotaIsSpent(cluster.directory("/filled-stock", null));
    int ours = blocksUntilTheQuotaIsSpent(cluster.directory("/filled-managed", ON_FAST));
    assertThat(ours).isEqualTo(ofStock).isEqualTo(BLOCKS / 2);
  }

  /** Writes block after block, all of them charged to SSD; how many were written. */
  private static int blocksUntilTheQuotaIsSpent(Path directory) throws IOException {
    cluster.files().setStoragePolicy(directory, "ALL_SSD");
    limit(directory, StorageType.SSD, 3 * BLOCKS / 2);
    for (int written = 0; ; written++) {
      Path file = new Path(directory, "file" + written);
      try (FSDataOutputStream out =
          cluster.files().create(file, true, 4096, (short) 3, TieredCluster.BLOCK_BYTES)) {
        out.write(TieredCluster.blocksOf(file, 1));
      } catch (QuotaByStorageTypeExceededException e) {
        return written;
      }
      cluster.awaitReplicas(file, 3);
      assertThat(cluster.tiersOfBlocks(file)).containsOnly("fast fast fast");
      cluster.assertWhole(file, 1);
    }
  }

  @Test
  void aQuotaThatFillsBetweenTheBlocksOfOneFileFailsNothingThatStockHdfsWouldNotFail()
      throws IOException {
    int ofStock = blocksOfOneFileUntilTheQuotaIsSpent(cluster.directory("/one-stock", null));
    int ours = blocksOfOneFileUntilTheQuotaIsSpent(cluster.directory("/one-managed", ON_FAST));
    assertThat(ours).isEqualTo(ofStock).isEqualTo(BLOCKS / 2);
  }

  /** Writes one file whose blocks are charged to SSD; how many blocks it has in the end. */
  private static int blocksOfOneFileUntilTheQuotaIsSpent(Path directory) throws IOException {
    cluster.files().setStoragePolicy(directory, "ALL_SSD");
    limit(directory, StorageType.SSD, 3 * BLOCKS / 2);
    Path file = new Path(directory, "file");
    byte[] content = TieredCluster.blocksOf(file, BLOCKS);
    FSDataOutputStream out =
        cluster.files().create(file, true, 4096, (short) 3, TieredCluster.BLOCK_BYTES);
    int written = 0;
    try {
      for (; written < BLOCKS; written++) {
        out.write(content, written * TieredCluster.BLOCK_BYTES, TieredCluster.BLOCK_BYTES);
        out.hsync();
      }
    } catch (QuotaByStorageTypeExceededException e) {
      cluster.awaitReplicas(file, 3);
      assertThat(cluster.tiersOfBlocks(file)).hasSize(written).containsOnly("fast fast fast");
    } finally {
      IOUtils.closeStream(out); // As a client whose write has failed: what was synced stays.
    }
    return written;
  }

  /** Blocks that nobody is charged for never end a write: the type is left, the file goes on. */
  @Test
  void aFileThatIsChargedNothingGoesOnWhenAnotherSpendsTheQuotaInTheMiddleOfIt()
      throws IOException {
    Path directory = cluster.directory("/shared", ON_FAST);
    limit(directory, StorageType.SSD, 3);
    Path charged = cluster.directory("/shared/charged", null);
    cluster.files().setStoragePolicy(charged, "ALL_SSD");
    Path file = new Path(directory, "file");
    byte[] content = TieredCluster.blocksOf(file, BLOCKS);
    int half = content.length / 2;
    try (FSDataOutputStream out =
        cluster.files().create(file, true, 4096, (short) 3, TieredCluster.BLOCK_BYTES)) {
      out.write(content, 0, half);
      out.hsync();
      cluster.write(new Path(charged, "other"), 1, 3); // The quota is spent.
      out.write(content, half, content.length - half);
    }
    cluster.awaitReplicas(file, 3);
    assertThat(cluster.tiersOfBlocks(file)).hasSize(BLOCKS).containsOnly("middle middle middle");
    cluster.assertWhole(file, BLOCKS);
    assertThat(cluster.tiersOfBlocks(new Path(charged, "other"))).containsOnly("fast fast fast");
  }

  @Test
  void whereEveryTierIsLimitedStockHdfsPlacesAndTheWriteGoesOn() throws IOException {
    Path directory = cluster.directory("/everywhere", ON_FAST);
    limit(directory, StorageType.SSD, 1);
    limit(directory, StorageType.ARCHIVE, 1);
    limit(directory, StorageType.DISK, 1000);
    Path file = new Path(directory, "file");
    cluster.write(file, BLOCKS, 3);
    assertThat(cluster.tiersOfBlocks(file)).containsOnly("middle middle middle");
  }
}
