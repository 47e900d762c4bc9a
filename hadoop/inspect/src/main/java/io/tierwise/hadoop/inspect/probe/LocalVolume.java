package io.tierwise.hadoop.inspect.probe;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;

/**
 * A data directory of this machine.
 *
 * @param type HDFS's storage type, from the directory's {@code [SSD]}-style tag
 * @param storageId the id that the DataNode gave it, or null when it has not been formatted
 * @param node this machine as its DataNode is known
 */
public record LocalVolume(Path directory, String type, String storageId, LocalNode node) {

  /**
   * The volumes that the arguments name, else those of the DataNode's configuration.
   *
   * @param neededBytes room that each must have
   */
  public static List<LocalVolume> find(List<String> arguments, Configuration conf, long neededBytes)
      throws IOException {
    List<String> names =
        arguments.isEmpty()
            ? List.copyOf(conf.getTrimmedStringCollection(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY))
            : arguments;
    if (names.isEmpty()) {
      throw OperatorException.badInput(
          "no directory to measure: name one, or set dfs.datanode.data.dir in HADOOP_CONF_DIR");
    }
    LocalNode node = LocalNode.of(conf);
    List<LocalVolume> volumes = new ArrayList<>();
    for (String name : names) {
      volumes.add(parse(name, node, neededBytes));
    }
    return volumes;
  }

  private static LocalVolume parse(String name, LocalNode node, long neededBytes)
      throws IOException {
    StorageLocation location;
    try {
      location = StorageLocation.parse(name);
    } catch (IllegalArgumentException | SecurityException e) {
      throw OperatorException.badInput("\"" + name + "\" is no data directory: " + e.getMessage());
    }
    Path directory = Path.of(location.getUri());
    if (!Files.isDirectory(directory)) {
      throw OperatorException.badInput(
          directory
              + " is no directory: run this on a DataNode, with its dfs.datanode.data.dir in"
              + " HADOOP_CONF_DIR, or name directories of this machine");
    }
    if (!Files.isWritable(directory)) {
      throw OperatorException.cluster(
          "no permission to write in " + directory + ": run as the DataNode's user", null);
    }
    long roomBytes = Files.getFileStore(directory).getUsableSpace();
    if (roomBytes < 2 * neededBytes) {
      throw OperatorException.cluster(
          directory
              + " has "
              + roomBytes
              + " bytes left, a probe needs "
              + 2 * neededBytes
              + ": lower --file-mebibytes",
          null);
    }
    return new LocalVolume(directory, location.getStorageType().name(), storageId(directory), node);
  }

  private static String storageId(Path directory) throws IOException {
    Path version = directory.resolve("current").resolve("VERSION");
    if (!Files.isReadable(version)) {
      return null;
    }
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(version)) {
      properties.load(in);
    }
    return properties.getProperty("storageID");
  }

  /** As the tier table's matches see it; this machine does not know its own rack. */
  public TierMatch.Volume asVolume() {
    return new TierMatch.Volume(
        org.apache.hadoop.fs.StorageType.valueOf(type),
        null,
        node.hostName(),
        node.address(),
        storageId);
  }
}
