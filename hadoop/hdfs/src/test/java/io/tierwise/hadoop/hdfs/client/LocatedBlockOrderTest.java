package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessStrategies;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

class LocatedBlockOrderTest {
  private static final long STALE_MILLIS =
      DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT;
  private static final long NOW_MILLIS = 10 * STALE_MILLIS;
  private static final long SILENT_MILLIS = NOW_MILLIS - 2 * STALE_MILLIS;

  private static LocatedBlock block(long id, DatanodeInfoWithStorage... replicas) {
    return new LocatedBlock(
        new ExtendedBlock("pool", id),
        replicas,
        Stream.of(replicas).map(DatanodeInfoWithStorage::getStorageID).toArray(String[]::new),
        types(replicas).toArray(StorageType[]::new));
  }

  private static DatanodeInfoWithStorage replica(int node, StorageType type, long heardMillis) {
    return new DatanodeInfoWithStorage(
        new DatanodeInfoBuilder()
            .setNodeID(new DatanodeID("10.0.0." + node, "h" + node, "u" + node, 1, 2, 3, 4))
            .setNetworkLocation("/r")
            .setLastUpdateMonotonic(heardMillis)
            .build(),
        "DS-" + node,
        type);
  }

  private static List<AccessReason> reasons(LocatedBlock... blocks) {
    List<LocatedBlock> all = List.of(blocks);
    List<AccessReason> reasons = new ArrayList<>();
    LocatedBlockOrder.of(new Configuration(false), TierConfiguration.byStorageType())
        .order(
            1,
            new LocatedBlocks(1, false, all, all.get(all.size() - 1), true, null, null),
            new AccessPick(0, false, AccessStrategies.parse("greedy")),
            (block, reason) -> reasons.add(reason));
    return reasons;
  }

  private static List<StorageType> types(DatanodeInfoWithStorage... replicas) {
    return Stream.of(replicas).map(DatanodeInfoWithStorage::getStorageType).toList();
  }

  @Test
  void whatIsOnSilentNodesStaysBehindTheOthers() {
    LocatedBlock block =
        block(
            1,
            replica(1, StorageType.DISK, NOW_MILLIS),
            replica(2, StorageType.ARCHIVE, NOW_MILLIS),
            replica(3, StorageType.SSD, SILENT_MILLIS));
    reasons(block);
    assertThat(types(block.getLocations()))
        .containsExactly(StorageType.DISK, StorageType.ARCHIVE, StorageType.SSD);
  }

  /** It is read, from the one that the NameNode lists first, and counts as other reads do. */
  @Test
  void aBlockOnSilentNodesAloneHasOneReplicaInUse() {
    LocatedBlock silent =
        block(
            1,
            replica(1, StorageType.DISK, SILENT_MILLIS),
            replica(2, StorageType.SSD, SILENT_MILLIS));
    LocatedBlock heard = block(2, replica(3, StorageType.DISK, NOW_MILLIS));
    assertThat(reasons(silent, heard))
        .containsExactly(AccessReason.ONLY_REPLICA, AccessReason.ONLY_REPLICA);
    assertThat(types(silent.getLocations())).containsExactly(StorageType.DISK, StorageType.SSD);
  }
}
