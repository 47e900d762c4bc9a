package io.tierwise.hadoop.hdfs.audit;

import java.util.Locale;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * The feed's keys. A bad value is told in one line, and the default holds.
 *
 * @param queueEvents accesses that may wait to be counted; further ones are dropped
 * @param filesMax files that have a count of their own
 * @param windowSeconds length of the windows
 */
record FeedSettings(int queueEvents, int filesMax, int windowSeconds) {
  static final String QUEUE_KEY = "tierwise.namenode.feed.queue.events";
  static final String FILES_KEY = "tierwise.namenode.feed.heat.files";
  static final String WINDOW_KEY = "tierwise.namenode.feed.window.seconds";

  /** Own: 10 MB when full, at 100,000 opens a second more than half a second; 30 MB of counts. */
  static final FeedSettings DEFAULT = new FeedSettings(65_536, 100_000, 3_600);

  private static final int QUEUE_MAX = 1 << 22;
  private static final int FILES_MAX = 10_000_000;
  private static final int WINDOW_MAX = 7 * 86_400;

  static FeedSettings of(Configuration conf, Consumer<String> problems) {
    return new FeedSettings(
        number(conf, QUEUE_KEY, DEFAULT.queueEvents, QUEUE_MAX, problems),
        number(conf, FILES_KEY, DEFAULT.filesMax, FILES_MAX, problems),
        number(conf, WINDOW_KEY, DEFAULT.windowSeconds, WINDOW_MAX, problems));
  }

  private static int number(
      Configuration conf, String key, int otherwise, int max, Consumer<String> problems) {
    String text = conf.getTrimmed(key, "");
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= 1 && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of bounds.
    }
    problems.accept(
        String.format(
            Locale.ROOT,
            "%s is %s, not a whole number from 1 to %d: %d holds",
            key,
            text,
            max,
            otherwise));
    return otherwise;
  }
}
