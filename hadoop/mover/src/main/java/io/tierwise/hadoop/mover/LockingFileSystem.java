package io.tierwise.hadoop.mover;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.util.Progressable;

/**
 * HDFS for Hadoop's connector, which takes and gives back the mover's lock in a way that two movers
 * can get through at once. Here it neither overwrites a lock that another mover has taken since it
 * looked, nor deletes by the lock's name what may be another's by then.
 *
 * <p>Source: Apache Hadoop 3.5.0, {@code NameNodeConnector.checkAndMarkRunning} and {@code close}:
 * exists, append, close, delete, createFile, which overwrites by default; at last close, delete.
 */
class LockingFileSystem extends DistributedFileSystem {
  private static final long NONE = -1;

  private final Path lock = MoverConnection.LOCK;
  private volatile long held = NONE;

  /** Whether the lock is that of this process, which gives back no other one. */
  boolean holds() throws IOException {
    DFSClient client = getClient();
    String name = lock.toUri().getPath();
    HdfsFileStatus file = client.getFileInfo(name);
    if (file == null || !HeldFile.isHeld(client, name, file.getFileId())) {
      return false;
    }
    held = file.getFileId();
    return true;
  }

  @Override
  public HdfsDataOutputStreamBuilder createFile(Path path) {
    return super.createFile(path).overwrite(false);
  }

  /** Fails as long as somebody holds it; else it is deleted, and there is nothing to be closed. */
  @Override
  public FSDataOutputStream append(Path path, int bufferBytes, Progressable progress)
      throws IOException {
    if (!path.equals(lock)) {
      return super.append(path, bufferBytes, progress);
    }
    HeldFile.deleteLeft(this, path);
    return null;
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    if (!path.equals(lock)) {
      return super.delete(path, recursive);
    }
    try {
      return held != NONE && super.delete(HeldFile.byId(held), false);
    } catch (FileNotFoundException e) {
      return false; // Another mover has taken it over.
    }
  }
}
