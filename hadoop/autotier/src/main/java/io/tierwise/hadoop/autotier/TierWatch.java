package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.MoverCluster;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Notices that the cluster goes by other tiers than a daemon that runs for weeks began with. Says
 * that once, and that the table cannot be read.
 */
final class TierWatch {
  /** Own: a table is changed a few times a year, and the NameNode logs each question. */
  static final long LOOK_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final MoverCluster cluster;
  private final long lookNanos;
  private final Consumer<String> say;
  private long dueNanos;
  private boolean isDoubted;
  private String broken = "";
  private volatile boolean isOutdated;

  /**
   * The first look comes after one rest.
   *
   * @param cluster with the tiers that the daemon goes by
   * @param say is told a line for people
   */
  TierWatch(MoverCluster cluster, long lookNanos, Consumer<String> say) {
    this.cluster = cluster;
    this.lookNanos = lookNanos;
    this.say = say;
    dueNanos = System.nanoTime() + lookNanos;
  }

  /** Whether the cluster has other tiers by now; from any thread. */
  boolean isOutdated() {
    return isOutdated;
  }

  /**
   * Looks, when it is time.
   *
   * @return whether the daemon may go on by its tiers
   * @throws IOException when no NameNode answers
   */
  boolean look() throws IOException {
    if (!isOutdated && System.nanoTime() - dueNanos >= 0) {
      dueNanos = System.nanoTime() + lookNanos;
      try {
        boolean isOther = cluster.isOutdated();
        broken = "";
        // A NameNode that starts answers before its plug-in does: only two looks in a row are sure.
        isOutdated = isOther && isDoubted;
        isDoubted = isOther;
      } catch (OperatorException e) {
        sayBroken(e.getMessage());
      }
      if (isOutdated) {
        say.accept(
            "the cluster goes by other tiers or regions than this daemon began with: it begins"
                + " anew with those, and reads the log again");
      }
    }
    return !isOutdated && broken.isEmpty();
  }

  private void sayBroken(String line) {
    if (!line.equals(broken)) {
      say.accept(line + "; nothing is changed until that is mended");
    }
    broken = line;
  }
}
