package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatusDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.ComposedPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Where the plug-in does not decide it calls the cluster's class once, for any number of replicas.
 */
class HookCallsTest {
  private static final int REPLICAS_MAX = 512;
  private static final AtomicInteger CALLS = new AtomicInteger();

  private final NetworkTopology topology = new NetworkTopology();
  private final TierwisePlacementPolicy policy =
      ReflectionUtils.newInstance(TierwisePlacementPolicy.class, conf());
  private final List<DatanodeStorageInfo> replicas = new ArrayList<>();

  private static Configuration conf() {
    Configuration conf = new Configuration(false);
    conf.setClass(ComposedPlacementPolicy.UNMANAGED_KEY, Counting.class, Counting.class);
    return conf;
  }

  /** The cluster's own class; counts and answers at once. */
  public static final class Counting extends BlockPlacementPolicyDefault {
    @Override
    public BlockPlacementStatus verifyBlockPlacement(DatanodeInfo[] nodes, int wanted) {
      CALLS.incrementAndGet();
      return new BlockPlacementStatusDefault(2, 2, 2);
    }

    @Override
    public boolean isMovable(
        Collection<DatanodeInfo> nodes, DatanodeInfo source, DatanodeInfo target) {
      CALLS.incrementAndGet();
      return false;
    }

    @Override
    public List<DatanodeStorageInfo> chooseReplicasToDelete(
        Collection<DatanodeStorageInfo> available,
        Collection<DatanodeStorageInfo> candidates,
        int wanted,
        List<StorageType> excess,
        DatanodeDescriptor added,
        DatanodeDescriptor hint) {
      CALLS.incrementAndGet();
      return List.of();
    }

    @Override
    public DatanodeStorageInfo[] chooseTarget(
        String path,
        int wanted,
        Node writer,
        List<DatanodeStorageInfo> chosen,
        boolean returnsChosen,
        Set<Node> excluded,
        long bytes,
        BlockStoragePolicy storagePolicy,
        EnumSet<AddBlockFlag> flags) {
      CALLS.incrementAndGet();
      return DatanodeStorageInfo.EMPTY_ARRAY;
    }
  }

  @BeforeEach
  void makeReplicas() {
    policy.initialize(conf(), null, topology, null);
    String[] racks = new String[REPLICAS_MAX];
    Arrays.setAll(racks, i -> "/r" + i % 3);
    replicas.addAll(
        Arrays.asList(DFSTestUtil.createDatanodeStorageInfos(REPLICAS_MAX, racks, new String[0])));
    replicas.forEach(replica -> topology.add(replica.getDatanodeDescriptor()));
    CALLS.set(0);
  }

  private DatanodeInfo[] nodes(int count) {
    return replicas.subList(0, count).stream()
        .map(DatanodeStorageInfo::getDatanodeDescriptor)
        .toArray(DatanodeInfo[]::new);
  }

  @Test
  void eachQuestionIsPassedOnOnce() {
    for (int count : new int[] {1, 3, 64, REPLICAS_MAX}) {
      DatanodeInfo[] nodes = nodes(count);
      CALLS.set(0);
      policy.verifyBlockPlacement(nodes, 3);
      assertThat(CALLS).as("verify %d", count).hasValue(1);
      policy.isMovable(List.of(nodes), nodes[0], nodes[count - 1]);
      assertThat(CALLS).as("move one of %d", count).hasValue(2);
      List<DatanodeStorageInfo> all = replicas.subList(0, count);
      policy.chooseReplicasToDelete(all, all, 1, List.of(), null, null);
      assertThat(CALLS).as("drop of %d", count).hasValue(3);
      policy.chooseTarget("/file", 1, null, all, false, null, 1, null, null);
      assertThat(CALLS).as("copy beside %d", count).hasValue(4);
    }
  }
}
