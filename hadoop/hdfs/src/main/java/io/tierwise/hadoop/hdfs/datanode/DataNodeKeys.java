package io.tierwise.hadoop.hdfs.datanode;

/** The DataNode's configuration keys; {@code docs/reference/configuration-client.md} explains. */
public final class DataNodeKeys {
  /** Readers of one volume: a number, or {@link #MEASURED}. */
  public static final String VOLUME_READERS = "tierwise.datanode.readers.per-volume.max";

  /** Stands for the number of readers at which the volume's tier was measured to peak. */
  public static final String MEASURED = "measured";

  /** Readers of one volume of a tier, followed by the tier's name; stronger than the former. */
  public static final String TIER_READERS_PREFIX = "tierwise.datanode.readers.per-volume.max.";

  public static final String NODE_READERS = "tierwise.datanode.readers.per-node.max";
  public static final String MEMORY_SECONDS = "tierwise.datanode.refusal.memory.seconds";
  public static final int MEMORY_SECONDS_DEFAULT = 30;
  public static final String MEMORY_ENTRIES = "tierwise.datanode.refusal.memory.entries";
  public static final int MEMORY_ENTRIES_DEFAULT = 65_536;
  public static final String VOLUME_CHOICE_FALLBACK = "tierwise.datanode.volume-choice.fallback";

  private DataNodeKeys() {}
}
