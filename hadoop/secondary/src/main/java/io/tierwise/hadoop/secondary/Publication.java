package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.CopyDescription;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Gives a new copy its name in the store. An older copy of that name is renamed before, and deleted
 * only when it has the same bytes: another one may be needed by a HDFS that is rolled back, and is
 * left to {@link Cleaning}.
 */
final class Publication implements StoreChange {
  private final StoredCopy copy;
  private final StoredCopy part;
  private final StoredCopy older;
  private final Transfer transfer;
  private final Renames renames;
  private boolean steppedAside;
  private CopyDescription.Checked published;

  /**
   * @param transfer of the older copy's bytes, where a rename would copy them unchecked
   */
  Publication(StoredCopy copy, Attempt attempt, Transfer transfer) {
    this.transfer = transfer;
    this.copy = copy;
    this.part = copy.part(attempt.toString());
    this.older = copy.older(attempt.toString());
    this.renames = new Renames(copy.store());
  }

  /** The file that the bytes are written to. */
  Path part() {
    return part.data();
  }

  /** Describes the bytes that were written, and names both files; durable at the end. */
  void publish(CopyDescription.Checked checked, CopyRights rights)
      throws IOException, StaysException {
    try {
      Durability.force(copy.store().fs(), part.data());
      StoreFiles.describe(part, checked, rights.everybodyReads());
      rights.give(copy.store(), part.data());
      rights.give(copy.store(), part.meta());
      stepAside();
      steppedAside = !renames.isEmpty();
      renames.add(part.data(), copy.data());
      renames.add(part.meta(), copy.meta());
      published = checked;
      Durability.forceNames(copy);
    } catch (IOException e) {
      if (transfer.isStopped()) {
        throw e;
      }
      throw new StoreException(copy.store(), "cannot be written", e);
    }
  }

  private void stepAside() throws IOException {
    stepAside(copy.data(), older.data());
    stepAside(copy.meta(), older.meta());
  }

  private void stepAside(Path from, Path to) throws IOException {
    if (!copy.store().fs().exists(from)) {
      return;
    }
    if (ObjectStores.mayBe(copy.store())) {
      renames.addChecked(from, to, transfer);
    } else {
      renames.add(from, to);
    }
  }

  @Override
  public CopyDescription description() {
    return published.description();
  }

  @Override
  public void settle() {
    if (!steppedAside) {
      return;
    }
    try {
      FileSystem fs = copy.store().fs();
      Optional<CopyDescription> was = StoreFiles.description(older);
      if (was.isEmpty() || was.get().hasBytesOf(description()) || !fs.exists(older.data())) {
        StoreFiles.discard(older);
      }
    } catch (IOException e) {
      // Cleaning looks at it.
      return;
    }
  }

  @Override
  public void undo() {
    try {
      if (published == null || isPublished()) {
        renames.undo();
      }
    } catch (IOException e) {
      // Nothing is lost: Cleaning finds the files, whatever their names are now.
      return;
    } finally {
      StoreFiles.discard(part);
    }
  }

  /** Another run may have copied the file since; what nobody can read is not such a copy. */
  private boolean isPublished() throws IOException {
    try {
      return StoreFiles.description(copy)
          .filter(now -> now.time().equals(description().time()))
          .isPresent();
    } catch (UnknownCopyException e) {
      return true;
    }
  }
}
