package io.tierwise.hadoop.inspect.risk;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.junit.jupiter.api.Test;

class BlockCopiesTest {
  private static final int CELL_BYTES = 1 << 20;
  private static final ErasureCodingPolicy RS_6_3 =
      SystemErasureCodingPolicies.getByID(SystemErasureCodingPolicies.RS_6_3_POLICY_ID);

  private static DatanodeInfo[] nodes(int count, int... decommissioned) {
    DatanodeInfo[] nodes = new DatanodeInfo[count];
    for (int i = 0; i < count; i++) {
      DatanodeID id = new DatanodeID("127.0.0.1", "node", "node" + i, 1 + i, 0, 0, 0);
      nodes[i] = new DatanodeInfo.DatanodeInfoBuilder().setNodeID(id).build();
    }
    Arrays.stream(decommissioned).forEach(i -> nodes[i].setDecommissioned());
    return nodes;
  }

  private static BlockCopies.Stored replicas(DatanodeInfo... nodes) {
    return BlockCopies.of(new LocatedBlock(new ExtendedBlock("pool", 1, 1000, 1), nodes), null);
  }

  private static BlockCopies.Stored group(long bytes, DatanodeInfo[] nodes, int... parts) {
    byte[] indices = new byte[parts.length];
    for (int i = 0; i < parts.length; i++) {
      indices[i] = (byte) parts[i];
    }
    String[] storages = new String[parts.length];
    Arrays.fill(storages, "");
    StorageType[] types = new StorageType[parts.length];
    Arrays.fill(types, StorageType.DISK);
    ExtendedBlock block = new ExtendedBlock("pool", -16, bytes, 1);
    return BlockCopies.of(
        new LocatedStripedBlock(block, nodes, storages, types, indices, 0, false, null), RS_6_3);
  }

  @Test
  void replicasOnDecommissionedNodesCountOnlyWhereThereAreNoOthers() {
    assertThat(replicas(nodes(3, 1)))
        .isEqualTo(new BlockCopies.Stored(new BlockCopies(2, 1, false), 2000));
    assertThat(replicas(nodes(2, 0, 1)).copies()).isEqualTo(new BlockCopies(2, 1, false));
  }

  /** As while a node moves a replica to another of its volumes: it dies with both. */
  @Test
  void aNodeWithTwoReplicasCountsOnce() {
    DatanodeInfo[] nodes = nodes(2);
    assertThat(replicas(nodes[0], nodes[1], nodes[0]))
        .isEqualTo(new BlockCopies.Stored(new BlockCopies(2, 1, false), 2000));
  }

  @Test
  void partsOnDecommissionedNodesCountOnlyWhereTheOthersAreTooFew() {
    long full = 6L * CELL_BYTES;
    int[] all = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    assertThat(group(full, nodes(9, 8), all).copies()).isEqualTo(new BlockCopies(8, 6, true));
    assertThat(group(full, nodes(9, 0, 1, 2, 3), all).copies())
        .isEqualTo(new BlockCopies(9, 6, true));
  }

  @Test
  void aPartThatStandsTwiceCountsOnceAndTooFewPartsAreUnreadable() {
    BlockCopies twice = group(6L * CELL_BYTES, nodes(6), 0, 1, 2, 3, 4, 4).copies();
    assertThat(twice).isEqualTo(new BlockCopies(5, 6, true));
    assertThat(twice.isReadable()).isFalse();
  }

  /** 1.1 cells of data: parts of 1 and 0.1 cells, and three of parity of a cell each. */
  @Test
  void aGroupThatIsNotFullStoresItsPartsAndIsNoReplica() {
    long tenth = CELL_BYTES / 10;
    BlockCopies.Stored stored = group(CELL_BYTES + tenth, nodes(5), 0, 1, 6, 7, 8);
    assertThat(stored.copies()).isEqualTo(new BlockCopies(5, 2, true));
    assertThat(stored.storedBytes()).isEqualTo(4L * CELL_BYTES + tenth);
    assertThat(group(1000, nodes(4), 0, 6, 7, 8).copies().words()).isEqualTo("any 1 of 4");
  }

  @Test
  void aDirectoryDoesNotReachItsSnapshots() {
    assertThat(NamespaceWalk.outermost(List.of("/d", "/d/.snapshot/s", "/d/e")))
        .containsExactly("/d", "/d/.snapshot/s");
    assertThat(NamespaceWalk.outermost(List.of("/", "/d/.snapshot", "/d/.snapshot/s")))
        .containsExactly("/", "/d/.snapshot");
  }

  @Test
  void noFigureIsPrintedAsCertainNorWithPowersWithoutNeed() {
    assertThat(RiskAnswer.risk(0.996)).isEqualTo("0.9960");
    assertThat(RiskAnswer.risk(1 - 1e-11)).isEqualTo("above 0.9999");
    assertThat(RiskAnswer.risk(0)).isEqualTo("below 1e-300");
    assertThat(RiskAnswer.figure(999.7)).isEqualTo("1,000");
    assertThat(RiskAnswer.figure(8.30)).isEqualTo("8.3");
  }
}
