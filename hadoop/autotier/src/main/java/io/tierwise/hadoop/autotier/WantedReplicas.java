package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.policies.movement.DecisionEngine;
import io.tierwise.policies.movement.ReplicaHold;
import io.tierwise.policies.movement.ReplicaWorth;
import java.util.Locale;
import java.util.Optional;

/**
 * Makes changes of the numbers of replicas that the decision engine wants: such as pay, find room
 * and do not flap.
 *
 * @param predictor its name
 */
record WantedReplicas(String predictor, ReplicaHold hold) {
  /**
   * The engine's answer about a file.
   *
   * @param number of the file
   * @param isFirst whether it comes before files that are more popular
   * @param isSure whether it is sure enough that a replica in the fast tier pays
   */
  record Wanted(
      int number,
      double predicted,
      int replicas,
      ReplicaWorth.Reads reads,
      boolean isFirst,
      boolean isSure) {
    /** Whether the file belongs into the secondary store. */
    boolean isUnpopular() {
      return replicas == DecisionEngine.SECONDARY;
    }

    /** The same, as long as it is not there: such a file needs no additional replicas. */
    Wanted inPrimary(int usualReplicas) {
      return isUnpopular()
          ? new Wanted(number, predicted, usualReplicas, reads, isFirst, isSure)
          : this;
    }
  }

  /** More replicas, as many as pay and find room. */
  Optional<RoundPlan.Change> more(
      KnownFile file, Wanted wanted, ReplicaWorth worth, long room, LeftFiles left) {
    ReplicaWorth.Worth paying =
        worth.of(file.bytes(), wanted.reads(), file.replicas(), wanted.replicas());
    if (paying.replicas() == file.replicas()) {
      left.add("another replica does not pay", file.path());
      return Optional.empty();
    }
    RoundPlan.Change change =
        change(
            file,
            wanted.number(),
            paying,
            String.format(
                Locale.ROOT,
                "%s wants %s, %d more %s: %.0f reads to come, up to %d at once",
                predictor,
                Words.count(wanted.replicas(), "replica"),
                paying.replicas() - file.replicas(),
                paying.replicas() - file.replicas() == 1 ? "pays" : "pay",
                wanted.reads().count(),
                wanted.reads().atOnce()));
    if (change.storedBytes() > room) {
      left.add("there is no room for its replicas", file.path());
      return Optional.empty();
    }
    return Optional.of(change);
  }

  /** Fewer, when they were wanted for long enough. */
  Optional<RoundPlan.Change> fewer(KnownFile file, Wanted wanted, LeftFiles left) {
    int allowed = hold.allowed(wanted.number(), file.replicas(), wanted.replicas());
    if (allowed == file.replicas()) {
      left.add(mayNeedThem(), file.path());
      return Optional.empty();
    }
    return Optional.of(
        change(
            file,
            wanted.number(),
            new ReplicaWorth.Worth(allowed, Double.NaN, Double.NaN),
            String.format(
                Locale.ROOT,
                "%s has wanted no more than %s for %s",
                predictor,
                Words.count(allowed, "replica"),
                Words.count(hold.lowWindows(wanted.number()), "window"))));
  }

  /** The reason for which a file keeps what it has. */
  String mayNeedThem() {
    return "it may need its replicas again: fewer are wanted for less than "
        + Words.count(hold.windows(), "window");
  }

  private RoundPlan.Change change(
      KnownFile file, int number, ReplicaWorth.Worth worth, String reason) {
    return new RoundPlan.Change(
        number,
        true,
        file.path(),
        file.fileId(),
        file.bytes(),
        file.replicas(),
        worth.replicas(),
        Double.isNaN(worth.savedSeconds()) ? null : worth.savedSeconds(),
        Double.isNaN(worth.costSeconds()) ? null : worth.costSeconds(),
        predictor,
        reason);
  }
}
