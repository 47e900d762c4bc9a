package io.tierwise.hadoop.hdfs.client;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/**
 * How a reader waits when all replicas of a block failed it: shorter than stock, since they may
 * just have been busy, but as often as it takes to be no less patient with nodes that are away.
 *
 * <p>Before round f (from 0) Hadoop's stream waits w f + w (f + 1) r milliseconds, where w is the
 * window and r a random number below 1, and gives up after F rounds: w F (F - 1) / 2 milliseconds
 * at least, w F² at most. Source: Hadoop 3.5.0, {@code DFSInputStream.refetchLocations}. {@link
 * RetryRounds} bounds the time of the rounds themselves.
 */
final class RetryPatience {
  private static final String WINDOW = HdfsClientConfigKeys.Retry.WINDOW_BASE_KEY;
  static final long WINDOW_STOCK = HdfsClientConfigKeys.Retry.WINDOW_BASE_DEFAULT;
  private static final String ROUNDS =
      HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY;
  static final long ROUNDS_STOCK =
      HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_DEFAULT;

  private RetryPatience() {}

  /**
   * A copy with a shorter window and more rounds; {@code conf} itself when the user set either of
   * Hadoop's keys, since the two only make sense together.
   *
   * @throws IllegalArgumentException when our key's value is no positive number
   */
  static Configuration withShortWaits(Configuration conf) {
    if (HadoopDefaults.isSetByUser(conf, WINDOW) || HadoopDefaults.isSetByUser(conf, ROUNDS)) {
      return conf;
    }
    int windowMillis =
        conf.getInt(ClientKeys.RETRY_WINDOW_MILLIS, ClientKeys.RETRY_WINDOW_MILLIS_DEFAULT);
    if (windowMillis < 1) {
      throw new IllegalArgumentException(
          ClientKeys.RETRY_WINDOW_MILLIS + " is " + windowMillis + ": must be at least 1");
    }
    Configuration copy = new Configuration(conf);
    copy.setInt(WINDOW, windowMillis);
    copy.setInt(ROUNDS, rounds(windowMillis));
    return copy;
  }

  /** The fewest rounds whose shortest and longest waits are no shorter than stock's. */
  static int rounds(long windowMillis) {
    long rounds = ROUNDS_STOCK;
    while (leastMillis(windowMillis, rounds) < leastMillis(WINDOW_STOCK, ROUNDS_STOCK)
        || mostMillis(windowMillis, rounds) < mostMillis(WINDOW_STOCK, ROUNDS_STOCK)) {
      rounds++;
    }
    return (int) rounds;
  }

  static long leastMillis(long windowMillis, long rounds) {
    return windowMillis * rounds * (rounds - 1) / 2;
  }

  static long mostMillis(long windowMillis, long rounds) {
    return windowMillis * rounds * rounds;
  }
}
