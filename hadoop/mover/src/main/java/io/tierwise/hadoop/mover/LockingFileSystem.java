package io.tierwise.hadoop.mover;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.Progressable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS for Hadoop's connector, which takes and gives back the mover's lock in a way that two movers
 * can get through at once. Here it neither overwrites a lock that another mover has taken since it
 * looked, nor deletes by the lock's name what may be another's by then.
 *
 * <p>Source: Apache Hadoop 3.5.0, {@code NameNodeConnector.checkAndMarkRunning} and {@code close}:
 * exists, append, close, delete, createFile, which overwrites by default; at last close, delete.
 */
class LockingFileSystem extends DistributedFileSystem {
  private static final Logger LOG = LoggerFactory.getLogger(LockingFileSystem.class);
  private static final long NONE = -1;

  /** Names the attempt to connect that one is made for, in its settings. */
  static final String ATTEMPT_KEY = LockingFileSystem.class.getName() + ".attempt";

  /**
   * Those of attempts under way: a connector that fails keeps its own to itself, with the lock that
   * it may have made. HDFS's client renews that as long as the process lives.
   */
  private static final Map<String, LockingFileSystem> MADE = new ConcurrentHashMap<>();

  private final Path lock = MoverConnection.LOCK;
  private volatile long held = NONE;

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    super.initialize(uri, conf);
    MADE.put(conf.get(ATTEMPT_KEY), this);
  }

  /** An attempt is over. One that failed: what it made is closed, and gives back what it holds. */
  static void ended(String attempt, boolean opened) {
    LockingFileSystem made = MADE.remove(attempt);
    if (made != null && !opened) {
      made.giveUp();
    }
  }

  private void giveUp() {
    try {
      if (holds()) {
        delete(lock, false);
      }
    } catch (IOException e) {
      LOG.debug("the lock ends a minute after its client", e);
    }
    IOUtils.closeStream(this);
  }

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
