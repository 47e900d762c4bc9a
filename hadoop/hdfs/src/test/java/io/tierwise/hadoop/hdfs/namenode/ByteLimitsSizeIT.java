package io.tierwise.hadoop.hdfs.namenode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoContiguous;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A count over a million files of three replicas, put into the NameNode's memory as they are. */
@Tag("long")
class ByteLimitsSizeIT {
  private static final int DIRECTORIES = 100;
  private static final int FILES_EACH = 10_000;
  private static final int REPLICAS = 3;
  private static final long BYTES = 1_000;
  private static final long FIRST_ID = 1L << 40;
  private static final PermissionStatus OWNER =
      new PermissionStatus("u", "g", FsPermission.getDirDefault());

  private long nextId = FIRST_ID;

  @Test
  void aMillionFilesAreCountedRightInShortHolds() throws IOException {
    try (TieredCluster cluster =
        TieredCluster.start(
            TieredCluster.settings(TieredCluster.THREE_TIERS), "/r1", "/r2", "/r3")) {
      cluster.directory("/large", null);
      FSNamesystem namesystem = cluster.mini().getNamesystem();
      ClusterIndex index = cluster.host().views().current();
      long root = fill(namesystem, index);
      for (int round = 0; round < 3; round++) {
        TierBytesWalk walk = new TierBytesWalk(namesystem, root, 0);
        int holds = 0;
        long longestNanos = 0;
        long sumNanos = 0;
        for (boolean done = false; !done; holds++) {
          long start = System.nanoTime();
          done = walk.step(TierBytes.UNITS_PER_HOLD, index);
          long nanos = System.nanoTime() - start;
          longestNanos = Math.max(longestNanos, nanos);
          sumNanos += nanos;
        }
        assertThat(walk.bytes()).isEqualTo(BYTES * DIRECTORIES * FILES_EACH);
        assertThat(holds).isGreaterThan(DIRECTORIES * FILES_EACH / TierBytes.UNITS_PER_HOLD);
        LoggerFactory.getLogger(ByteLimitsSizeIT.class)
            .info(
                "{} holds, {} us on average, {} us at most, {} ms in sum",
                holds,
                sumNanos / holds / 1000,
                longestNanos / 1000,
                sumNanos / 1_000_000);
      }
    }
  }

  /** One replica of each file stands on each tier; the directory's id. */
  private long fill(FSNamesystem namesystem, ClusterIndex index) throws IOException {
    FSDirectory tree = namesystem.getFSDirectory();
    DatanodeStorageInfo[] holders = new DatanodeStorageInfo[REPLICAS];
    for (int tier = 0; tier < REPLICAS; tier++) {
      int store = index.nodeStores[tier * index.tiers.count() + tier];
      holders[tier] = index.volumes[index.storeVolumeStarts[store]];
    }
    namesystem.writeLock();
    try {
      INodeDirectory root = tree.getINode("/large").asDirectory();
      for (int i = 0; i < DIRECTORIES; i++) {
        INodeDirectory directory = new INodeDirectory(nextId++, name("d", i), OWNER, 0);
        root.addChild(directory);
        tree.addToInodeMap(directory);
        for (int j = 0; j < FILES_EACH; j++) {
          INodeFile file = file(name("f", j), holders);
          directory.addChild(file);
          tree.addToInodeMap(file);
        }
      }
      return root.getId();
    } finally {
      namesystem.writeUnlock("test");
    }
  }

  private INodeFile file(byte[] name, DatanodeStorageInfo[] holders) {
    long id = nextId++;
    BlockInfo block = new BlockInfoContiguous(new Block(id, BYTES, 1), (short) REPLICAS);
    for (DatanodeStorageInfo holder : holders) {
      holder.addBlock(block, block);
    }
    return new INodeFile(
        id, name, OWNER, 0, 0, new BlockInfo[] {block}, (short) REPLICAS, 128L << 20);
  }

  private static byte[] name(String prefix, int number) {
    return "%s%05d".formatted(prefix, number).getBytes(UTF_8);
  }
}
