package io.tierwise.lab.demo;

import io.tierwise.hadoop.hdfs.datanode.DataNodeKeys;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import io.tierwise.lab.embedded.EmbeddedNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.TierwiseDatasetFactory;

/** The plug-ins' keys for the demo's daemons. Folders without a policy stay stock HDFS's. */
public final class DemoKeys {
  private DemoKeys() {}

  /**
   * T_r of the SSDs as measured, the disks unlimited. Source: access strategies, Fig. 8: four
   * readers of an SSD.
   */
  static final Map<String, String> STORAGE_LIMIT =
      Map.of(DataNodeKeys.VOLUME_READERS, DataNodeKeys.MEASURED);

  /** T_c of every node. Source: access strategies, Fig. 7: four connections. */
  static final Map<String, String> NODE_LIMIT = Map.of(DataNodeKeys.NODE_READERS, "4");

  /** A NameNode that orders by expected completion, and is told what links carry. */
  static Map<String, String> ordersBy(String auto, long blockBytes) {
    return Map.of(
        DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY,
        TierwiseTopology.class.getName(),
        TierwiseTopology.STRATEGY,
        auto,
        DFSConfigKeys.DFS_BLOCK_SIZE_KEY,
        String.valueOf(blockBytes));
  }

  /** Keys for all daemons; each rack is a region, so that region-aware placement has three. */
  public static Configuration daemons(List<EmbeddedNode> nodes) {
    Configuration conf = new Configuration(false);
    conf.set("dfs.block.replicator.classname", TierwisePlacementPolicy.class.getName());
    conf.set("dfs.namenode.plugins", TierwiseNameNodePlugin.class.getName());
    conf.set("dfs.datanode.fsdataset.factory", TierwiseDatasetFactory.class.getName());
    conf.set(
        "tierwise.namenode.regions",
        nodes.stream()
            .map(EmbeddedNode::rack)
            .distinct()
            .map(rack -> rack + "=region-of-" + rack.substring(1))
            .collect(Collectors.joining(",")));
    return conf;
  }
}
