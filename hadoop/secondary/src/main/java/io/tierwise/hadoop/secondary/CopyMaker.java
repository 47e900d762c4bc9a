package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.ChunkSums;
import io.tierwise.hadoop.hdfs.secondary.CopyDescription;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/** Makes copies in a store, and looks whether they are what they should be. */
final class CopyMaker {
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0600);
  private static final int BUFFER_BYTES = 1 << 16;
  private static final String COMPOSITE = "COMPOSITE-CRC32C";

  private final DistributedFileSystem primary;
  private final Transfer transfer;
  private final Steps steps;

  CopyMaker(DistributedFileSystem primary, Transfer transfer, Steps steps) {
    this.primary = primary;
    this.transfer = transfer;
    this.steps = steps;
  }

  /**
   * Copies a file: under another name, read back and compared, then renamed. When it returns, the
   * copy is durable as far as the store's file system can say so.
   *
   * @param copy that is made
   * @param attributes of the file, for users
   */
  CopyDescription.Checked make(PrimaryFile file, StoredCopy copy, Map<String, byte[]> attributes)
      throws IOException, StaysException {
    CopyRights rights = CopyRights.of(primary, file);
    try {
      ChunkSums sums = write(file, copy);
      steps.made("copied");
      requireSame(file, sums);
      CopyDescription description = describe(file, sums, attributes);
      CopyDescription.Checked checked = new CopyDescription.Checked(description, sums.chunks());
      requireWhole(copy, copy.part(), checked);
      steps.made("read back");
      publish(copy, checked, rights);
      steps.made("published");
      return checked;
    } catch (IOException | RuntimeException | StaysException e) {
      discard(copy);
      throw e;
    }
  }

  private ChunkSums write(PrimaryFile file, StoredCopy copy) throws IOException {
    try (FSDataInputStream in = primary.open(file.hdfsPath(), BUFFER_BYTES)) {
      FSDataOutputStream out;
      try {
        makeFolders(copy);
        out = create(copy, copy.part());
      } catch (IOException e) {
        throw new StoreException(copy.store(), "cannot be written", e);
      }
      try (OutputStream guarded = new StoreOutput(copy, out)) {
        ChunkSums sums = transfer.copy(in, guarded, ChunkSums.CHUNK_BYTES);
        guarded.flush();
        return sums;
      }
    }
  }

  /** Tells the store's errors from those of HDFS; a flush makes all durable. */
  private static final class StoreOutput extends OutputStream {
    private final StoredCopy copy;
    private final FSDataOutputStream out;

    StoreOutput(StoredCopy copy, FSDataOutputStream out) {
      this.copy = copy;
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      guard(() -> out.write(bytes, offset, length));
    }

    @Override
    public void flush() throws IOException {
      guard(
          () -> {
            if (out.hasCapability(StreamCapabilities.HSYNC)) {
              out.hsync();
            }
          });
    }

    @Override
    public void close() throws IOException {
      guard(out::close);
    }

    private interface Action {
      void run() throws IOException;
    }

    private void guard(Action action) throws IOException {
      try {
        action.run();
      } catch (IOException e) {
        throw new StoreException(copy.store(), "cannot be written", e);
      }
    }
  }

  /** The root is there before, so that nothing is written below a mount point without its mount. */
  private static void makeFolders(StoredCopy copy) throws IOException {
    FileSystem fs = copy.store().fs();
    FsPermission asRoot = fs.getFileStatus(copy.store().root()).getPermission();
    Path folder = copy.data().getParent();
    for (Path made : new Path[] {folder.getParent(), folder}) {
      if (!fs.exists(made)) {
        fs.mkdirs(made, asRoot);
        fs.setPermission(made, asRoot);
      }
    }
  }

  private static FSDataOutputStream create(StoredCopy copy, Path path) throws IOException {
    FileSystem fs = copy.store().fs();
    return fs.create(
        path,
        OWNER_ONLY,
        true,
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

  private CopyDescription describe(PrimaryFile file, ChunkSums sums, Map<String, byte[]> attributes)
      throws IOException {
    HdfsLocatedFileStatus status = file.status();
    return new CopyDescription(
        CopyDescription.VERSION,
        file.pool(),
        file.fileId(),
        file.path(),
        status.getLen(),
        ChunkSums.text(sums.whole()),
        ChunkSums.CHUNK_BYTES,
        status.getModificationTime(),
        status.getOwner(),
        status.getGroup(),
        status.getPermission().toShort(),
        status.getReplication(),
        status.getBlockSize(),
        status.getErasureCodingPolicy() == null ? null : status.getErasureCodingPolicy().getName(),
        primary.getStoragePolicy(file.hdfsPath()).getName(),
        attributes,
        Instant.now().toString());
  }

  /**
   * Reads a file of the store whole and compares it.
   *
   * @throws StoreException when it cannot be read or is another
   */
  void requireWhole(StoredCopy copy, Path path, CopyDescription.Checked checked)
      throws IOException {
    ChunkSums sums;
    try (InputStream in = copy.store().fs().open(path, BUFFER_BYTES)) {
      sums = transfer.copy(in, null, checked.description().chunkBytes());
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      throw new StoreException(copy.store(), "cannot be read", e);
    }
    if (sums.bytes() != checked.description().length()
        || !ChunkSums.text(sums.whole()).equals(checked.description().crc32c())
        || !Arrays.equals(sums.chunks(), checked.sums())) {
      throw new StoreException(
          copy.store(), "does not give back what was written to it, in " + path, null);
    }
  }

  private void publish(StoredCopy copy, CopyDescription.Checked checked, CopyRights rights)
      throws IOException, StaysException {
    try {
      FileSystem fs = copy.store().fs();
      rights.give(copy.store(), copy.part());
      // Of an earlier run: the id is this file's, and the description no longer fits.
      fs.delete(copy.meta(), false);
      fs.delete(copy.data(), false);
      rename(copy, copy.part(), copy.data());
      try (FSDataOutputStream out = create(copy, copy.part())) {
        out.write(checked.description().file(checked.sums()));
        if (out.hasCapability(StreamCapabilities.HSYNC)) {
          out.hsync();
        }
      }
      rights.give(copy.store(), copy.part());
      rename(copy, copy.part(), copy.meta());
      syncFolder(copy);
      copy.describe();
    } catch (IOException e) {
      throw new StoreException(copy.store(), "cannot be written", e);
    }
  }

  private static void rename(StoredCopy copy, Path from, Path to) throws IOException {
    if (!copy.store().fs().rename(from, to)) {
      throw new IOException("cannot rename " + from + " to " + to);
    }
  }

  /** Names in a local file system are durable when their directory is. */
  private static void syncFolder(StoredCopy copy) throws IOException {
    if (copy.store().fs() instanceof RawLocalFileSystem local) {
      java.nio.file.Path folder = local.pathToFile(copy.data().getParent()).toPath();
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  /** Gives a copy the name of another file: that of the inode that its file will be. */
  void pass(StoredCopy from, StoredCopy to) throws IOException {
    try {
      makeFolders(to);
      rename(from, from.data(), to.data());
      rename(from, from.meta(), to.meta());
      syncFolder(to);
    } catch (IOException e) {
      throw new StoreException(from.store(), "cannot be written", e);
    }
  }

  /** Takes away what there is of a copy; what cannot be is left to {@link Cleaning}. */
  static boolean discard(StoredCopy copy) {
    boolean all = true;
    for (Path path : new Path[] {copy.part(), copy.meta(), copy.data()}) {
      try {
        copy.store().fs().delete(path, false);
      } catch (IOException e) {
        all = false;
      }
    }
    return all;
  }
}
