package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.ChunkSums;
import io.tierwise.hadoop.hdfs.secondary.CopyDescription;
import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStores;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.util.DataChecksum;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets a file back from its secondary store: written beside its placeholder, compared with the
 * copy's checksum, and put in the placeholder's place in one step. The copy stays in the store, for
 * the next time, until it is cleaned away.
 */
final class Recall implements FileVerb {
  private static final Logger LOG = LoggerFactory.getLogger(Recall.class);

  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0600);
  private static final int BUFFER_BYTES = 1 << 16;

  private final DistributedFileSystem fs;
  private final SecondaryStores stores;
  private final Transfer transfer;
  private final LazyCopies lazy;
  private final CopyMaker copies;
  private final Steps steps;

  Recall(
      DistributedFileSystem fs,
      SecondaryStores stores,
      Transfer transfer,
      Consumer<String> remarks,
      Steps steps) {
    this.fs = fs;
    this.stores = stores;
    this.transfer = transfer;
    this.lazy = new LazyCopies(fs, stores);
    this.copies = new CopyMaker(fs, lazy, transfer, remarks, steps);
    this.steps = steps;
  }

  @Override
  public Optional<String> stays(PrimaryFile file) throws IOException {
    if (file.isWork()) {
      return Optional.of(WorkName.LEFT_BY_A_RUN);
    }
    return file.isPlaceholder()
        ? SnapshotGuard.why(fs, file.hdfsPath())
        : Optional.of("its bytes are in HDFS");
  }

  @Override
  public void apply(PrimaryFile listed) throws IOException {
    PrimaryFile file = FilesOf.again(fs, listed);
    SecondaryStores.Found found = stores.find(file.soughtCopy());
    CopyDescription of = found.checked().description();
    Path work = file.work(Attempt.begin(), WorkName.Kind.RECALL);
    FSDataOutputStream out = create(file, of, work);
    long back = CreatedFile.id(out);
    boolean marked;
    try {
      write(file, found, out, back);
      steps.made("written");
      Metadata placeholder = Metadata.now(fs, file.fileId());
      marked = new Dressing(fs, lazy, back, mayPass(found.copy())).dress(placeholder, of);
      steps.made("dressed");
      new Swap(fs, steps).replace(file, back, placeholder);
    } catch (IOException | RuntimeException e) {
      discard(work, back);
      throw e;
    }
    steps.made("replaced");
    // Without a mark the copy keeps its name, which belongs to no file now: so 'secondary clean'
    // finds it.
    if (marked) {
      keep(file, found.copy(), back);
    }
  }

  /** Whether the copy may be renamed: a snapshot's placeholder needs it under its number. */
  private boolean mayPass(StoredCopy copy) throws IOException {
    return SnapshotGuard.since(fs, copy.store().fs().getFileStatus(copy.data())).isEmpty();
  }

  /** A copy that cannot get the file's number is nobody's, and cleaning finds it. */
  private void keep(PrimaryFile file, StoredCopy copy, long back) {
    try {
      copies.pass(copy, copy.store().copy(file.pool(), back));
      steps.made("passed");
    } catch (IOException e) {
      LOG.info("{} does not take over its copy", file.path(), e);
      forget(file, back);
    }
  }

  private void forget(PrimaryFile file, long back) {
    try {
      lazy.unmark(back);
    } catch (IOException e) {
      // Readers of the mark look for the copy as well.
      LOG.warn("{} says that it has a copy, which it has not", file.path(), e);
    }
  }

  /**
   * Deletes what was written, where it was made: the answer of the step that replaces the file may
   * have been lost. Another file that has the name by now is left alone.
   */
  private void discard(Path work, long back) {
    try {
      HdfsFileStatus there = fs.getClient().getFileInfo(work.toString());
      if (there != null && there.getFileId() == back) {
        fs.delete(work, false);
      }
    } catch (IOException e) {
      // 'secondary clean' takes it away.
      return;
    }
  }

  private void write(
      PrimaryFile file, SecondaryStores.Found found, FSDataOutputStream made, long back)
      throws IOException {
    CopyDescription of = found.checked().description();
    ChunkSums sums;
    try (FSDataOutputStream out = made;
        InputStream in = found.copy().open(found.checked(), file.path())) {
      sums = transfer.copy(in, out, of.chunkBytes());
    }
    if (sums.bytes() != of.length() || !ChunkSums.text(sums.whole()).equals(of.crc32c())) {
      throw new IOException(
          "its copy "
              + found.copy().data()
              + " contradicts its description: run 'tierwise"
              + " secondary verify'");
    }
    copies.requireDataNodesSay(new Path(PrimaryFile.byId(back)), sums.whole());
  }

  private FSDataOutputStream create(PrimaryFile file, CopyDescription of, Path work)
      throws IOException {
    if (of.ecPolicy() != null) {
      return fs.createFile(work)
          .permission(OWNER_ONLY)
          .bufferSize(BUFFER_BYTES)
          .blockSize(of.blockBytes())
          .ecPolicyName(of.ecPolicy())
          .build();
    }
    return fs.create(
        work,
        OWNER_ONLY,
        EnumSet.of(CreateFlag.CREATE, CreateFlag.SHOULD_REPLICATE),
        BUFFER_BYTES,
        file.status().getReplication(),
        of.blockBytes(),
        null,
        checksums(of.blockBytes()));
  }

  /** The client's configured chunks (null), or HDFS's own where those do not divide the blocks. */
  private ChecksumOpt checksums(long blockBytes) {
    int configured = fs.getConf().getInt("dfs.bytes-per-checksum", Placeholder.UNIT);
    return configured > 0 && blockBytes % configured == 0
        ? null
        : new ChecksumOpt(DataChecksum.Type.CRC32C, Placeholder.UNIT);
  }

  @Override
  public JournalEntry.Store journaled(PrimaryFile file) {
    return new JournalEntry.Store(
        file.path(),
        file.fileId(),
        file.knownBytes(),
        "secondary",
        "both",
        stores.all().get(0).toString());
  }
}
