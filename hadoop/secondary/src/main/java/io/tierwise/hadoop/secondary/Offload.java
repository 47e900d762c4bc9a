package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.CopyDescription;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStores;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Moves a file to the secondary store: a verified copy first, then a placeholder takes the file's
 * place in one step. Ended at any moment before that step the file is as it was; after it, readers
 * by our client read the copy.
 */
final class Offload implements FileVerb {
  /** A placeholder of as many replicas takes more. */
  static final long BYTES_MIN = 4096;

  private final DistributedFileSystem fs;
  private final SecondaryStore target;
  private final boolean keepsPrimary;
  private final LazyCopies lazy;
  private final CopyMaker copies;
  private final PlaceholderMaker placeholders;
  private final Steps steps;

  /**
   * @param keepsPrimary whether the file's replicas stay, until another run lets them go
   */
  Offload(
      DistributedFileSystem fs,
      SecondaryStores stores,
      Transfer transfer,
      boolean keepsPrimary,
      Steps steps) {
    this.fs = fs;
    this.target = stores.all().get(0);
    this.keepsPrimary = keepsPrimary;
    this.lazy = new LazyCopies(fs, stores);
    this.copies = new CopyMaker(fs, transfer, steps);
    this.placeholders = new PlaceholderMaker(fs);
    this.steps = steps;
  }

  @Override
  public Optional<String> stays(PrimaryFile file) throws IOException {
    if (file.isPlaceholder()) {
      return Optional.of("it is in a secondary store already");
    }
    if (file.isWork()) {
      return Optional.of("an unfinished run made it: 'tierwise secondary clean' takes it away");
    }
    if (file.status().getFileEncryptionInfo() != null) {
      return Optional.of("it is in an encryption zone, and its copy would stand in clear");
    }
    if (file.status().hasAcl()) {
      return Optional.of("it has an access control list, which the copy could not keep");
    }
    if (file.status().getLocatedBlocks().isUnderConstruction()) {
      return Optional.of("it is being written");
    }
    if (file.status().getLen() < BYTES_MIN) {
      return Optional.of("it is so small that nothing would be gained");
    }
    if (keepsPrimary && lazy.isMarked(file)) {
      return Optional.of("it has a copy in the store already");
    }
    return SnapshotGuard.why(fs, file.hdfsPath());
  }

  @Override
  public void apply(PrimaryFile file) throws IOException, StaysException {
    if (keepsPrimary) {
      StoredCopy copy = target.copy(file.pool(), file.fileId());
      CopyDescription.Checked made = copies.make(file, copy, lazy.ownAttributes(file));
      lazy.mark(file.hdfsPath(), made.description());
      return;
    }
    long placeholder = placeholders.begin(file);
    steps.made("placeholder begun");
    StoredCopy copy = null;
    try {
      copy = copyFor(file, placeholder);
      placeholders.finish(file);
      steps.made("placeholder finished");
      new Swap(fs, steps).replaceUnchanged(file, placeholder);
    } catch (IOException | RuntimeException | StaysException e) {
      undo(file, placeholder, copy);
      throw e;
    }
    steps.made("replaced");
  }

  /** A copy named after the placeholder: the one that there is, if it is whole, or a new one. */
  private StoredCopy copyFor(PrimaryFile file, long placeholder)
      throws IOException, StaysException {
    Optional<SecondaryStores.Found> there = lazy.find(file);
    if (there.isPresent() && isWhole(there.get())) {
      StoredCopy old = there.get().copy();
      StoredCopy passed = old.store().copy(file.pool(), placeholder);
      copies.pass(old, passed);
      steps.made("passed");
      return passed;
    }
    StoredCopy copy = target.copy(file.pool(), placeholder);
    copies.make(file, copy, lazy.ownAttributes(file));
    return copy;
  }

  /** A copy that is not is made anew. */
  private boolean isWhole(SecondaryStores.Found there) throws IOException {
    try {
      copies.requireWhole(there.copy(), there.copy().data(), there.checked());
      return true;
    } catch (StoreException e) {
      return false;
    }
  }

  /**
   * The answer of the step that replaces the file may have been lost: only when the NameNode says
   * that the placeholder is still beside the file is the copy of no use.
   */
  private void undo(PrimaryFile file, long placeholder, StoredCopy copy) {
    try {
      HdfsFileStatus beside = fs.getClient().getFileInfo(file.work("placeholder").toString());
      if (beside == null || beside.getFileId() != placeholder) {
        return;
      }
    } catch (IOException e) {
      return;
    }
    // Where it is not there any more the step was made after all, and needs its copy.
    if (placeholders.discard(file) && copy != null) {
      CopyMaker.discard(copy);
    }
  }

  @Override
  public JournalEntry.Store journaled(PrimaryFile file) {
    return new JournalEntry.Store(
        file.path(),
        file.fileId(),
        file.status().getLen(),
        "hdfs",
        keepsPrimary ? "both" : "secondary",
        target.toString());
  }
}
