package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.CopyDescription;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStores;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Gives the copy of a file that has its bytes in HDFS, too, to the file's placeholder. The
 * description under the file's number stays until the move has succeeded, so that the copy can go
 * back.
 */
final class Adoption implements StoreChange {
  /**
   * A copy that may be taken up.
   *
   * @param found under the file's number
   * @param data as it was when it was compared with the file
   */
  record Candidate(SecondaryStores.Found found, FileStatus data) {
    private boolean isStill(FileStatus now) {
      return now.getLen() == data.getLen()
          && now.getModificationTime() == data.getModificationTime();
    }
  }

  private final DistributedFileSystem primary;
  private final SecondaryStores stores;
  private final PrimaryFile file;
  private final Candidate candidate;
  private final StoredCopy from;
  private final StoredCopy to;
  private final StoredCopy part;
  private final CopyDescription.Checked anew;
  private final Renames renames;

  /**
   * @param to its new name
   * @param anew its new description: since it was made the file may have got another owner, other
   *     rights or attributes
   */
  Adoption(
      LazyCopies lazy,
      PrimaryFile file,
      Candidate candidate,
      StoredCopy to,
      Attempt attempt,
      CopyDescription anew) {
    this.primary = lazy.fs();
    this.stores = lazy.stores();
    this.file = file;
    this.candidate = candidate;
    this.from = candidate.found().copy();
    this.to = to;
    this.part = to.part(attempt.toString());
    this.anew = new CopyDescription.Checked(anew, candidate.found().checked().sums());
    this.renames = new Renames(to.store());
  }

  /** Renames the copy, and describes it anew. */
  void adopt(CopyRights rights) throws IOException, StaysException {
    StoreFolders.make(to);
    try {
      StoreFiles.describe(part, anew, rights.everybodyReads());
      rights.give(to.store(), part.meta());
    } catch (IOException e) {
      throw new StoreException(to.store(), "cannot be written", e);
    }
    take();
    try {
      rights.give(to.store(), to.data());
      renames.add(part.meta(), to.meta());
      Durability.forceNames(to);
    } catch (IOException e) {
      throw new StoreException(to.store(), "cannot be written", e);
    }
  }

  private void take() throws IOException {
    FileSystem fs = to.store().fs();
    try {
      renames.add(from.data(), to.data());
    } catch (IOException e) {
      if (fs.exists(from.data())) {
        throw new StoreException(to.store(), "cannot be written", e);
      }
      throw new IOException("another run took its copy: run again", e);
    }
    // In an object store it has the time of its rename, and is read again.
    if (!ObjectStores.mayBe(to.store()) && !candidate.isStill(fs.getFileStatus(to.data()))) {
      throw copiedAnew();
    }
  }

  static IOException copiedAnew() {
    return new IOException("another run copied it anew meanwhile: run again");
  }

  /** Whether the description that was left under the file's number is of another copy by now. */
  boolean isCopiedAnew() throws IOException {
    String compared = candidate.found().checked().description().time();
    return StoreFiles.description(from).filter(now -> !now.time().equals(compared)).isPresent();
  }

  /** The copy's new description. */
  CopyDescription.Checked checked() {
    return anew;
  }

  @Override
  public CopyDescription description() {
    return anew.description();
  }

  @Override
  public void settle() {
    try {
      forgetName();
    } catch (IOException e) {
      // Cleaning finds it: no inode has that number any more.
      return;
    }
  }

  /** Deletes the former description, unless another run has made a copy for it. */
  private void forgetName() throws IOException {
    FileSystem fs = from.store().fs();
    if (!fs.exists(from.data())) {
      Removal.of(fs, from.meta());
    }
  }

  @Override
  public void undo() {
    try {
      if (mayGoBack()) {
        renames.undo();
      } else if (!renames.isEmpty()) {
        if (isElsewhere()) {
          StoreFiles.discard(to);
        }
        // Else it is a copy of no file, and Cleaning says whether something may need it.
        forgetName();
      }
    } catch (IOException e) {
      // Nothing is lost: Cleaning finds the files, whatever their names are now.
      return;
    } finally {
      StoreFiles.discard(part);
    }
  }

  private boolean mayGoBack() throws IOException {
    FileSystem fs = from.store().fs();
    return isThere(file.fileId()) && fs.exists(from.meta()) && !fs.exists(from.data());
  }

  private boolean isThere(long fileId) throws IOException {
    try {
      return primary.getClient().getFileInfo(PrimaryFile.byId(fileId)) != null;
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /** Whether the inode that the file is now has a copy of the same bytes, made by another run. */
  private boolean isElsewhere() throws IOException {
    Optional<PrimaryFile> now = FilesOf.at(primary, file.path());
    if (now.isEmpty()) {
      return false;
    }
    for (SecondaryStore store : stores.all()) {
      StoredCopy other = store.copy(file.pool(), now.get().fileId());
      if (store.fs().exists(other.data())
          && StoreFiles.description(other).filter(anew.description()::hasBytesOf).isPresent()) {
        return true;
      }
    }
    return false;
  }
}
