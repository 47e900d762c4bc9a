package io.tierwise.hadoop.mover.journal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What became of the steps of a run: twelve bytes a line, and each reason once. */
final class StepEnds {
  private static final int OPEN = 0;
  private static final int DONE = 1;
  private static final int FIRST_REASON = 2;
  private static final int LINES_AT_FIRST = 64;

  /** By line: open, done, or the number of the reason why not. */
  private int[] ends = new int[LINES_AT_FIRST];

  /** By line: nanoseconds since 1970, which reach to the year 2262. */
  private long[] endedNanos = new long[LINES_AT_FIRST];

  private final List<String> reasons = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();

  /** Takes the result of an earlier line. */
  void note(JournalEntry.Result result, JournalLine line) {
    if (result.of() < 0 || result.of() >= line.number()) {
      return;
    }
    int at = Math.toIntExact(result.of());
    if (at >= ends.length) {
      int length = Math.max(at + 1, ends.length + ends.length / 2);
      ends = Arrays.copyOf(ends, length);
      endedNanos = Arrays.copyOf(endedNanos, length);
    }
    ends[at] = result.reason() == null ? DONE : numberOf(result.reason());
    Instant time = line.time();
    endedNanos[at] = TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }

  private int numberOf(String reason) {
    return numbers.computeIfAbsent(
        reason,
        added -> {
          reasons.add(added);
          return reasons.size() - 1 + FIRST_REASON;
        });
  }

  /** The step of a line, with its end. */
  PastRun.Step step(JournalLine line) {
    int end = line.number() < ends.length ? ends[(int) line.number()] : OPEN;
    if (end == OPEN) {
      return new PastRun.Step(line.number(), line.time(), line.entry(), null, null);
    }
    String reason = end == DONE ? null : reasons.get(end - FIRST_REASON);
    return new PastRun.Step(
        line.number(),
        line.time(),
        line.entry(),
        new JournalEntry.Result(line.number(), reason),
        Instant.ofEpochSecond(0, endedNanos[(int) line.number()]));
  }
}
