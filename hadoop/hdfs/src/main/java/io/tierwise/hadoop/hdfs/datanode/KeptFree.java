package io.tierwise.hadoop.hdfs.datanode;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.util.StringUtils;

/**
 * The bytes that a DataNode keeps free on a volume beside the block that it is to take.
 *
 * <p>By Hadoop's default a DataNode refuses a block for a volume that would have less than 1 GiB
 * left ({@code RoundRobinVolumeChoosingPolicy}). The NameNode does not know: its own default class
 * sends blocks there as long as one fits, and the writer excludes one node after the other.
 */
public final class KeptFree {
  /** For a NameNode that does not carry its DataNodes' keys: the bytes, with or without a unit. */
  public static final String KEY = "tierwise.namenode.volume.kept-free-bytes";

  /** Hadoop's own: the bytes, for DataNodes. */
  public static final String DATA_NODE_KEY =
      DFSConfigKeys.DFS_DATANODE_ROUND_ROBIN_VOLUME_CHOOSING_POLICY_ADDITIONAL_AVAILABLE_SPACE_KEY;

  private static final long BYTES_DEFAULT =
      DFSConfigKeys
          .DFS_DATANODE_ROUND_ROBIN_VOLUME_CHOOSING_POLICY_ADDITIONAL_AVAILABLE_SPACE_DEFAULT;

  private KeptFree() {}

  /** The value of a key, if it has one. */
  @FunctionalInterface
  public interface Keys<E extends Exception> {
    Optional<String> get(String key) throws E;
  }

  /**
   * Bytes that a NameNode with these keys leaves to the DataNodes on each volume.
   *
   * @throws IllegalArgumentException when a key holds no number of bytes
   */
  public static <E extends Exception> long of(Keys<E> keys) throws E {
    Optional<String> own = keys.get(KEY);
    return own.isPresent() ? bytes(KEY, own.get()) : ofDataNode(keys);
  }

  /**
   * Bytes that a DataNode with these keys keeps free on the volume that the NameNode chose. Only
   * Hadoop's default class keeps any; the one that prefers emptier volumes never reads the key.
   *
   * @throws IllegalArgumentException when a key holds no number of bytes
   */
  public static <E extends Exception> long ofDataNode(Keys<E> keys) throws E {
    String roundRobin = RoundRobinVolumeChoosingPolicy.class.getName();
    String chosenBy =
        keys.get(DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY)
            .orElse(roundRobin);
    if (!chosenBy.strip().equals(roundRobin)) {
      return 0;
    }
    Optional<String> kept = keys.get(DATA_NODE_KEY);
    return kept.isPresent() ? plainBytes(kept.get()) : BYTES_DEFAULT;
  }

  /** As the DataNode reads its own key: no unit, and less than nothing is nothing. */
  private static long plainBytes(String value) {
    Configuration conf = new Configuration(false);
    conf.set(DATA_NODE_KEY, value);
    try {
      return Math.max(0, conf.getLong(DATA_NODE_KEY, BYTES_DEFAULT));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          DATA_NODE_KEY
              + " is \""
              + value
              + "\": must be a number of bytes without a unit, such as 1073741824",
          e);
    }
  }

  private static long bytes(String key, String value) {
    try {
      long bytes = StringUtils.TraditionalBinaryPrefix.string2long(value.strip());
      if (bytes >= 0) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // Reported below, like a negative number.
    }
    throw new IllegalArgumentException(
        key + " is \"" + value + "\": must be a number of bytes, such as 0 or 1g");
  }
}
