package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.ChunkSums;
import io.tierwise.hadoop.hdfs.secondary.CopyDescription;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStores;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/** Makes copies in a store, and looks whether they are what they should be. */
final class CopyMaker {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final String COMPOSITE = "COMPOSITE-CRC32C";

  private final DistributedFileSystem primary;
  private final LazyCopies lazy;
  private final Transfer transfer;
  private final Consumer<String> remarks;
  private final Steps steps;
  private final KeptRights kept = new KeptRights();

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
   * Copies a file: under another name, read back and compared, then renamed. Where a rename copies,
   * it is read back under its last name. When it returns, the copy is durable as far as the store's
   * file system can say so.
   *
   * @param copy that is made
   * @param of what the file is beside its bytes
   */
  StoreChange make(PrimaryFile file, StoredCopy copy, Attempt attempt, Metadata of)
      throws IOException, StaysException {
    CopyRights rights = CopyRights.of(primary, file);
    requireFree(file, copy);
    rights.requireKept(copy, attempt, kept);
    boolean renameCopies = ObjectStores.mayBe(copy.store());
    Publication publication = new Publication(copy, attempt, transfer);
    Path part = publication.part();
    try {
      ChunkSums sums = write(file, copy, part, rights.everybodyReads());
      steps.made("copied");
      Durability.remark(copy.store(), part).ifPresent(remarks);
      requireSame(file, sums);
      CopyDescription description = describe(file, ChunkSums.text(sums.whole()), of);
      CopyDescription.Checked checked = new CopyDescription.Checked(description, sums.chunks());
      if (!renameCopies) {
        requireWhole(copy, part, checked);
        steps.made("read back");
      }
      publication.publish(checked, rights);
      steps.made("published");
      if (renameCopies) {
        requireRenamed(copy, checked);
        steps.made("read back");
      }
      return publication;
    } catch (IOException | RuntimeException | StaysException e) {
      publication.undo();
      throw e;
    }
  }

  /**
   * Refuses to take the name of a copy of something else. Numbers of inodes are given out once, but
   * a HDFS that was rolled back gives out again what it does not remember, and files that came back
   * may need those copies.
   */
  private void requireFree(PrimaryFile file, StoredCopy copy) throws IOException {
    if (!(copy.fileId() == file.fileId() ? lazy.mayReplace(file, copy) : isUnused(copy))) {
      throw new IOException(
          "the store has something else under the number that HDFS gave out now, so that HDFS was"
              + " rolled back or restored: move "
              + copy.data()
              + " and its .meta away, which tells whose it is, and keep them");
    }
  }

  private static boolean isUnused(StoredCopy copy) throws StoreException {
    try {
      return StoreFiles.isUnused(copy);
    } catch (IOException e) {
      throw new StoreException(copy.store(), "cannot be read", e);
    }
  }

  private ChunkSums write(PrimaryFile file, StoredCopy copy, Path part, boolean forAll)
      throws IOException {
    StoreFolders.make(copy);
    try (FSDataInputStream in = open(file)) {
      FSDataOutputStream out;
      try {
        out = StoreFiles.create(copy.store().fs(), part, forAll);
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

  /** Opens the very file: another one may have its path by now. */
  private FSDataInputStream open(PrimaryFile file) throws IOException {
    try {
      return primary.open(file.idPath(), BUFFER_BYTES);
    } catch (FileNotFoundException e) {
      throw Metadata.gone(e);
    }
  }

  /** Compares with the checksum that the DataNodes have of the file. */
  void requireSame(PrimaryFile file, ChunkSums sums) throws IOException {
    if (sums.bytes() != file.status().getLen()) {
      throw new IOException("it was changed while it was copied: run again");
    }
    requireDataNodesSay(file.idPath(), sums.whole());
  }

  /** Compares a file of HDFS with a checksum, where its DataNodes keep CRC-32C as we do. */
  void requireDataNodesSay(Path path, int crc32c) throws IOException {
    Optional<String> theirs = dataNodesSum(path);
    if (theirs.isPresent() && !theirs.get().equals(ChunkSums.text(crc32c))) {
      throw new IOException(
          "what was read of it is not what its DataNodes have: run again, and have the memory of"
              + " this machine checked if it comes again");
    }
  }

  /** The CRC-32C that DataNodes have of a file; empty where they keep other checksums. */
  private Optional<String> dataNodesSum(Path path) throws IOException {
    FileChecksum theirs;
    try {
      theirs = primary.getFileChecksum(path);
    } catch (FileNotFoundException e) {
      throw Metadata.gone(e);
    }
    return theirs instanceof CompositeCrcFileChecksum composite
            && composite.getAlgorithmName().equals(COMPOSITE)
        ? Optional.of(hex(composite.getBytes()))
        : Optional.empty();
  }

  /** Whether a file of HDFS has the bytes that a copy was made of. */
  boolean hasBytesOf(PrimaryFile file, CopyDescription copy) throws IOException {
    Optional<String> theirs = dataNodesSum(file.idPath());
    if (theirs.isPresent()) {
      return theirs.get().equals(copy.crc32c());
    }
    try (FSDataInputStream in = open(file)) {
      ChunkSums sums = transfer.copy(in, null, ChunkSums.CHUNK_BYTES);
      return ChunkSums.text(sums.whole()).equals(copy.crc32c());
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
        of.told(),
        Instant.now().toString());
  }

  /** The storage policy that the file does not have from its directory; null when there is none. */
  private String ownPolicy(PrimaryFile file, Metadata of) throws IOException {
    HdfsFileStatus above = Above.parent(primary, file.fileId());
    return above.getStoragePolicy() == of.status().getStoragePolicy()
        ? null
        : primary.getStoragePolicy(file.idPath()).getName();
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

  /** The same for both files of a copy under their last names, where renames copy. */
  private void requireRenamed(StoredCopy copy, CopyDescription.Checked checked) throws IOException {
    requireWhole(copy, copy.data(), checked);
    if (!StoreFiles.isDescribed(copy, checked)) {
      throw new StoreException(
          copy.store(), "does not give back what was written to it, in " + copy.meta(), null);
    }
  }

  /** Gives a copy the name of another file: that of the inode that its file is now. */
  void pass(StoredCopy from, StoredCopy to) throws IOException {
    StoreFolders.make(to);
    Renames renames = new Renames(to.store());
    try {
      renames.add(from.data(), to.data());
      renames.add(from.meta(), to.meta());
      Durability.forceNames(to);
    } catch (IOException e) {
      renames.undo();
      throw new StoreException(from.store(), "cannot be written", e);
    }
  }

  /**
   * Compares a copy with its file and with its own checksums; empty when a new one has to be made.
   * The length and the time of a file are not enough, since tools set times back.
   */
  Optional<Adoption.Candidate> compare(PrimaryFile file, SecondaryStores.Found there)
      throws IOException {
    StoredCopy copy = there.copy();
    FileStatus data;
    try {
      data = copy.store().fs().getFileStatus(copy.data());
    } catch (IOException e) {
      return Optional.empty();
    }
    if (!hasBytesOf(file, there.checked().description())) {
      return Optional.empty();
    }
    try {
      requireWhole(copy, copy.data(), there.checked());
    } catch (StoreException e) {
      return Optional.empty();
    }
    return Optional.of(new Adoption.Candidate(there, data));
  }

  /** Gives a copy the name of its file's placeholder. */
  StoreChange adopt(
      Adoption.Candidate there, StoredCopy to, PrimaryFile file, Attempt attempt, Metadata of)
      throws IOException, StaysException {
    CopyRights rights = CopyRights.of(primary, file);
    requireFree(file, to);
    rights.requireKept(to, attempt, kept);
    String crc32c = there.found().checked().description().crc32c();
    Adoption adoption = new Adoption(lazy, file, there, to, attempt, describe(file, crc32c, of));
    try {
      adoption.adopt(rights);
      if (ObjectStores.mayBe(to.store())) {
        requireAdopted(adoption, to);
      }
      return adoption;
    } catch (IOException | RuntimeException | StaysException e) {
      adoption.undo();
      throw e;
    }
  }

  /** What was renamed may be another copy than the one that was compared. */
  private void requireAdopted(Adoption adoption, StoredCopy to) throws IOException {
    try {
      requireRenamed(to, adoption.checked());
    } catch (StoreException e) {
      if (adoption.isCopiedAnew()) {
        throw Adoption.copiedAnew();
      }
      throw e;
    }
  }
}
