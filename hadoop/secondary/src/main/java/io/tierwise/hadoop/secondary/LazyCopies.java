package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.CopyDescription;
import io.tierwise.hadoop.hdfs.secondary.SecondaryKeys;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStores;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;

/**
 * Copies of files that have their bytes in HDFS, too: an attribute of the file says what its copy
 * was made of, and holds as long as the file has that length and that time.
 */
final class LazyCopies {
  private final DistributedFileSystem fs;
  private final SecondaryStores stores;

  LazyCopies(DistributedFileSystem fs, SecondaryStores stores) {
    this.fs = fs;
    this.stores = stores;
  }

  DistributedFileSystem fs() {
    return fs;
  }

  SecondaryStores stores() {
    return stores;
  }

  /** A file's note of its copy, which is valid as long as the file has that length and time. */
  private record Mark(long length, long mtime, String crc32c) {
    private static Optional<Mark> parse(byte[] value) {
      if (value == null) {
        return Optional.empty();
      }
      String[] words = new String(value, StandardCharsets.UTF_8).split(" ");
      if (words.length != 3 || !words[0].matches("\\d{1,18}") || !words[1].matches("\\d{1,18}")) {
        return Optional.empty();
      }
      return Optional.of(new Mark(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2]));
    }

    private boolean holds(PrimaryFile file) {
      return length == file.status().getLen() && mtime == file.status().getModificationTime();
    }

    private boolean isOf(CopyDescription copy) {
      return length == copy.length() && crc32c.equals(copy.crc32c());
    }

    @Override
    public String toString() {
      return length + " " + mtime + " " + crc32c;
    }
  }

  /**
   * Marks a file that has a copy.
   *
   * @param mtime of the file, which may have got another one than its copy had
   */
  void mark(Path path, CopyDescription of, long mtime) throws IOException {
    fs.setXAttr(
        path,
        SecondaryKeys.COPY_ATTRIBUTE,
        new Mark(of.length(), mtime, of.crc32c()).toString().getBytes(StandardCharsets.UTF_8),
        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  /** Whether the file says that a store has a copy of it as it is. */
  boolean isMarked(PrimaryFile file) throws IOException {
    return markOf(file).filter(mark -> mark.holds(file)).isPresent();
  }

  /** Whether a copy under the file's number was made of this file, as it is or as it was. */
  boolean isOf(PrimaryFile file, CopyDescription copy) throws IOException {
    return copy.fileId() == file.fileId()
        || markOf(file).filter(mark -> mark.isOf(copy)).isPresent();
  }

  /**
   * Whether a new copy of the file may replace the one under its number.
   *
   * @throws UnknownCopyException when nobody can tell whose it is
   */
  boolean mayReplace(PrimaryFile file, StoredCopy copy) throws IOException {
    Optional<CopyDescription> there = StoreFiles.description(copy);
    // A copy without a description was left by an attempt that has ended.
    return there.isEmpty() || isOf(file, there.get());
  }

  private Optional<Mark> markOf(PrimaryFile file) throws IOException {
    return Mark.parse(attributesOf(file).get(SecondaryKeys.COPY_ATTRIBUTE));
  }

  private Map<String, byte[]> attributesOf(PrimaryFile file) throws IOException {
    try {
      return fs.getXAttrs(file.idPath());
    } catch (AccessControlException | FileNotFoundException e) {
      return Map.of();
    }
  }

  /** The copy of a marked file, in whichever store; empty when none can be read, or is of it. */
  Optional<SecondaryStores.Found> find(PrimaryFile file) throws IOException {
    Optional<Mark> mark = markOf(file).filter(one -> one.holds(file));
    if (mark.isEmpty()) {
      return Optional.empty();
    }
    for (SecondaryStore store : stores.all()) {
      StoredCopy copy = store.copy(file.pool(), file.fileId());
      Optional<CopyDescription.Checked> checked = describe(copy);
      if (checked.isPresent() && mark.get().isOf(checked.get().description())) {
        return Optional.of(new SecondaryStores.Found(copy, checked.get()));
      }
    }
    return Optional.empty();
  }

  /** Whether a store has a copy of a marked file; its bytes are not read. */
  boolean isThere(PrimaryFile file) throws IOException {
    Optional<SecondaryStores.Found> found = find(file);
    if (found.isEmpty()) {
      return false;
    }
    StoredCopy copy = found.get().copy();
    try {
      return copy.store().fs().getFileStatus(copy.data()).getLen() == file.status().getLen();
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /** One that cannot be read is as good as none: a new copy is made. */
  private static Optional<CopyDescription.Checked> describe(StoredCopy copy) {
    try {
      return Optional.of(copy.describe());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Takes the mark away, if there is one. */
  void unmark(PrimaryFile file) throws IOException {
    if (attributesOf(file).containsKey(SecondaryKeys.COPY_ATTRIBUTE)) {
      unmark(file.fileId());
    }
  }

  /** Takes the mark away that the file has. */
  void unmark(long fileId) throws IOException {
    fs.removeXAttr(new Path(PrimaryFile.byId(fileId)), SecondaryKeys.COPY_ATTRIBUTE);
  }
}
