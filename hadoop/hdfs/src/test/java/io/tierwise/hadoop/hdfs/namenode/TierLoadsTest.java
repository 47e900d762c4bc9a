package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With {@code dfs.namenode.redundancy.considerLoadByVolume}, which is off by default. */
class TierLoadsTest {
  /** A heartbeat that tells of several volumes; all other answers are Hadoop's own. */
  private static final class Told extends DatanodeDescriptor {
    private final int volumes;

    Told(DatanodeDescriptor node, int volumes) {
      super(node, node.getNetworkLocation());
      this.volumes = volumes;
    }

    @Override
    public int getNumVolumesAvailable() {
      return volumes;
    }
  }

  private static DatanodeDescriptor node(int number, int volumes, int transfers) {
    DatanodeDescriptor node =
        new Told(
            DFSTestUtil.getDatanodeDescriptor("10.0.0." + number, "/r" + number, "h" + number),
            volumes);
    node.setAlive(true);
    node.setXceiverCount(transfers);
    for (int i = 0; i < volumes; i++) {
      BlockManagerTestUtil.updateStorage(
          node,
          new DatanodeStorage(
              "s" + number + "-" + i, DatanodeStorage.State.NORMAL, StorageType.DISK));
    }
    return node;
  }

  /** 124 transfers of 7 volumes: each volume may have 35. */
  @Test
  void aNodeOfManyVolumesMayServeSoManyTimesMore() {
    DatanodeDescriptor large = node(1, 4, 50);
    DatanodeDescriptor small = node(2, 1, 40);
    TierConfiguration tiers = TierConfiguration.byStorageType();
    Configuration conf = new Configuration(false);
    ClusterIndex index =
        ClusterIndex.of(
            List.of(large, small, node(3, 1, 17), node(4, 1, 17)),
            tiers,
            new RegionNames(conf),
            new WriteAdmission(conf, null),
            1);
    int disk = tiers.table().find("disk").orElseThrow().index();
    TierLoads byVolume = TierLoads.of(index, new TierLoads.Rule(false, true, 2, 16));
    assertThat(byVolume.isOverloaded(large, disk)).isFalse();
    assertThat(byVolume.isOverloaded(small, disk)).isTrue();
    TierLoads byNode = TierLoads.of(index, new TierLoads.Rule(false, false, 2, 16));
    assertThat(byNode.isOverloaded(small, disk)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"16k", "-1", "1.5", "99999999999"})
  void theDefaultHoldsForAFloorThatIsNoNumber(String floor) {
    Configuration conf = new Configuration(false);
    conf.set(TierLoads.FLOOR_KEY, floor);
    assertThat(TierLoads.Rule.of(conf).floorTransfers()).isEqualTo(TierLoads.FLOOR_DEFAULT);
  }
}
