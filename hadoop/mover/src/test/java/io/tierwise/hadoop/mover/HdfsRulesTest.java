package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.FileToMove.Deletion;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

/** Which moves between nodes end as they were planned: HDFS drops the replica that they name. */
class HdfsRulesTest {
  private static final int NODES = 5;
  private static final int REPLICAS = 3;

  private final MadeNodes nodes = new MadeNodes(NODES, NODES);
  private ClusterSnapshot cluster = ClusterSnapshot.of(nodes.report(), nodes.names(), 0);

  /** Of a block with one replica on an SSD and two on disks. */
  private HdfsRules rules(Deletion deletion, String storagePolicy, int keptBySnapshots) {
    LocatedBlock disks = nodes.block(1, 0, 1, 2);
    StorageType[] types = {StorageType.SSD, StorageType.DISK, StorageType.DISK};
    LocatedBlock block =
        new LocatedBlock(disks.getBlock(), disks.getLocations(), disks.getStorageIDs(), types);
    FileToMove file =
        new FileToMove(
            "/file", Made.file(REPLICAS), null, deletion, null, keptBySnapshots, storagePolicy);
    return new HdfsRules(cluster, file, block);
  }

  private HdfsRules stock(String storagePolicy) {
    return rules(Deletion.BY_STORAGE_POLICY, storagePolicy, 0);
  }

  private int volume(int node, StorageType type) {
    for (int volume = 0; volume < 2 * NODES; volume++) {
      Endpoint endpoint = cluster.endpoint(volume);
      if (endpoint.type() == type && endpoint.node().getHostName().equals("node" + node)) {
        return volume;
      }
    }
    throw new AssertionError(type + " of node " + node);
  }

  private boolean keepsCopy(HdfsRules rules, StorageType from, StorageType to) {
    return rules.keepsCopy(volume(1, from), volume(4, to));
  }

  @Test
  void aStoragePolicyDropsTheOldReplicaOfATypeOfWhichItHasOneTooMany() {
    assertThat(keepsCopy(stock("ONE_SSD"), StorageType.DISK, StorageType.DISK)).isTrue();
    assertThat(keepsCopy(stock("ONE_SSD"), StorageType.DISK, StorageType.SSD)).isFalse();
    assertThat(keepsCopy(stock("ALL_SSD"), StorageType.DISK, StorageType.SSD)).isTrue();
    assertThat(keepsCopy(stock("HOT"), StorageType.DISK, StorageType.SSD)).isFalse();
  }

  /** An HDFS may have another one than HOT for all files. */
  @Test
  void aFileWithoutAStoragePolicyHasThatOfItsHdfs() {
    assertThat(keepsCopy(stock(null), StorageType.DISK, StorageType.SSD)).isFalse();
    cluster =
        ClusterSnapshot.of(nodes.report(), nodes.names(HdfsConstants.ALLSSD_STORAGE_POLICY_ID), 0);
    assertThat(keepsCopy(stock(null), StorageType.DISK, StorageType.SSD)).isTrue();
    assertThat(keepsCopy(stock("HOT"), StorageType.DISK, StorageType.SSD)).isFalse();
  }

  @Test
  void nothingGoesThatASnapshotKeeps() {
    HdfsRules kept = rules(Deletion.BY_STORAGE_POLICY, "ONE_SSD", REPLICAS + 1);
    assertThat(keepsCopy(kept, StorageType.DISK, StorageType.DISK)).isFalse();
  }

  @Test
  void thePluginDropsTheOneThatIsNamedWhenItGoesByTheLayoutThatIsWanted() {
    HdfsRules wanted = rules(Deletion.BY_WANTED_POLICY, null, 0);
    assertThat(keepsCopy(wanted, StorageType.DISK, StorageType.SSD)).isTrue();
    HdfsRules other = rules(Deletion.BY_OTHER_POLICY, null, 0);
    assertThat(keepsCopy(other, StorageType.DISK, StorageType.SSD)).isFalse();

    String target = cluster.endpoint(volume(4, StorageType.SSD)).key();
    wanted.without(Set.of(target), Set.of());
    assertThat(keepsCopy(wanted, StorageType.DISK, StorageType.SSD)).as("failed there").isFalse();
  }
}
