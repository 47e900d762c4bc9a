package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.Test;

class DecisionKindTest {
  private final DatanodeDescriptor node =
      DFSTestUtil.createDatanodeStorageInfo("s", "10.0.0.1", "/r1", "node", StorageType.DISK, null)
          .getDatanodeDescriptor();
  private final List<DatanodeStorageInfo> replica = List.of(node.getStorageInfos());

  @Test
  void copyWithoutALiveReplicaIsKnownByItsExcludedSource() {
    Set<Node> excluded = Set.of(node);
    assertThat(DecisionKind.of(List.of(), false, null, node, excluded))
        .isEqualTo(DecisionKind.RECONSTRUCTION);
    assertThat(DecisionKind.of(List.of(), false, null, node, Set.of()))
        .isEqualTo(DecisionKind.GATEWAY);
    assertThat(DecisionKind.of(List.of(), false, null, node, null)).isEqualTo(DecisionKind.GATEWAY);
    assertThat(DecisionKind.of(List.of(), false, null, null, excluded))
        .isEqualTo(DecisionKind.GATEWAY);
  }

  @Test
  void otherKindsAreKnownByReplicasFlagsAndWhetherThePipelineIsReturned() {
    EnumSet<AddBlockFlag> flags = EnumSet.noneOf(AddBlockFlag.class);
    assertThat(DecisionKind.of(List.of(), false, flags, node, Set.of(node)))
        .isEqualTo(DecisionKind.NEW_BLOCK);
    assertThat(DecisionKind.of(replica, true, null, node, null))
        .isEqualTo(DecisionKind.PIPELINE_REPAIR);
    assertThat(DecisionKind.of(replica, false, null, node, null))
        .isEqualTo(DecisionKind.RECONSTRUCTION);
  }
}
