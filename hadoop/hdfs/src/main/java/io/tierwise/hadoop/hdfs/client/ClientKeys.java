package io.tierwise.hadoop.hdfs.client;

/**
 * The client's configuration keys; {@code docs/reference/configuration-client.md} explains them.
 */
public final class ClientKeys {
  public static final String STRATEGY = "tierwise.access.strategy";
  public static final String STRATEGY_DEFAULT = "network-aware";
  public static final String FROM_ATTRIBUTE = "tierwise.access.from-attribute.enabled";
  public static final String ATTRIBUTE_ENTRIES = "tierwise.access.from-attribute.cache.entries";
  public static final int ATTRIBUTE_ENTRIES_DEFAULT = 4096;
  public static final String ATTRIBUTE_SECONDS =
      "tierwise.access.from-attribute.cache.expiry.seconds";
  public static final int ATTRIBUTE_SECONDS_DEFAULT = 60;
  public static final String TASK_INDEX = "tierwise.access.task-index";
  public static final String RANDOM_SEED = "tierwise.access.random.seed";
  public static final String LOCATION = "tierwise.client.location";
  public static final String STATISTICS = "tierwise.client.statistics.enabled";
  public static final String PROMPT_MILLIS = "tierwise.client.refusal.prompt.millis";
  public static final long PROMPT_MILLIS_DEFAULT = 1000;
  public static final String RETRY_WINDOW_MILLIS = "tierwise.client.retry.window.millis";
  public static final int RETRY_WINDOW_MILLIS_DEFAULT = 50;

  /** The extended attribute that names a strategy for a directory and all below it. */
  public static final String ATTRIBUTE = "user.tierwise.access";

  private ClientKeys() {}
}
