package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithUpgradeDomain;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.Test;

/** The cost of the cluster's own rule under the NameNode's write lock. */
class PlacementRuleTest {
  private static final int KEPT = 3;
  private static final int DOMAINS = 5;

  private final NetworkTopology topology = new NetworkTopology();
  private final BlockPlacementPolicyWithUpgradeDomain upgradeDomains =
      new BlockPlacementPolicyWithUpgradeDomain();

  PlacementRuleTest() {
    upgradeDomains.initialize(new Configuration(false), null, topology, null);
  }

  private List<DatanodeStorageInfo> replicas(int count) {
    List<DatanodeStorageInfo> replicas = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      DatanodeStorageInfo storage =
          DFSTestUtil.createDatanodeStorageInfo(
              "s" + i,
              "10.0." + i / 250 + "." + i % 250,
              "/r" + i % 7,
              "h" + i,
              StorageType.DISK,
              "domain" + i % DOMAINS);
      topology.add(storage.getDatanodeDescriptor());
      replicas.add(storage.getDatanodeDescriptor().getStorageInfos()[0]);
    }
    return replicas;
  }

  /** A list that counts how often an element is looked at. */
  private static final class Counting extends AbstractList<DatanodeStorageInfo> {
    private final List<DatanodeStorageInfo> elements;
    private long looks;

    Counting(List<DatanodeStorageInfo> elements) {
      this.elements = elements;
    }

    @Override
    public DatanodeStorageInfo get(int index) {
      looks++;
      return elements.get(index);
    }

    @Override
    public int size() {
      return elements.size();
    }
  }

  private List<DatanodeStorageInfo> allBut(List<DatanodeStorageInfo> replicas, int... kept) {
    List<DatanodeStorageInfo> dropped = new ArrayList<>(replicas);
    for (int replica : kept) {
      dropped.remove(replicas.get(replica));
    }
    return dropped;
  }

  @Test
  void eachReplicaIsLookedAtAFewTimesHoweverManyThereAre() {
    for (int count : new int[] {32, 128, 512}) {
      List<DatanodeStorageInfo> replicas = replicas(count);
      // The three that stay share an upgrade domain, so that the class's own choice is asked for.
      Counting dropped = new Counting(allBut(replicas, 0, DOMAINS, 2 * DOMAINS));
      Counting own = new Counting(allBut(replicas, 0, 1, 2));
      Counting candidates = new Counting(replicas);
      List<DatanodeStorageInfo> mended =
          new PlacementRule(upgradeDomains).mend(dropped, candidates, KEPT, () -> own);
      assertThat(mended).isSameAs(own);
      assertThat(dropped.looks + own.looks + candidates.looks)
          .as("%d replicas", count)
          .isLessThanOrEqualTo(8L * count);
      for (DatanodeStorageInfo replica : replicas) {
        topology.remove(replica.getDatanodeDescriptor());
      }
    }
  }

  @Test
  void amongFewReplicasOneIsExchanged() {
    List<DatanodeStorageInfo> replicas = replicas(16);
    List<DatanodeStorageInfo> dropped = allBut(replicas, 0, 1, DOMAINS + 1);
    List<DatanodeStorageInfo> own = allBut(replicas, 2, 3, 4);
    List<DatanodeStorageInfo> mended =
        new PlacementRule(upgradeDomains).mend(dropped, replicas, KEPT, () -> own);
    assertThat(mended).isNotSameAs(own).hasSize(16 - KEPT);
    List<DatanodeStorageInfo> kept = new ArrayList<>(replicas);
    kept.removeAll(mended);
    assertThat(kept.stream().map(s -> s.getDatanodeDescriptor().getUpgradeDomain()).distinct())
        .hasSize(KEPT);
    kept.retainAll(List.of(replicas.get(0), replicas.get(1), replicas.get(DOMAINS + 1)));
    assertThat(kept).hasSize(KEPT - 1);
  }
}
