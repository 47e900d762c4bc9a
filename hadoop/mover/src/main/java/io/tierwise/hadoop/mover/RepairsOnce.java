package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.namenode.MonitorReport;
import io.tierwise.hadoop.mover.Repairs.Round;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Repairs all that waits, and ends: rounds of {@link Repairs} until nothing more is given out or
 * done. Between two rounds somebody else's move may take the lock; it is waited for.
 */
public final class RepairsOnce {
  private final Repairs repairs;
  private final Consumer<String> say;
  private final RepairCount count = new RepairCount();

  /**
   * @param say is told a line for people between two rounds
   */
  public RepairsOnce(Repairs repairs, Consumer<String> say) {
    this.repairs = repairs;
    this.say = say;
  }

  /**
   * Repairs, and says how many blocks still wait: some failed, the queue was too small for all, or
   * they were found meanwhile. After a stop it does not ask, and says 0.
   *
   * @param restMillis between two rounds
   * @throws OperatorException when the plug-in does not run or its monitor has not looked, another
   *     mover has the lock at the beginning, or the journal cannot be written
   */
  public long run(long restMillis) throws IOException {
    try {
      return repairAll(restMillis);
    } catch (OperatorException | IOException e) {
      if (repairs.isStopped()) {
        return 0; // A stop interrupts calls.
      }
      throw e;
    }
  }

  private long repairAll(long restMillis) throws IOException {
    repairs.requireMonitor();
    repairs.round(count);
    boolean news = count.round().blocks() > 0;
    boolean newsBefore = true;
    while ((news || newsBefore) && !repairs.isStopped() && repairs.isAnyGivenOut()) {
      Round before = count.round();
      if (news) {
        say.accept("so far: " + before.text());
        repairs.pause(restMillis);
      }
      while (!roundWhenFree()) {
        repairs.pause(restMillis);
      }
      newsBefore = news;
      news = isNews(before, count.round());
    }
    return repairs.isStopped() ? 0 : waiting(repairs.requireMonitor());
  }

  /** What failed comes again, for ever where nothing changes. */
  private static boolean isNews(Round before, Round now) {
    return now.blocks() > before.blocks() || now.done() > before.done();
  }

  /** False while a user's move has the lock. */
  private boolean roundWhenFree() throws IOException {
    if (repairs.isStopped()) {
      return true;
    }
    try {
      repairs.round(count);
      return true;
    } catch (OperatorException e) {
      if (!repairs.isLockedOut()) {
        throw e;
      }
      return false;
    }
  }

  /** What was done, also when it ended by an exception. */
  public Round done() {
    return count.round();
  }

  /** A line for people about blocks that still wait. */
  public static String text(long waiting) {
    return Words.count(waiting, "block")
        + " still to repair: those that failed rest for a minute to an hour, others were found"
        + " meanwhile ('tierwise monitor run --dry-run' says what waits)";
  }

  private static long waiting(MonitorReport monitor) {
    return monitor.backlogBlocks().values().stream().mapToLong(Long::longValue).sum();
  }
}
