package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/** The keys of a NameNode that orders replicas. */
public final class OrderKeys {
  private OrderKeys() {}

  public static Map<String, String> of(String strategy) {
    return Map.of(
        DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY,
        TierwiseTopology.class.getName(),
        TierwiseTopology.STRATEGY,
        strategy);
  }

  /**
   * The same, with tiers of its own.
   *
   * @param folder for the file of tiers
   */
  public static Map<String, String> of(String strategy, File folder, String tiers)
      throws IOException {
    File file = new File(folder, "tiers.yaml");
    Files.writeString(file.toPath(), tiers);
    Map<String, String> keys = new HashMap<>(of(strategy));
    keys.put(TierConfiguration.FILE_KEY, file.toString());
    return keys;
  }
}
