package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.CopyDescription;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.FsPermission;

/** Writes, reads and deletes the two files of a copy. */
final class StoreFiles {
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0600);
  private static final int BUFFER_BYTES = 1 << 16;

  private StoreFiles() {}

  /**
   * Makes a file that its owner alone may read. Each block is on disks when it ends, where the
   * store is HDFS.
   *
   * @param forAll whether everybody may read what is written: then it is made with other rights on
   *     a mount that refuses these, as some do
   */
  static FSDataOutputStream create(FileSystem fs, Path path, boolean forAll) throws IOException {
    try {
      return fs.create(
          path,
          OWNER_ONLY,
          EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE, CreateFlag.SYNC_BLOCK),
          BUFFER_BYTES,
          fs.getDefaultReplication(path),
          fs.getDefaultBlockSize(path),
          null);
    } catch (IOException e) {
      if (forAll && refusesRights(fs, path)) {
        // Hadoop's local file system has made it, and gives no rights to a file that is there.
        return fs.append(path, BUFFER_BYTES);
      }
      throw e;
    }
  }

  /** Whether an empty file is there that can be given no rights. */
  private static boolean refusesRights(FileSystem fs, Path path) throws IOException {
    if (!fs.exists(path) || fs.getFileStatus(path).getLen() > 0) {
      return false;
    }
    try {
      fs.setPermission(path, OWNER_ONLY);
      return false;
    } catch (IOException | UnsupportedOperationException e) {
      return true;
    }
  }

  /**
   * Writes a description, makes it durable, and reads it back.
   *
   * @param forAll whether everybody may read it
   */
  static void describe(StoredCopy copy, CopyDescription.Checked checked, boolean forAll)
      throws IOException {
    FileSystem fs = copy.store().fs();
    try (FSDataOutputStream out = create(fs, copy.meta(), forAll)) {
      out.write(checked.description().file(checked.sums()));
      if (out.hasCapability(StreamCapabilities.HSYNC)) {
        out.hsync();
      }
    }
    Durability.force(fs, copy.meta());
    copy.describe();
  }

  /**
   * The description of a copy; empty when it has none.
   *
   * @throws UnknownCopyException when this one cannot be read
   * @throws StoreException when the store does not answer at all
   */
  static Optional<CopyDescription> description(StoredCopy copy) throws IOException {
    try {
      return Optional.of(copy.describe().description());
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      requireAnswer(copy);
      throw new UnknownCopyException(copy, e);
    }
  }

  /**
   * Whether a copy has this very description.
   *
   * @throws StoreException when the store does not answer
   */
  static boolean isDescribed(StoredCopy copy, CopyDescription.Checked checked) throws IOException {
    try {
      return Arrays.equals(copy.readMeta(), checked.description().file(checked.sums()));
    } catch (IOException e) {
      requireAnswer(copy);
      return false;
    }
  }

  private static void requireAnswer(StoredCopy copy) throws StoreException {
    try {
      copy.store().fs().getFileStatus(copy.store().root());
    } catch (IOException e) {
      throw new StoreException(copy.store(), "cannot be read", e);
    }
  }

  /** Whether the store has neither file. */
  static boolean isUnused(StoredCopy copy) throws IOException {
    FileSystem fs = copy.store().fs();
    return !fs.exists(copy.meta()) && !fs.exists(copy.data());
  }

  /** Deletes the files of a copy; those that it cannot delete are left to {@link Cleaning}. */
  static boolean discard(StoredCopy copy) {
    boolean all = true;
    for (Path path : new Path[] {copy.meta(), copy.data()}) {
      try {
        Removal.of(copy.store().fs(), path);
      } catch (IOException e) {
        all = false;
      }
    }
    return all;
  }
}
