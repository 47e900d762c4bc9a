package io.tierwise.hadoop.inspect.advise;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.audit.ChecksummedBytes;
import io.tierwise.history.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.net.NetworkTopology;

/**
 * What Hadoop's configuration files say of a cluster, without asking it: replicas, block size, the
 * storage types of DataNodes, and nodes by rack.
 *
 * @param folder that they are in; null where none was named
 * @param replicas of files whose writers do not say; 0 where no site file says so
 * @param blockBytes likewise
 * @param types of {@code dfs.datanode.data.dir}; empty where it is not set
 * @param rackOfNode nodes that files name, in the order of names; empty where none does
 * @param storagePolicy the id of HDFS's storage policy for files without one
 * @param imageNames by which jobs name files of the image
 */
public record SiteConf(
    Path folder,
    int replicas,
    long blockBytes,
    Set<StorageType> types,
    Map<String, String> rackOfNode,
    byte storagePolicy,
    ImageNames imageNames) {
  /** Nobody named a configuration. */
  public static final SiteConf NONE =
      new SiteConf(
          null, 0, 0, Set.of(), Map.of(), HdfsConstants.HOT_STORAGE_POLICY_ID, ImageNames.UNKNOWN);

  private static final List<String> SITE_FILES = List.of("core-site.xml", "hdfs-site.xml");
  private static final String WORKERS = "workers";

  /** The only line of the file that Hadoop ships. */
  private static final String SHIPPED_WORKER = "localhost";

  private static final String TOPOLOGY = "topology.table";

  /**
   * Reads a folder.
   *
   * @param conf that was read from it
   * @throws OperatorException when a value of it cannot be used
   */
  public static SiteConf of(Path folder, Configuration conf) throws IOException {
    if (folder == null) {
      return NONE;
    }
    boolean hasSite =
        SITE_FILES.stream().anyMatch(name -> Files.isRegularFile(folder.resolve(name)));
    return hasSite
        ? new SiteConf(
            folder,
            conf.getInt(DFSConfigKeys.DFS_REPLICATION_KEY, DFSConfigKeys.DFS_REPLICATION_DEFAULT),
            conf.getLongBytes(
                DFSConfigKeys.DFS_BLOCK_SIZE_KEY, DFSConfigKeys.DFS_BLOCK_SIZE_DEFAULT),
            types(conf),
            nodes(folder, conf),
            BlockStoragePolicySuite.createDefaultSuite(conf).getDefaultPolicy().getId(),
            ImageNames.of(conf))
        : new SiteConf(folder, 0, 0, Set.of(), Map.of(), NONE.storagePolicy(), ImageNames.UNKNOWN);
  }

  /** The checksums that files have, as long as who wrote them did not ask for others. */
  public static ChecksummedBytes checksums(Configuration conf) {
    String key = DFSConfigKeys.DFS_BYTES_PER_CHECKSUM_KEY;
    int chunk = conf.getInt(key, ChecksummedBytes.DEFAULT.chunkBytes());
    if (chunk < 1) {
      throw OperatorException.badInput(key + " is " + chunk + ": a chunk has a byte at least");
    }
    boolean without = "NULL".equals(conf.getTrimmed(DFSConfigKeys.DFS_CHECKSUM_TYPE_KEY));
    return new ChecksummedBytes(chunk, without ? 0 : ChecksummedBytes.DEFAULT.checksumBytes());
  }

  private static Set<StorageType> types(Configuration conf) {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    String[] sources = conf.getPropertySources(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY);
    if (sources == null || sources[sources.length - 1].endsWith("-default.xml")) {
      return types;
    }
    for (String dir : conf.getTrimmedStrings(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY)) {
      try {
        types.add(StorageLocation.parse(dir).getStorageType());
      } catch (IOException | IllegalArgumentException e) {
        throw OperatorException.badInput(
            DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY + " has " + dir + ": " + e.getMessage());
      }
    }
    return types;
  }

  private static Map<String, String> nodes(Path folder, Configuration conf) throws IOException {
    Map<String, String> racks = new LinkedHashMap<>();
    String table =
        conf.getTrimmed(CommonConfigurationKeysPublic.NET_TOPOLOGY_TABLE_MAPPING_FILE_KEY, "");
    for (String line : lines(folder, table.isEmpty() ? TOPOLOGY : table)) {
      String[] words = line.split("\\s+");
      if (words.length != 2 || !words[1].startsWith("/")) {
        throw OperatorException.badInput(
            folder + ": the topology has the line '" + Words.plain(line) + "': must be NODE /RACK");
      }
      racks.put(words[0], words[1]);
    }
    List<String> names = new ArrayList<>(lines(folder, WORKERS));
    names.remove(SHIPPED_WORKER);
    if (names.isEmpty()) {
      names.addAll(lines(folder, conf.getTrimmed(DFSConfigKeys.DFS_HOSTS, "")));
    }
    if (names.isEmpty()) {
      names.addAll(racks.keySet());
    }
    Map<String, String> rackOfNode = new TreeMap<>();
    names.forEach(
        name -> rackOfNode.put(name, racks.getOrDefault(name, NetworkTopology.DEFAULT_RACK)));
    return rackOfNode;
  }

  /** Lines of a file where it says it is, else of that name in the folder; none without one. */
  private static List<String> lines(Path folder, String name) throws IOException {
    if (name.isEmpty()) {
      return List.of();
    }
    Path copied = folder.resolve(name.substring(name.lastIndexOf('/') + 1));
    Path file = Files.isRegularFile(copied) ? copied : folder.resolve(name);
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String told = line.replaceFirst("#.*", "").strip();
      if (!told.isEmpty()) {
        lines.add(told);
      }
    }
    return lines;
  }

  /** Nodes of each rack, in the order of racks' names. */
  public Map<String, Integer> nodesByRack() {
    Map<String, Integer> nodes = new TreeMap<>();
    rackOfNode.values().forEach(rack -> nodes.merge(rack, 1, Integer::sum));
    return nodes;
  }

  /** Remarks for people on the configuration, given a history's runs. */
  public List<String> remarks(List<RunRecord> runs) {
    if (folder == null || replicas == 0) {
      return List.of();
    }
    List<String> remarks = new ArrayList<>();
    if (!types.isEmpty()) {
      remarks.add(
          "dfs.datanode.data.dir has "
              + String.join(", ", types.stream().map(Enum::name).toList())
              + " alone: what policies want elsewhere is where HDFS's fallbacks put it");
    }
    if (rackOfNode.isEmpty()) {
      remarks.add(
          "--conf "
              + folder
              + " names no nodes (workers, dfs.hosts or topology.table): a replay has those of"
              + " --cluster");
      return remarks;
    }
    Set<String> strangers = new TreeSet<>();
    runs.forEach(
        run -> run.phases().forEach(phase -> strangers.addAll(phase.tasksByHost().keySet())));
    strangers.removeIf(this::knows);
    if (!strangers.isEmpty()) {
      remarks.add(
          Words.count(strangers.size(), "host")
              + " of the history are not among the "
              + Words.count(rackOfNode.size(), "node")
              + " that --conf names, the first is "
              + strangers.iterator().next());
    }
    return remarks;
  }

  /** By its name, with or without a domain. */
  private boolean knows(String host) {
    return rackOfNode.containsKey(host)
        || rackOfNode.keySet().stream().anyMatch(node -> firstName(node).equals(firstName(host)));
  }

  /** The whole of an address. */
  private static String firstName(String host) {
    int dot = host.indexOf('.');
    return dot < 0 || Character.isDigit(host.charAt(0)) ? host : host.substring(0, dot);
  }
}
