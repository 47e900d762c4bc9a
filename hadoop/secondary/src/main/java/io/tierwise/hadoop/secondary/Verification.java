package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStores;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads the copies of files and compares them with their checksums. */
final class Verification implements FileVerb {
  private final SecondaryTier tier;
  private final LazyCopies lazy;
  private final CopyMaker copies;

  Verification(SecondaryTier tier, Transfer transfer, Consumer<String> remarks) {
    this.tier = tier;
    this.lazy = new LazyCopies(tier.fs(), tier.stores());
    this.copies = new CopyMaker(tier.fs(), lazy, transfer, remarks, Steps.NONE);
  }

  @Override
  public Optional<String> stays(PrimaryFile file) throws IOException {
    if (file.isWork()) {
      return Optional.of(WorkName.LEFT_BY_A_RUN);
    }
    return file.isPlaceholder() || (file.status().getLen() > 0 && lazy.isMarked(file))
        ? Optional.empty()
        : Optional.of("it has no copy in a secondary store");
  }

  @Override
  public void apply(PrimaryFile file) throws IOException {
    SecondaryStores.Found found;
    if (file.isPlaceholder()) {
      found = tier.stores().find(file.soughtCopy());
    } else {
      Optional<SecondaryStores.Found> there = lazy.find(file);
      if (there.isEmpty()) {
        throw new IOException(
            "it says that it has a copy, and no store has it (its bytes are in HDFS; 'tierwise"
                + " secondary clean' takes the mark away)");
      }
      found = there.get();
      if (!copies.hasBytesOf(file, found.checked().description())) {
        throw new IOException(
            "its copy is of other bytes than it has: it was changed, and its former time was set"
                + " again ('tierwise secondary offload' copies it anew)");
      }
    }
    copies.requireWhole(found.copy(), found.copy().data(), found.checked());
    if (file.isPlaceholder() && Placeholder.isOpen(file.status())) {
      throw new IOException(
          "somebody gave rights to read to its placeholder, and clients without Tierwise take that"
              + " for the file: take them away with 'hdfs dfs -chmod a-r'");
    }
  }

  @Override
  public JournalEntry.Store journaled(PrimaryFile file) {
    return null;
  }
}
