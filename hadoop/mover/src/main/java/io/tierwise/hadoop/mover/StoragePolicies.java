package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.mover.journal.JournalEntry;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * HDFS's storage policies of files. Of a block with a replica too many HDFS drops one of a type
 * that its file's storage policy does not want: under {@code HOT}, its default, the one on an SSD.
 *
 * <p>Source: Apache Hadoop 3.5.0, {@code BlockManager.chooseExcessRedundancyContiguous}, {@code
 * BlockStoragePolicy.chooseExcess}, {@code BlockPlacementPolicyDefault.chooseReplicaToDelete}.
 */
public final class StoragePolicies {
  private StoragePolicies() {}

  /** The name of the storage policy in force for a path. */
  public static String inForce(DistributedFileSystem fs, String path) throws IOException {
    return fs.getStoragePolicy(new Path(path)).getName();
  }

  /** The changes that an order makes; files that are gone or have that policy are left out. */
  static List<JournalEntry.StoragePolicy> changes(DistributedFileSystem fs, MoveOrder order)
      throws IOException {
    List<JournalEntry.StoragePolicy> changes = new ArrayList<>();
    for (Map.Entry<String, String> each : order.storagePolicies().entrySet()) {
      String path = each.getKey();
      HdfsFileStatus status = fs.getClient().getFileInfo(path);
      if (status != null && order.means(path, status.getFileId())) {
        String before = inForce(fs, path);
        if (!before.equals(each.getValue())) {
          changes.add(
              new JournalEntry.StoragePolicy(path, status.getFileId(), before, each.getValue()));
        }
      }
    }
    return changes;
  }

  /** Makes a change. A file whose directory has the policy gets none of its own. */
  static void set(DistributedFileSystem fs, JournalEntry.StoragePolicy change) throws IOException {
    Path file = new Path(change.file());
    HdfsFileStatus status = fs.getClient().getFileInfo(change.file());
    if (status == null || status.getFileId() != change.fileId()) {
      throw new FileNotFoundException(change.file() + " was deleted or renamed meanwhile");
    }
    // By its id: another file may have its name by now.
    Path byId = new Path(InodePath.of(change.fileId()));
    if (inForce(fs, file.getParent().toString()).equals(change.after())) {
      fs.unsetStoragePolicy(byId);
    } else {
      fs.setStoragePolicy(byId, change.after());
    }
  }
}
