package io.tierwise.hadoop.mover.journal;

import io.tierwise.core.message.OperatorException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * A run without its steps; memory does not grow with their number.
 *
 * @param end null when the run did not come to its end, or goes on
 * @param ended when the last line was written; null when it was not
 * @param steps moves and changes
 */
public record RunSummary(
    JournalEntry.Begin begin, Instant began, JournalEntry.End end, Instant ended, long steps) {
  /**
   * A time as a user writes it: a day in UTC, or a moment.
   *
   * @param option names the text in a message
   */
  public static Instant time(String text, String option) {
    try {
      return text.length() == "2026-01-31".length()
          ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
          : Instant.parse(text);
    } catch (DateTimeException e) {
      throw OperatorException.badInput(
          option + " " + text + " is no time: write 2026-01-31, or 2026-01-31T12:00:00Z");
    }
  }

  /** Reads a run. */
  public static RunSummary read(Journal journal, String id) {
    long[] steps = {0};
    List<JournalLine> frame = new ArrayList<>();
    journal.read(
        id,
        line -> {
          if (line.entry() instanceof JournalEntry.Begin
              || line.entry() instanceof JournalEntry.End) {
            frame.add(line);
          } else if (line.isStep()) {
            steps[0]++;
          }
        });
    JournalLine first = frame.get(0);
    JournalLine last = frame.get(frame.size() - 1);
    JournalEntry.End end = last.entry() instanceof JournalEntry.End found ? found : null;
    return new RunSummary(
        (JournalEntry.Begin) first.entry(),
        first.time(),
        end,
        end == null ? null : last.time(),
        steps[0]);
  }
}
