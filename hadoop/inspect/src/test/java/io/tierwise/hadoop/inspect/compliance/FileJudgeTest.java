package io.tierwise.hadoop.inspect.compliance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.policies.placement.PlacementPolicy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

class FileJudgeTest {
  private static final int BYTES = 100;

  private final FileJudge judge = judge(new Configuration(false));
  private final PlacementPolicy policy = judge.read("layout:1 x ssd + 2 x disk").policy();

  private static FileJudge judge(Configuration conf) {
    return FileJudge.of(
        conf,
        new NameNodePlugin.Answer("nn", NameNodePlugin.State.MISSING, null, null),
        TierConfiguration.parse(
            """
            tiers:
              - {name: ssd, match: {storage-type: SSD}}
              - {name: disk, match: {storage-type: DISK}}
            """,
            "test"));
  }

  private static DatanodeInfoWithStorage replica(int node, StorageType type, AdminStates state) {
    return replica(node, "/rack", type, state);
  }

  private static DatanodeInfoWithStorage replica(
      int node, String location, StorageType type, AdminStates state) {
    DatanodeInfo info =
        new DatanodeInfoBuilder()
            .setHostName("host" + node)
            .setIpAddr("192.0.2." + node)
            .setXferPort(9866)
            .setDatanodeUuid("uuid" + node)
            .setNetworkLocation(location)
            .setAdminState(state)
            .build();
    return new DatanodeInfoWithStorage(info, "storage" + node, type);
  }

  private static LocatedBlock block(DatanodeInfoWithStorage... replicas) {
    ExtendedBlock block = new ExtendedBlock("pool", 1, BYTES, 1);
    String[] storages = new String[replicas.length];
    StorageType[] types = new StorageType[replicas.length];
    for (int i = 0; i < replicas.length; i++) {
      storages[i] = replicas[i].getStorageID();
      types[i] = replicas[i].getStorageType();
    }
    return new LocatedBlock(block, replicas, storages, types);
  }

  private static HdfsLocatedFileStatus file(LocatedBlock block) {
    return (HdfsLocatedFileStatus)
        new HdfsFileStatus.Builder()
            .length(BYTES)
            .replication(3)
            .blocksize(BYTES)
            .fileId(7)
            .path("file".getBytes(StandardCharsets.UTF_8))
            .locations(new LocatedBlocks(BYTES, false, List.of(block), block, true, null, null))
            .build();
  }

  private BlockFit fit(LocatedBlock block) {
    return judge.fit(policy, file(block), 0, block).orElseThrow();
  }

  @Test
  void theReplicaOfANodeThatIsDecommissionedLeavesItsPlaceToTheOneMadeForIt() {
    for (AdminStates state :
        List.of(AdminStates.DECOMMISSION_INPROGRESS, AdminStates.DECOMMISSIONED)) {
      LocatedBlock block =
          block(
              replica(1, StorageType.SSD, state),
              replica(2, StorageType.DISK, AdminStates.NORMAL),
              replica(3, StorageType.DISK, AdminStates.NORMAL),
              replica(4, StorageType.SSD, AdminStates.NORMAL));
      assertThat(fit(block).fits()).containsExactly(null, true, true, true);
      assertThat(judge.wanted(fit(block))).containsExactly(null, "disk", "disk", "ssd");
      Compliance compliance = judge.judge(policy, file(block));
      assertThat(compliance.getBlocksOnTier()).isOne();
      assertThat(compliance.getReplicaBytes()).isEqualTo(3 * BYTES);
      assertThat(compliance.getReplicaBytesOnTier()).isEqualTo(3 * BYTES);
    }
  }

  /** As the NameNode does: a rack of which groups are a level below is no region. */
  @Test
  void regionsAndRacksAreThoseAboveNodeGroups() {
    Configuration conf = new Configuration(false);
    conf.setBoolean("dfs.use.dfs.network.topology", false);
    conf.set("net.topology.impl", "org.apache.hadoop.net.NetworkTopologyWithNodeGroup");
    FileJudge ofGroups = judge(conf);
    LocatedBlock block =
        block(
            replica(1, "/r1/g1", StorageType.SSD, AdminStates.NORMAL),
            replica(2, "/r1/g2", StorageType.DISK, AdminStates.NORMAL));
    PlacementPolicy wanted = ofGroups.read("layout:1 x ssd + 1 x disk in region default").policy();
    assertThat(ofGroups.fit(wanted, file(block), 0, block).orElseThrow().fits())
        .containsExactly(true, true);
    assertThat(ofGroups.regionOf(block.getLocations()[0])).isEqualTo("default");
  }

  @Test
  void whatStaysIsJudgedAsEver() {
    LocatedBlock block =
        block(
            replica(1, StorageType.SSD, AdminStates.NORMAL),
            replica(2, StorageType.DISK, AdminStates.ENTERING_MAINTENANCE),
            replica(3, StorageType.SSD, AdminStates.NORMAL));
    assertThat(fit(block).fits()).containsExactly(true, true, false);
    assertThat(judge.wanted(fit(block))).containsExactly("ssd", "disk", "disk");
    assertThat(judge.judge(policy, file(block)).getBlocksOnTier()).isZero();
  }

  @Test
  void whereNoReplicaStaysThoseThatLeaveAreJudged() {
    LocatedBlock block =
        block(
            replica(1, StorageType.SSD, AdminStates.DECOMMISSION_INPROGRESS),
            replica(2, StorageType.SSD, AdminStates.DECOMMISSION_INPROGRESS));
    assertThat(fit(block).fits()).containsExactly(true, false);
  }
}
