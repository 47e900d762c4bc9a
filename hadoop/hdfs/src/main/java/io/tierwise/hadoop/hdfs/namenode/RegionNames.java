package io.tierwise.hadoop.hdfs.namenode;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.apache.hadoop.util.StringUtils;

/**
 * The region of a rack: what the administrator maps it to, else its location's first part when it
 * has at least two ({@code /east/rack7} is in {@code east}), else the one region of the cluster.
 */
public final class RegionNames {
  /**
   * {@code location=region} pairs, comma-separated; a location also stands for all below it that no
   * longer one names.
   */
  public static final String REGIONS_KEY = "tierwise.namenode.regions";

  /** What {@link #hasNodeGroups(Configuration)} reads. */
  public static final List<String> NODE_GROUP_KEYS =
      List.of(
          DFSConfigKeys.DFS_USE_DFS_NETWORK_TOPOLOGY_KEY,
          CommonConfigurationKeysPublic.NET_TOPOLOGY_IMPL_KEY);

  static final String SINGLE_REGION = "default";

  /** By location without a slash at its end; the longest first, since it says most. */
  private final Map<String, String> regionOfLocation =
      new TreeMap<>(
          Comparator.comparingInt(String::length)
              .reversed()
              .thenComparing(Comparator.naturalOrder()));

  private final boolean nodeGroups;

  /** Reads the administrator's map. */
  public RegionNames(Configuration conf) {
    this(conf.get(REGIONS_KEY, ""), hasNodeGroups(conf));
  }

  /**
   * As a NameNode tells them.
   *
   * @param pairs its {@link #REGIONS_KEY}
   * @param nodeGroups whether node groups stand below racks
   */
  public RegionNames(String pairs, boolean nodeGroups) {
    this.nodeGroups = nodeGroups;
    for (String pair : StringUtils.getTrimmedStrings(pairs)) {
      int equals = pair.indexOf('=');
      if (equals <= 0 || equals == pair.length() - 1 || pair.charAt(0) != '/') {
        throw new IllegalArgumentException(
            REGIONS_KEY + ": \"" + pair + "\" must read /location=region");
      }
      String location = pair.substring(0, equals).replaceAll("/+$", "");
      regionOfLocation.put(location, pair.substring(equals + 1));
    }
  }

  /** Whether the NameNode of {@code conf} makes a tree in which node groups stand below racks. */
  public static boolean hasNodeGroups(Configuration conf) {
    boolean generic =
        !conf.getBoolean(
            DFSConfigKeys.DFS_USE_DFS_NETWORK_TOPOLOGY_KEY,
            DFSConfigKeys.DFS_USE_DFS_NETWORK_TOPOLOGY_DEFAULT);
    // The class of a NameNode need not be on the class path of whoever asks for its racks.
    Class<?> tree =
        conf.getClassByNameOrNull(
            conf.getTrimmed(CommonConfigurationKeysPublic.NET_TOPOLOGY_IMPL_KEY, ""));
    return generic && tree != null && NetworkTopologyWithNodeGroup.class.isAssignableFrom(tree);
  }

  /** Whether node groups stand below racks. */
  boolean hasNodeGroups() {
    return nodeGroups;
  }

  /** The rack of a network location: all of it, less the node group where there are any. */
  public String rackOf(String location) {
    return nodeGroups ? NetworkTopology.getFirstHalf(location) : location;
  }

  /** The region of a network location, as HDFS has it: a rack is in one whole. */
  public String regionOf(String location) {
    return regionOfRack(rackOf(location));
  }

  private String regionOfRack(String rack) {
    for (Map.Entry<String, String> entry : regionOfLocation.entrySet()) {
      String prefix = entry.getKey();
      if (rack.startsWith(prefix)
          && (rack.length() == prefix.length() || rack.charAt(prefix.length()) == '/')) {
        return entry.getValue();
      }
    }
    int second = rack.indexOf('/', 1);
    return second > 1 ? rack.substring(1, second) : SINGLE_REGION;
  }
}
