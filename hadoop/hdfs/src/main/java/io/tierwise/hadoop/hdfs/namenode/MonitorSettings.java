package io.tierwise.hadoop.hdfs.namenode;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * The monitor's keys. A bad value is told in one line, and the default holds: placement must not
 * stop because of the monitor.
 *
 * @param enabled whether stored blocks are compared with their layouts at all
 * @param intervalSeconds from the end of a walk to the next one
 * @param queueBlocksMax blocks that wait for repair, the most urgent
 * @param holdMillis that the namesystem's read lock is held at a time
 * @param lockPercent of the time that it is held at most
 * @param undoWindowSeconds after a repair within which a block that is off its layout again was
 *     moved back by somebody
 * @param backOffSeconds for which such a block is left alone the first time
 */
public record MonitorSettings(
    boolean enabled,
    int intervalSeconds,
    int queueBlocksMax,
    int holdMillis,
    int lockPercent,
    int undoWindowSeconds,
    int backOffSeconds) {
  public static final String ENABLED_KEY = "tierwise.monitor.enabled";
  public static final String INTERVAL_KEY = "tierwise.monitor.interval.seconds";
  static final String QUEUE_KEY = "tierwise.monitor.queue.blocks";
  static final String HOLD_KEY = "tierwise.monitor.lock.hold-millis";
  static final String LOCK_KEY = "tierwise.monitor.lock.percent";

  static final String UNDO_WINDOW_KEY = "tierwise.monitor.undo-window.seconds";
  static final String BACK_OFF_KEY = "tierwise.monitor.back-off.seconds";

  /** Own: as often as an operator looks, and 5 MB of queue. */
  static final MonitorSettings DEFAULT = new MonitorSettings(true, 60, 20_000, 2, 2, 86_400, 600);

  private static final int DAY_SECONDS = (int) TimeUnit.DAYS.toSeconds(1);
  private static final int QUEUE_MAX = 1_000_000;
  private static final int HOLD_MILLIS_MAX = 100;
  private static final int LOCK_PERCENT_MAX = 50;

  /**
   * @param problems is told one line for each value that is no good
   */
  static MonitorSettings of(Configuration conf, Consumer<String> problems) {
    SettingReader reader = new SettingReader(conf, problems);
    return new MonitorSettings(
        reader.truth(ENABLED_KEY, DEFAULT.enabled),
        reader.number(INTERVAL_KEY, DEFAULT.intervalSeconds, 1, DAY_SECONDS),
        reader.number(QUEUE_KEY, DEFAULT.queueBlocksMax, 1, QUEUE_MAX),
        reader.number(HOLD_KEY, DEFAULT.holdMillis, 1, HOLD_MILLIS_MAX),
        reader.number(LOCK_KEY, DEFAULT.lockPercent, 1, LOCK_PERCENT_MAX),
        reader.number(UNDO_WINDOW_KEY, DEFAULT.undoWindowSeconds, 1, 30 * DAY_SECONDS),
        reader.number(BACK_OFF_KEY, DEFAULT.backOffSeconds, 1, DAY_SECONDS));
  }

  /** The rest after a hold of the lock, as a multiple of the hold. */
  long restFactor() {
    return 100L / lockPercent - 1;
  }
}
