package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.mover.journal.JournalEntry;
import java.io.IOException;
import java.util.Optional;

/** The action of a run on each file. */
interface FileVerb {
  /** The rule by which the file stays as it is, in words; empty when it is the verb's business. */
  Optional<String> stays(PrimaryFile file) throws IOException;

  /** The same without a word from the store: a file is believed that says it has a copy. */
  default Optional<String> seemsToStay(PrimaryFile file) throws IOException {
    return stays(file);
  }

  /**
   * Whether the file's bytes are to be written to where it goes; else they are there already.
   *
   * @param asksStore else a file is believed that says it has a copy
   */
  default boolean writes(PrimaryFile file, boolean asksStore) throws IOException {
    return true;
  }

  /**
   * Does it.
   *
   * @throws StoreException when the store is at fault: no other file would fare better
   * @throws IOException when something went wrong with this file, which is as it was
   */
  void apply(PrimaryFile file) throws IOException, StaysException;

  /** Its entry in the journal; null for a verb that changes nothing. */
  JournalEntry.Store journaled(PrimaryFile file);
}
