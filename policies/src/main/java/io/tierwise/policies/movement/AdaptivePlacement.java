package io.tierwise.policies.movement;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.policies.movement.TierPromotions.File;
import java.util.ArrayList;
import java.util.List;

/**
 * DUX's Adaptive Placement Manager: which data of a job goes to the fast tier, what is prefetched
 * for a job that waits, and what makes room. Source: DerbyhatS, 6.1.4 and 6.1.7.
 *
 * <p>G(c) = t(1) - t(c) - C(c), the seconds that configuration c brings; t predicted seconds. Input
 * that is not in the fast tier is there in part when the job starts, p = min(1, w v / s): w seconds
 * that the job will wait, v bytes a second that are prefetched, s its bytes. t(c) is then (1 - p)
 * t(c with slow input) + p t(c). C = s (u / (n r) + u' / (n' w')) is the time that the prefetch
 * takes from others: u and u' the shares of time in which the slow and the fast devices are busy, n
 * and n' their counts, r the slow ones' read and w' the fast ones' write rate. A configuration that
 * uses more of the fast tier has to bring g t(1) more than the one before it.
 *
 * <p>Own: G, C and g; the text says that a job gets what its profile shows it to profit from. A
 * tier that is the {@linkplain TierPromotions#isBottleneck bottleneck} is left alone.
 *
 * @param fast class of the fast tier
 * @param slow class of the tier where data is otherwise
 * @param fastCount devices of the fast tier
 * @param slowCount devices of the slow tier
 * @param copyBytesPerSecond v, of all copies into the fast tier together
 * @param gainMin g; a share
 */
public record AdaptivePlacement(
    FastTierRegions regions,
    DeviceClass fast,
    DeviceClass slow,
    int fastCount,
    int slowCount,
    double copyBytesPerSecond,
    double gainMin) {
  /** Its name in what is said of its decisions. */
  public static final String NAME = "adaptive-placement";

  /** Own: the usual g; runs of one job differ by as much. */
  public static final double GAIN_MIN = 0.05;

  /**
   * A job that was submitted.
   *
   * @param number any that no other job has while this one is not over
   * @param file number of its input; {@link StorageCounter#NO_FILE} for a job that reads none
   * @param inputBytes size of that file
   * @param intermediateBytes predicted
   * @param waitSeconds that it will probably wait before its first task starts
   */
  public record Job(
      int number,
      int file,
      long inputBytes,
      long intermediateBytes,
      PredictedSeconds seconds,
      double waitSeconds) {}

  /**
   * The answer for a job.
   *
   * @param prefetches whether its input is to be brought to the fast tier now
   * @param gainSeconds that the configuration is predicted to bring
   * @param evicted files that leave the fast tier for it
   * @param reason why no more of it is fast; empty when all is
   */
  public record Answer(
      StorageConfiguration configuration,
      boolean prefetches,
      double gainSeconds,
      List<Integer> evicted,
      String reason) {}

  /**
   * The answer at the end of a window.
   *
   * @param in files that come into the persistent region and have to be copied
   * @param out files that leave the fast tier
   */
  public record Rearrangement(List<Integer> in, List<Integer> out) {}

  /**
   * Decides for a job, and counts what it gets until it is {@linkplain StorageCounter#over over}.
   *
   * @param counter changed
   */
  public Answer decide(Job job, TierLoad load, StorageCounter counter) {
    if (new TierPromotions(fast, slow, load).isBottleneck()) {
      return nothing(TierPromotions.BOTTLENECK);
    }
    if (!counter.takesJob()) {
      return nothing("too many jobs hold data in the fast tier");
    }
    StorageConfiguration best = StorageConfiguration.ALL_SLOW;
    double bestGain = 0;
    String reason = "";
    for (StorageConfiguration each : StorageConfiguration.values()) {
      if (each == StorageConfiguration.ALL_SLOW || !applies(each, job)) {
        continue;
      }
      if (counter.countedBytes() + neededBytes(each, job, counter) > regions.plannedBytesMax()) {
        reason = "the temporary region has no room";
        continue;
      }
      double gain = gainSeconds(each, job, load, counter);
      if (gain > bestGain && gain >= bestGain + gainMin * job.seconds().allSlow()) {
        best = each;
        bestGain = gain;
      } else if (reason.isEmpty()) {
        reason = "more of it in the fast tier does not pay";
      }
    }
    return take(best, bestGain, job, counter, best == StorageConfiguration.ALL_FAST ? "" : reason);
  }

  private static Answer nothing(String reason) {
    return new Answer(StorageConfiguration.ALL_SLOW, false, 0, List.of(), reason);
  }

  private static boolean applies(StorageConfiguration configuration, Job job) {
    return (!configuration.hasFastInput() || job.file() != StorageCounter.NO_FILE)
        && (!configuration.hasFastIntermediate() || job.intermediateBytes() > 0);
  }

  /** Bytes of the temporary region that would be counted, beside those that are. */
  private static long neededBytes(StorageConfiguration asked, Job job, StorageCounter counter) {
    boolean counts = asked.hasFastInput() && !counter.isNeeded(job.file());
    return (counts ? job.inputBytes() : 0)
        + (asked.hasFastIntermediate() ? job.intermediateBytes() : 0);
  }

  private double gainSeconds(
      StorageConfiguration asked, Job job, TierLoad load, StorageCounter counter) {
    PredictedSeconds seconds = job.seconds();
    double without = seconds.allSlow();
    if (!asked.hasFastInput() || counter.has(job.file())) {
      return without - seconds.of(asked);
    }
    StorageConfiguration slowInput =
        asked.hasFastIntermediate()
            ? StorageConfiguration.FAST_INTERMEDIATE
            : StorageConfiguration.ALL_SLOW;
    double bytes = Math.max(1, job.inputBytes());
    double share = Math.min(1, job.waitSeconds() * copyBytesPerSecond / bytes);
    double takes = (1 - share) * seconds.of(slowInput) + share * seconds.of(asked);
    return without - takes - costSeconds(bytes, load);
  }

  private double costSeconds(double bytes, TierLoad load) {
    return bytes
        * (Math.min(1, load.slowStreams()) / (slowCount * slow.readBytesPerSecond())
            + Math.min(1, load.fastStreams()) / (fastCount * fast.writeBytesPerSecond()));
  }

  private Answer take(
      StorageConfiguration chosen,
      double gainSeconds,
      Job job,
      StorageCounter counter,
      String reason) {
    int file = chosen.hasFastInput() ? job.file() : StorageCounter.NO_FILE;
    boolean prefetches = chosen.hasFastInput() && !counter.has(file);
    long intermediate = chosen.hasFastIntermediate() ? job.intermediateBytes() : 0;
    counter.hold(job.number(), file, job.inputBytes(), intermediate);
    List<Integer> evicted = counter.evict(regions.plannedBytesMax());
    return new Answer(chosen, prefetches, gainSeconds, evicted, reason);
  }

  /**
   * Fills the persistent region anew at the end of a window: the most popular files first, each
   * only if it pays for its copy and for what it displaces, or comes first ({@link
   * TierPromotions}).
   *
   * @param files all that exist, by number; what {@link File} says of their places does not count
   * @param load now
   * @param counter changed
   */
  public Rearrangement rearrange(List<File> files, TierLoad load, StorageCounter counter) {
    List<File> known = new ArrayList<>(files.size());
    for (File file : files) {
      long there = counter.isPersistent((int) file.number()) ? file.bytes() : 0;
      known.add(new File(file.number(), file.bytes(), file.reads(), there, file.claim()));
    }
    TierPromotions.Choice choice =
        new TierPromotions(fast, slow, load)
            .choose(known, regions.persistentBytes() - counter.persistentBytes());
    List<Integer> out = choice.out().stream().map(Long::intValue).toList();
    out.forEach(counter::forget);
    List<Integer> in = new ArrayList<>();
    for (File file : known) {
      int number = (int) file.number();
      if (choice.in().containsKey(file.number())) {
        if (!counter.has(number)) {
          in.add(number);
        }
        counter.persist(number, file.bytes());
      }
    }
    return new Rearrangement(in, out);
  }

  /**
   * The share of its rate at which a copy goes. A copy into the persistent region yields to the
   * shuffle phase; a prefetch does not, since a job waits for it.
   *
   * <p>Source: DerbyhatS, 6.1.8. Own: a tenth is left, as to all moves that yield.
   *
   * @param shuffles whether one of its nodes takes part in a shuffle
   */
  public static double shareOfRate(boolean prefetch, boolean shuffles) {
    return shuffles && !prefetch ? ForegroundShare.SHARE_MIN : 1;
  }
}
