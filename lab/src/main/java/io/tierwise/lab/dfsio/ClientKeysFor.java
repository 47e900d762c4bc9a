package io.tierwise.lab.dfsio;

import io.tierwise.hadoop.hdfs.client.ClientKeys;
import io.tierwise.hadoop.hdfs.client.TierwiseFileSystem;
import io.tierwise.policies.access.AccessStrategies;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The configuration that makes a client stock, and the one that gives it a strategy. */
public final class ClientKeysFor {
  /** The extended attribute that carries a path's placement. */
  public static final String PLACEMENT_ATTRIBUTE = "user.tierwise.placement";

  private static final String CLIENT_CLASS = "fs.hdfs.impl";

  private ClientKeysFor() {}

  /** The keys of a client with that access; whatever begins with "stock" is HDFS's own client. */
  public static Map<String, String> access(String access) {
    Map<String, String> keys = new LinkedHashMap<>();
    if (access.startsWith("stock")) {
      keys.put(CLIENT_CLASS, DistributedFileSystem.class.getName());
    } else {
      keys.put(CLIENT_CLASS, TierwiseFileSystem.class.getName());
      keys.put(ClientKeys.STRATEGY, AccessStrategies.parse(access).name());
    }
    return keys;
  }

  /** A copy for HDFS's own client. */
  public static Configuration stock(Configuration conf) {
    Configuration copy = new Configuration(conf);
    access("stock").forEach(copy::set);
    return copy;
  }
}
