package io.tierwise.hadoop.secondary;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * The report of a run, or of a dry one.
 *
 * @param id of the run in the journal; null when nothing was changed
 * @param store that files go to or come from
 * @param files that were moved, or would be
 * @param bytes of theirs
 * @param storeBytes that copies of them take in the store, with replicas or parity; null where none
 *     are written, and where the store does not tell
 * @param seconds that it took; null of a dry run
 * @param left files that stay as they are, by reason
 * @param stopped whether it was ended before its end, by a signal or by a fault of the store
 */
public record SecondaryReport(
    String id,
    String store,
    long files,
    long bytes,
    Long storeBytes,
    List<Left> left,
    Double seconds,
    boolean stopped) {
  public SecondaryReport {
    left = List.copyOf(left);
  }

  /**
   * Files that stay.
   *
   * @param reason one line for people
   * @param fault whether something went wrong, as against a rule
   * @param example one of the paths
   */
  public record Left(String reason, boolean fault, long files, long bytes, String example) {
    Left plus(Left more) {
      return new Left(reason, fault, files + more.files, bytes + more.bytes, example);
    }

    /** The same files by another reason, which stands for this one. */
    Left because(String other) {
      return new Left(other, fault, files, bytes, example);
    }

    JournalEntry.Left journaled() {
      return new JournalEntry.Left(reason, fault, files, bytes, example);
    }

    private String text() {
      return Words.count(files, "file")
          + " ("
          + Words.bytes(bytes)
          + (fault ? ") failed: " : ") stay: ")
          + Words.plain(reason)
          + "; for example "
          + Words.plain(example);
    }
  }

  /** Whether nothing went wrong and nothing was cut short; what a rule keeps is no fault. */
  public boolean complete() {
    return !stopped && left.stream().noneMatch(Left::fault);
  }

  JournalEntry.End journalEnd() {
    List<JournalEntry.Left> faults =
        left.stream().filter(Left::fault).map(Left::journaled).toList();
    return new JournalEntry.End(files, bytes, faults, stopped);
  }

  /**
   * For people.
   *
   * @param did what was done, for example {@code offloaded}
   */
  public List<String> lines(String did) {
    List<String> lines = new ArrayList<>();
    lines.add(
        did
            + " "
            + Words.count(files, "file")
            + ", "
            + Words.bytes(bytes)
            + " ("
            + store
            + (storeBytes == null ? "" : ", where copies take " + Words.bytes(storeBytes))
            + (seconds == null ? ")" : ") in " + Words.duration(seconds)));
    left.forEach(one -> lines.add(one.text()));
    return lines;
  }
}
