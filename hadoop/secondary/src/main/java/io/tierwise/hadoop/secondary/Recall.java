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
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Gets a file back from its secondary store: written beside its placeholder, compared with the
 * copy's checksum, and put in the placeholder's place in one step. The copy stays in the store, for
 * the next time, until it is cleaned away.
 */
final class Recall implements FileVerb {
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0600);
  private static final int BUFFER_BYTES = 1 << 16;

  private final DistributedFileSystem fs;
  private final SecondaryStores stores;
  private final Transfer transfer;
  private final LazyCopies lazy;
  private final CopyMaker copies;
  private final Steps steps;

  Recall(DistributedFileSystem fs, SecondaryStores stores, Transfer transfer, Steps steps) {
    this.fs = fs;
    this.stores = stores;
    this.transfer = transfer;
    this.lazy = new LazyCopies(fs, stores);
    this.copies = new CopyMaker(fs, transfer, steps);
    this.steps = steps;
  }

  @Override
  public Optional<String> stays(PrimaryFile file) throws IOException {
    return file.isPlaceholder() && !file.isWork()
        ? SnapshotGuard.why(fs, file.hdfsPath())
        : Optional.of("its bytes are in HDFS");
  }

  @Override
  public void apply(PrimaryFile file) throws IOException {
    SecondaryStores.Found found =
        stores.find(file.pool(), file.fileId(), file.fileBytes(), file.path());
    Path work = file.work("recall");
    long back;
    try {
      back = write(file, found, work);
      steps.made("written");
      dress(file, work, found.checked().description());
      steps.made("dressed");
      new Swap(fs, steps).replace(file, back);
    } catch (IOException | RuntimeException e) {
      discard(work);
      throw e;
    }
    steps.made("replaced");
    keep(found.copy(), found.copy().store().copy(file.pool(), back));
    steps.made("passed");
  }

  private void keep(StoredCopy copy, StoredCopy kept) throws IOException {
    try {
      copies.pass(copy, kept);
    } catch (StoreException e) {
      // The file is back. Cleaning finds a copy that belongs to no inode.
      return;
    }
  }

  private void discard(Path work) {
    try {
      fs.delete(work, false);
    } catch (IOException e) {
      // The next run of the file, or 'secondary clean', takes it away.
      return;
    }
  }

  /** Writes the file, and returns its inode id. */
  private long write(PrimaryFile file, SecondaryStores.Found found, Path work) throws IOException {
    CopyDescription of = found.checked().description();
    fs.delete(work, false);
    var builder =
        fs.createFile(work)
            .overwrite(true)
            .permission(OWNER_ONLY)
            .bufferSize(BUFFER_BYTES)
            .replication(file.status().getReplication())
            .blockSize(of.blockBytes());
    if (of.ecPolicy() == null) {
      builder.replicate();
    } else {
      builder.ecPolicyName(of.ecPolicy());
    }
    ChunkSums sums;
    try (FSDataOutputStream out = builder.build();
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
    copies.requireDataNodesSay(work, sums.whole());
    HdfsFileStatus made = fs.getClient().getFileInfo(work.toString());
    if (made == null || made.getLen() != of.length()) {
      throw new IOException("another run took away " + work + ": run again");
    }
    return made.getFileId();
  }

  /** Gives it all that it had; its owner and group are its placeholder's, which may be newer. */
  private void dress(PrimaryFile file, Path work, CopyDescription of) throws IOException {
    HdfsFileStatus made = fs.getClient().getFileInfo(work.toString());
    if (made.hasAcl()) {
      fs.removeAcl(work);
    }
    if (!fs.getStoragePolicy(work).getName().equals(of.storagePolicy())) {
      fs.setStoragePolicy(work, of.storagePolicy());
    }
    for (Map.Entry<String, byte[]> attribute : of.attributes().entrySet()) {
      fs.setXAttr(
          work,
          attribute.getKey(),
          attribute.getValue(),
          EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    }
    lazy.mark(work, of);
    fs.setTimes(work, of.mtime(), -1);
    fs.setPermission(
        work, Placeholder.again(new FsPermission(of.mode()), file.status().getPermission()));
    if (!made.getOwner().equals(file.status().getOwner())) {
      fs.setOwner(work, file.status().getOwner(), null);
    }
    if (!made.getGroup().equals(file.status().getGroup())) {
      fs.setOwner(work, null, file.status().getGroup());
    }
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
