package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.mover.MoverReport;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Says what keeps prefetches from moving files, as a person's own move that has the lock: each
 * cause once, however often the moves are tried again, until one of them goes through.
 */
final class MoveHindrances {
  private final Consumer<String> say;
  private final Set<String> told = new HashSet<>();

  MoveHindrances(Consumer<String> say) {
    this.say = say;
  }

  /** A move did not begin. */
  void refused(String why) {
    tell(why, why);
  }

  /** A move is over. */
  void ended(MoverReport report) {
    if (report.left().isEmpty()) {
      wentThrough();
    }
    report.left().forEach(one -> left(one.reason(), one.example()));
  }

  /** A move left nothing. */
  void wentThrough() {
    told.clear();
  }

  /** A move left some files, one of which is the example. */
  void left(String reason, String example) {
    tell(reason, "a prefetch left some: " + reason + "; for example " + example);
  }

  private void tell(String cause, String line) {
    if (told.add(cause)) {
      say.accept(line);
    }
  }
}
