package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.ChunkSums;
import io.tierwise.hadoop.hdfs.secondary.CopyDescription;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStores;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.function.Consumer;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/** Makes copies in a store, and looks whether they are what they should be. */
final class CopyMaker {
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0600);
  private static final int BUFFER_BYTES = 1 << 16;
  private static final String COMPOSITE = "COMPOSITE-CRC32C";

  private final DistributedFileSystem primary;
  private final LazyCopies lazy;
  private final Transfer transfer;
  private final Consumer<String> remarks;
  private final Steps steps;

  /**
   * @param remarks hears what people should know of the store
   */
  CopyMaker(
      DistributedFileSystem primary,
      LazyCopies lazy,
      Transfer transfer,
      Consumer<String> remarks,
      Steps steps) {
    this.primary = primary;
    this.lazy = lazy;
    this.transfer = transfer;
    this.remarks = remarks;
    this.steps = steps;
  }

  /**
   * Copies a file: under another name, read back and compared, then renamed. When it returns, the
   * copy is durable as far as the store's file system can say so.
   *
   * @param copy that is made
   * @param of what the file is beside its bytes
   */
  CopyDescription.Checked make(PrimaryFile file, StoredCopy copy, Attempt attempt, Metadata of)
      throws IOException, StaysException {
    CopyRights rights = CopyRights.of(primary, file);
    requireFree(file, copy);
    Path part = copy.part(attempt.toString());
    try {
      ChunkSums sums = write(file, copy, part);
      steps.made("copied");
      Durability.remark(copy.store(), part).ifPresent(remarks);
      requireSame(file, sums);
      CopyDescription description = describe(file, ChunkSums.text(sums.whole()), of);
      CopyDescription.Checked checked = new CopyDescription.Checked(description, sums.chunks());
      requireWhole(copy, part, checked);
      steps.made("read back");
      publish(copy, part, checked, rights);
      steps.made("published");
      return checked;
    } catch (IOException | RuntimeException | StaysException e) {
      discardUnfinished(file, copy, part);
      throw e;
    }
  }

  /**
   * Refuses to write over a copy of something else. Numbers of inodes are given out once, but a
   * HDFS that was rolled back gives out again what it does not remember, and files that came back
   * may need those copies.
   */
  private void requireFree(PrimaryFile file, StoredCopy copy) throws IOException {
    boolean free;
    try {
      free = copy.fileId() == file.fileId() ? lazy.mayReplace(file, copy) : isUnused(copy);
    } catch (IOException e) {
      throw new StoreException(copy.store(), "cannot be read", e);
    }
    if (!free) {
      throw new IOException(
          "the store has something else under the number that HDFS gave out now, so that HDFS was"
              + " rolled back or restored: move "
              + copy.data()
              + " and its .meta away, which tells whose it is, and keep them");
    }
  }

  private static boolean isUnused(StoredCopy copy) throws IOException {
    FileSystem fs = copy.store().fs();
    return !fs.exists(copy.meta()) && !fs.exists(copy.data());
  }

  /** Of a copy that others may have made meanwhile, too, only what has no description goes. */
  private static void discardUnfinished(PrimaryFile file, StoredCopy copy, Path part) {
    try {
      Removal.of(copy.store().fs(), part);
      if (copy.fileId() == file.fileId() && copy.store().fs().exists(copy.meta())) {
        return;
      }
    } catch (IOException e) {
      // 'secondary clean' takes away what is left.
      return;
    }
    discard(copy);
  }

  private ChunkSums write(PrimaryFile file, StoredCopy copy, Path part) throws IOException {
    StoreFolders.make(copy);
    try (FSDataInputStream in = primary.open(file.hdfsPath(), BUFFER_BYTES)) {
      FSDataOutputStream out;
      try {
        out = create(copy, part);
      } catch (IOException e) {
        throw new StoreException(copy.store(), "cannot be written", e);
      }
      try (OutputStream guarded = new StoreOutput(copy.store(), out)) {
        ChunkSums sums = transfer.copy(in, guarded, ChunkSums.CHUNK_BYTES);
        guarded.flush();
        return sums;
      }
    }
  }

  /** Each block is on disks when it ends, where the store is HDFS. */
  private static FSDataOutputStream create(StoredCopy copy, Path path) throws IOException {
    FileSystem fs = copy.store().fs();
    return fs.create(
        path,
        OWNER_ONLY,
        EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE, CreateFlag.SYNC_BLOCK),
        BUFFER_BYTES,
        fs.getDefaultReplication(path),
        fs.getDefaultBlockSize(path),
        null);
  }

  /** Compares with the checksum that the DataNodes have of the file. */
  void requireSame(PrimaryFile file, ChunkSums sums) throws IOException {
    if (sums.bytes() != file.status().getLen()) {
      throw new IOException("it was changed while it was copied: run again");
    }
    requireDataNodesSay(file.hdfsPath(), sums.whole());
  }

  /** Compares a file of HDFS with a checksum, where its DataNodes keep CRC-32C as we do. */
  void requireDataNodesSay(Path path, int crc32c) throws IOException {
    FileChecksum theirs = primary.getFileChecksum(path);
    if (theirs instanceof CompositeCrcFileChecksum composite
        && composite.getAlgorithmName().equals(COMPOSITE)
        && !ChunkSums.text(crc32c).equals(hex(composite.getBytes()))) {
      throw new IOException(
          "what was read of it is not what its DataNodes have: run again, and have the memory of"
              + " this machine checked if it comes again");
    }
  }

  private static String hex(byte[] sum) {
    StringBuilder text = new StringBuilder();
    for (byte b : sum) {
      text.append(String.format("%02x", b));
    }
    return text.toString();
  }

  private CopyDescription describe(PrimaryFile file, String crc32c, Metadata of)
      throws IOException {
    HdfsLocatedFileStatus status = file.status();
    return new CopyDescription(
        CopyDescription.VERSION,
        file.pool(),
        file.fileId(),
        file.path(),
        status.getLen(),
        crc32c,
        ChunkSums.CHUNK_BYTES,
        status.getModificationTime(),
        status.getOwner(),
        status.getGroup(),
        status.getPermission().toShort(),
        status.getReplication(),
        status.getBlockSize(),
        status.getErasureCodingPolicy() == null ? null : status.getErasureCodingPolicy().getName(),
        ownPolicy(file, of),
        of.attributes(),
        Instant.now().toString());
  }

  /** The storage policy that the file does not have from its directory; null when there is none. */
  private String ownPolicy(PrimaryFile file, Metadata of) throws IOException {
    HdfsFileStatus above =
        primary.getClient().getFileInfo(file.hdfsPath().getParent().toUri().getPath());
    return above == null || above.getStoragePolicy() == of.status().getStoragePolicy()
        ? null
        : primary.getStoragePolicy(file.hdfsPath()).getName();
  }

  /**
   * Reads a file of the store whole and compares it.
   *
   * @throws StoreException when it cannot be read or is another
   */
  void requireWhole(StoredCopy copy, Path path, CopyDescription.Checked checked)
      throws IOException {
    ChunkSums sums;
    try (InputStream in = ReadBack.open(copy.store().fs(), path, remarks)) {
      sums = transfer.copy(in, null, checked.description().chunkBytes());
    } catch (IOException e) {
      if (transfer.isStopped()) {
        throw e;
      }
      throw new StoreException(copy.store(), "cannot be read", e);
    }
    if (sums.bytes() != checked.description().length()
        || !ChunkSums.text(sums.whole()).equals(checked.description().crc32c())
        || !Arrays.equals(sums.chunks(), checked.sums())) {
      throw new StoreException(
          copy.store(), "does not give back what was written to it, in " + path, null);
    }
  }

  private void publish(
      StoredCopy copy, Path part, CopyDescription.Checked checked, CopyRights rights)
      throws IOException, StaysException {
    try {
      FileSystem fs = copy.store().fs();
      Durability.force(fs, part);
      rights.give(copy.store(), part);
      // Of an earlier run: its description no longer fits.
      fs.delete(copy.meta(), false);
      fs.delete(copy.data(), false);
      rename(copy, part, copy.data());
      writeDescription(copy, part, checked, rights);
    } catch (IOException e) {
      throw new StoreException(copy.store(), "cannot be written", e);
    }
  }

  private static void writeDescription(
      StoredCopy copy, Path part, CopyDescription.Checked checked, CopyRights rights)
      throws IOException, StaysException {
    FileSystem fs = copy.store().fs();
    try (FSDataOutputStream out = create(copy, part)) {
      out.write(checked.description().file(checked.sums()));
      if (out.hasCapability(StreamCapabilities.HSYNC)) {
        out.hsync();
      }
    }
    Durability.force(fs, part);
    rights.give(copy.store(), part);
    rename(copy, part, copy.meta());
    Durability.forceNames(copy);
    copy.describe();
  }

  private static void rename(StoredCopy copy, Path from, Path to) throws IOException {
    if (!copy.store().fs().rename(from, to)) {
      throw new IOException("cannot rename " + from + " to " + to);
    }
  }

  /** Gives a copy the name of another file: that of the inode that its file is now. */
  void pass(StoredCopy from, StoredCopy to) throws IOException {
    StoreFolders.make(to);
    try {
      if (!isUnused(to)) {
        throw new IOException("there is something of that name: " + to.data());
      }
      rename(from, from.data(), to.data());
      rename(from, from.meta(), to.meta());
      Durability.forceNames(to);
    } catch (IOException e) {
      throw new StoreException(from.store(), "cannot be written", e);
    }
  }

  /**
   * Gives a whole copy the name of its file's placeholder, and describes it anew: since it was made
   * the file may have got another owner, other rights or attributes.
   */
  void adopt(
      SecondaryStores.Found there, StoredCopy to, PrimaryFile file, Attempt attempt, Metadata of)
      throws IOException, StaysException {
    StoredCopy from = there.copy();
    CopyRights rights = CopyRights.of(primary, file);
    requireFree(file, to);
    StoreFolders.make(to);
    if (!from.store().fs().exists(from.data())) {
      throw new IOException("another run took its copy: run again");
    }
    CopyDescription description = describe(file, there.checked().description().crc32c(), of);
    Path part = to.part(attempt.toString());
    try {
      rename(from, from.data(), to.data());
      rights.give(to.store(), to.data());
      CopyDescription.Checked checked =
          new CopyDescription.Checked(description, there.checked().sums());
      writeDescription(to, part, checked, rights);
      from.store().fs().delete(from.meta(), false);
    } catch (IOException e) {
      discardUnfinished(file, to, part);
      throw new StoreException(from.store(), "cannot be written", e);
    } catch (StaysException e) {
      discardUnfinished(file, to, part);
      throw e;
    }
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
