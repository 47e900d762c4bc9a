package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;

/**
 * A moment by which data is to be in its place.
 *
 * <p>Source: DerbyhatS, 7.1.4 (replicas are pre-staged where jobs will need them). Own: the plan's
 * time is compared with the time that is left; the plan goes by the limits given, and devices that
 * are slower take longer.
 *
 * @param by in ISO 8601
 * @param secondsLeft until then, when it was planned; never below 0
 * @param secondsNeeded by the plan
 * @param kept of a plan, whether that is enough for all that should move; of a run, whether all was
 *     in place by then
 * @param ended when the run was over, in ISO 8601; null of a plan
 * @param secondsLate of the run's end, 0 where it was in time; null of a plan
 */
public record Deadline(
    String by,
    double secondsLeft,
    double secondsNeeded,
    boolean kept,
    String ended,
    Double secondsLate) {
  /**
   * Reads a moment: today's or tomorrow's for a time without a date, whichever is to come.
   *
   * @throws OperatorException when it is none, or over
   */
  public static Instant parse(String text, ZonedDateTime now) {
    Instant moment;
    try {
      if (text.indexOf('T') >= 0) {
        moment = OffsetDateTime.parse(text).toInstant();
      } else {
        ZonedDateTime today = now.with(LocalTime.parse(text));
        moment = (today.isAfter(now) ? today : today.plusDays(1)).toInstant();
      }
    } catch (DateTimeException e) {
      throw OperatorException.badInput(
          "--by " + text + " is no time: write 14:00, or 2026-01-31T14:00:00Z");
    }
    if (!moment.isAfter(now.toInstant())) {
      throw OperatorException.badInput("--by " + text + " is over: name a time to come");
    }
    return moment;
  }

  /** Compares a plan with the moment. */
  public static Deadline of(Instant moment, Instant now, MoverReport plan) {
    double left = Math.max(0, secondsFrom(now, moment));
    boolean kept = plan.complete() && plan.seconds() <= left;
    return new Deadline(moment.toString(), left, plan.seconds(), kept, null, null);
  }

  /** The same after the run: what counts then is when it was over. */
  public Deadline after(Instant end, MoverReport run) {
    double late = secondsFrom(Instant.parse(by), end);
    return new Deadline(
        by,
        secondsLeft,
        secondsNeeded,
        run.complete() && late <= 0,
        end.truncatedTo(ChronoUnit.SECONDS).toString(),
        Math.max(0, late));
  }

  private static double secondsFrom(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / 1e3;
  }

  /** One line for people about a run that is over. */
  public String text(MoverReport run) {
    double early = secondsFrom(Instant.parse(ended), Instant.parse(by));
    return (run.complete() ? "in place at " : "not all in place at ")
        + ended
        + ", "
        + (secondsLate > 0
            ? Words.duration(secondsLate) + " after --by"
            : Words.duration(Math.max(0, early)) + " before --by");
  }

  /** One line for people about a plan. */
  public String text() {
    String times =
        by
            + ": "
            + Words.duration(secondsNeeded)
            + " needed, "
            + Words.duration(secondsLeft)
            + " left";
    if (kept) {
      return "in place by " + times;
    }
    boolean slow = secondsNeeded > secondsLeft;
    return "not all in place by "
        + times
        + (slow ? "; more --bandwidth, or an earlier start" : "; the plan leaves some where it is");
  }
}
