package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.Test;

/** The rule that is left where nobody can say whose block is thinned out. */
class ExcessChoiceTest {
  private final NetworkTopology topology = new NetworkTopology();
  private final DatanodeStorageInfo fast = storage("fast", "/r1", StorageType.SSD);
  private final DatanodeStorageInfo first = storage("first", "/r2", StorageType.DISK);
  private final DatanodeStorageInfo second = storage("second", "/r3", StorageType.DISK);
  private final DatanodeStorageInfo third = storage("third", "/r3", StorageType.DISK);

  private DatanodeStorageInfo storage(String name, String rack, StorageType type) {
    String address = "10.0.0." + (1 + topology.getNumOfLeaves());
    DatanodeDescriptor node =
        DFSTestUtil.createDatanodeStorageInfo(name, address, rack, name, type, null)
            .getDatanodeDescriptor();
    topology.add(node);
    return node.getStorageInfos()[0];
  }

  private PlacementHost host(boolean guardsTiers) {
    Configuration conf = new Configuration(false);
    WriteAdmission admission = new WriteAdmission(conf, null);
    ViewKeeper views =
        new ViewKeeper(
            topology,
            TierConfiguration.byStorageType(),
            new RegionNames(conf),
            admission,
            1,
            1,
            () -> {});
    return new PlacementHost(
        topology, views, admission, null, new PlacementCounters(), null, guardsTiers);
  }

  @Test
  void lastReplicaInATierStaysWhileAnotherTierHasTwoAlsoWhenItIsTheHint() {
    PlacementHost host = host(true);
    List<DatanodeStorageInfo> dropped =
        ExcessChoice.choose(
            host, List.of(fast, first, second, third), 2, fast.getDatanodeDescriptor());
    assertThat(dropped).hasSize(2).doesNotContain(fast);
    assertThat(host.counters().deletionsByTierRule()).isEqualTo(2);
  }

  @Test
  void hintIsFollowedWhereItsTierKeepsAReplica() {
    assertThat(
            ExcessChoice.choose(
                host(true), List.of(fast, first, second), 2, first.getDatanodeDescriptor()))
        .containsExactly(first);
  }

  @Test
  void rackWithTwoReplicasLosesOneFirst() {
    assertThat(ExcessChoice.choose(host(true), List.of(fast, first, second, third), 3, null))
        .hasSize(1)
        .isSubsetOf(first, second, third);
  }

  @Test
  void replicasInOneTierAreStocksAndSoIsEverythingWhenTheRuleIsOff() {
    assertThat(ExcessChoice.choose(host(true), List.of(first, second, third), 2, null)).isNull();
    assertThat(ExcessChoice.choose(host(false), List.of(fast, first, second), 2, null)).isNull();
  }
}
