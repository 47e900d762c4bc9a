package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.CopyDescription;
import io.tierwise.hadoop.hdfs.secondary.SecondaryKeys;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStores;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
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

  /** The attribute's value for a file that is what the copy was made of. */
  static byte[] attribute(CopyDescription of) {
    return value(of.length(), of.mtime(), of.crc32c());
  }

  private static byte[] value(long length, long mtime, String crc32c) {
    return (length + " " + mtime + " " + crc32c).getBytes(StandardCharsets.UTF_8);
  }

  void mark(Path path, CopyDescription of) throws IOException {
    fs.setXAttr(
        path,
        SecondaryKeys.COPY_ATTRIBUTE,
        attribute(of),
        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  /** Whether the file says that a store has a copy of it as it is. */
  boolean isMarked(PrimaryFile file) throws IOException {
    byte[] value = attributesOf(file).get(SecondaryKeys.COPY_ATTRIBUTE);
    if (value == null) {
      return false;
    }
    String text = new String(value, StandardCharsets.UTF_8);
    return text.startsWith(
        file.status().getLen() + " " + file.status().getModificationTime() + " ");
  }

  private Map<String, byte[]> attributesOf(PrimaryFile file) throws IOException {
    try {
      return fs.getXAttrs(file.hdfsPath());
    } catch (AccessControlException e) {
      return Map.of();
    }
  }

  /** The attributes that users gave the file, without ours of its copy. */
  Map<String, byte[]> ownAttributes(PrimaryFile file) throws IOException {
    Map<String, byte[]> own = new HashMap<>();
    fs.getXAttrs(file.hdfsPath())
        .forEach(
            (name, value) -> {
              if (name.startsWith("user.") && !name.equals(SecondaryKeys.COPY_ATTRIBUTE)) {
                own.put(name, value == null ? new byte[0] : value);
              }
            });
    return own;
  }

  /** The copy of a marked file, in whichever store; empty when none can be read, or is of it. */
  Optional<SecondaryStores.Found> find(PrimaryFile file) throws IOException {
    if (!isMarked(file)) {
      return Optional.empty();
    }
    for (SecondaryStore store : stores.all()) {
      StoredCopy copy = store.copy(file.pool(), file.fileId());
      Optional<CopyDescription.Checked> checked = describe(copy);
      if (checked.isPresent()
          && checked.get().description().length() == file.status().getLen()
          && checked.get().description().mtime() == file.status().getModificationTime()) {
        return Optional.of(new SecondaryStores.Found(copy, checked.get()));
      }
    }
    return Optional.empty();
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
      fs.removeXAttr(file.hdfsPath(), SecondaryKeys.COPY_ATTRIBUTE);
    }
  }
}
