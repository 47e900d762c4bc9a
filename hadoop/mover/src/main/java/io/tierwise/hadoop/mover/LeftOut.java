package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.journal.JournalEntry;

/**
 * Files that were to change and stay as they are, since HDFS refuses to change them.
 *
 * @param reason one line for people
 * @param example one of the paths
 */
public record LeftOut(String reason, long files, String example) {
  LeftOut plus(LeftOut more) {
    return new LeftOut(reason, files + more.files, example);
  }

  JournalEntry.Left journaled() {
    return new JournalEntry.Left(reason, true, files, 0, example);
  }

  /** For people. */
  public String text() {
    return Words.count(files, "file")
        + (files == 1 ? " stays as it is: " : " stay as they are: ")
        + Words.plain(reason)
        + "; for example "
        + Words.plain(example);
  }
}
