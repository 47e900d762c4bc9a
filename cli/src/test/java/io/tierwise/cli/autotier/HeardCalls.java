package io.tierwise.cli.autotier;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.spi.LoggingEvent;

/**
 * The calls of a daemon, as its NameNode writes them into the audit log: each is done by then, and
 * the daemon has no answer yet. A process may be killed at that very moment.
 */
final class HeardCalls extends AppenderSkeleton {
  private static final Pattern CALL = Pattern.compile("\\tcmd=(\\S+)\\tsrc=(\\S+)");

  private final Map<Stage, Integer> counts = new EnumMap<>(Stage.class);
  private Point point;
  private Process victim;
  private CountDownLatch reached = new CountDownLatch(0);
  private long lastNanos;

  /** What a daemon does with a call. */
  enum Stage {
    /** It takes its lease, or looks whether it still has it. */
    LEASE,
    /** It tells of itself. */
    STATUS,
    /** It tells NodeManagers of room for intermediate data, or takes that back. */
    PROMISE,
    /** It takes the mover's lock, or gives it back. */
    LOCK,
    /** It reads what a job that waits will read. */
    STAGING,
    /** It gives a file another number of replicas, with its mark. */
    REPLICAS,
    /** It gives a file another storage policy: before it comes, or before it leaves. */
    POLICY,
    /** It looks whether a replica has come. */
    MOVE,
    /** It looks at files and at the cluster. */
    PLAN;

    private static Stage of(String command, String path) {
      if (path.startsWith(WaitingYarn.CONTROL + "/status.json")) {
        return STATUS;
      } else if (path.startsWith(WaitingYarn.CONTROL + "/intermediate")) {
        return PROMISE;
      } else if (path.startsWith("/system/tierwise-mover.id")) {
        return LOCK;
      } else if (path.startsWith(WaitingYarn.CONTROL + "/lease") || command.equals("delete")) {
        // An old lease is deleted by its inode's id.
        return LEASE;
      } else if (path.startsWith("/staging")) {
        return STAGING;
      } else if (command.equals("setReplication") || command.equals("setXAttr")) {
        return REPLICAS;
      } else if (command.equals("setStoragePolicy") || command.equals("unsetStoragePolicy")) {
        return POLICY;
      }
      return path.startsWith("/.reserved/.inodes/") ? MOVE : PLAN;
    }
  }

  /**
   * Where a process is killed.
   *
   * @param call of that stage, from 1
   * @param delayMillis after that call; at 0 before its answer
   */
  record Point(Stage stage, int call, long delayMillis) {}

  /** Begins to count anew, and kills the process at the point; null for never. */
  synchronized void begin(Process process, Point when) {
    counts.clear();
    victim = process;
    point = when;
    reached = new CountDownLatch(1);
    lastNanos = System.nanoTime();
  }

  /** Kills nobody any more; the calls since the beginning. */
  synchronized Map<Stage, Integer> end() {
    point = null;
    return new EnumMap<>(counts);
  }

  private synchronized long quietNanos() {
    // A process takes long to begin where others want the machine.
    return counts.containsKey(Stage.PLAN) ? System.nanoTime() - lastNanos : 0;
  }

  /**
   * Waits until the process is killed, or has been at rest for so long that the point will not
   * come.
   *
   * @return whether it was killed at the point
   */
  boolean await(long restMillis) throws InterruptedException {
    while (!reached.await(50, TimeUnit.MILLISECONDS) && victim.isAlive()) {
      if (TimeUnit.NANOSECONDS.toMillis(quietNanos()) > restMillis) {
        return false;
      }
    }
    if (point != null && reached.getCount() == 0) {
      TimeUnit.MILLISECONDS.sleep(point.delayMillis());
      victim.destroyForcibly();
      return true;
    }
    return false;
  }

  @Override
  protected void append(LoggingEvent event) {
    Matcher call = CALL.matcher(event.getRenderedMessage());
    if (!call.find() || call.group(2).equals(WaitingYarn.CONTROL + "/paused")) {
      return;
    }
    Stage stage = Stage.of(call.group(1), call.group(2));
    synchronized (this) {
      int count = counts.merge(stage, 1, Integer::sum);
      if (stage != Stage.LEASE && stage != Stage.STATUS) {
        lastNanos = System.nanoTime();
      }
      if (point != null && stage == point.stage() && count == point.call()) {
        if (point.delayMillis() == 0) {
          victim.destroyForcibly();
        }
        reached.countDown();
      }
    }
  }

  @Override
  public void close() {
    // It holds nothing.
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
