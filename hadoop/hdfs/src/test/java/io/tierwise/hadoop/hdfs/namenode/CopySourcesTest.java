package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoContiguous;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.junit.jupiter.api.Test;

class CopySourcesTest {
  private static final long BYTES = 100;

  private final DatanodeStorageInfo live = storage(1);
  private final DatanodeStorageInfo serviced = storage(2);
  private final DatanodeStorageInfo servicedToo = storage(3);

  private static DatanodeStorageInfo storage(int node) {
    return DFSTestUtil.createDatanodeStorageInfo(
        "s" + node, "10.0.0." + node, "/r", "h" + node, StorageType.DISK, null);
  }

  private static BlockInfo block(long id, long bytes, DatanodeStorageInfo... holders) {
    BlockInfo block = new BlockInfoContiguous(new Block(id, bytes, 1), (short) 3);
    for (DatanodeStorageInfo holder : holders) {
      holder.addBlock(block, block);
    }
    return block;
  }

  private List<DatanodeStorageInfo> waiting(BlockInfo... blocks) {
    serviced.getDatanodeDescriptor().setInMaintenance();
    servicedToo.getDatanodeDescriptor().setInMaintenance();
    INodeFile file =
        new INodeFile(
            7,
            "file".getBytes(StandardCharsets.UTF_8),
            new PermissionStatus("u", "g", FsPermission.getDefault()),
            0,
            0,
            blocks,
            (short) 3,
            BYTES);
    return CopySources.waiting(
        file,
        new PathPolicies.Occasion(
            DecisionKind.RECONSTRUCTION,
            null,
            BYTES,
            List.of(live),
            Set.of(
                live.getDatanodeDescriptor(),
                serviced.getDatanodeDescriptor(),
                servicedToo.getDatanodeDescriptor())));
  }

  /** All that hold it are told: one on fewer of them is another block, whatever its length. */
  @Test
  void theBlockIsOnEachNodeInMaintenanceThatIsNamed() {
    BlockInfo copied = block(1, BYTES, live, serviced, servicedToo);
    BlockInfo onOne = block(2, BYTES, live, serviced);
    BlockInfo notLive = block(3, BYTES, serviced, servicedToo);
    BlockInfo shorter = block(4, BYTES - 1, live, serviced, servicedToo);
    assertThat(waiting(onOne, copied, notLive, shorter))
        .containsExactlyInAnyOrder(serviced, servicedToo);
    assertThat(waiting(onOne, notLive, shorter)).isEmpty();
  }
}
