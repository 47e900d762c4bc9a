package io.tierwise.hadoop.hdfs.namenode;

import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReadWriteLock;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees without waiting that no inode on a path carries our attribute, which is so for most files of
 * a cluster where some are managed.
 *
 * <p>It holds the namesystem's own read lock for a few steps down the tree, and so sees what is; it
 * only does not queue for it and spares the times that HDFS takes for each hold. When a writer has
 * the lock, or when anything about the path is unusual, it sees nothing and the file is looked up
 * in the ordinary way. It never blocks, so it may be asked under any lock.
 */
final class PathGlance {
  private static final Logger LOG = LoggerFactory.getLogger(PathGlance.class);
  private static final char ASCII_MAX = 0x7f;

  private final FSNamesystem namesystem;
  private final AttributeValues values;
  private final ReadWriteLock lock;

  PathGlance(FSNamesystem namesystem, AttributeValues values) {
    this.namesystem = namesystem;
    this.values = values;
    this.lock = lockOf(namesystem);
  }

  /** The lock that guards the tree: inside one or two wrappers, whose fields differ by version. */
  private static ReadWriteLock lockOf(FSNamesystem namesystem) {
    try {
      Object wrapper = valueOf("fsLock", namesystem, FSNamesystem.class);
      if (wrapper.getClass().getPackageName().endsWith(".fgl")) {
        boolean fine = wrapper.getClass().getSimpleName().startsWith("FineGrained");
        wrapper = valueOf(fine ? "fsLock" : "lock", wrapper, wrapper.getClass());
      }
      return (ReadWriteLock) valueOf("coarseLock", wrapper, wrapper.getClass());
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.info("Unmanaged files are looked up in the ordinary way, because the lock: {}", e);
      return null;
    }
  }

  private static Object valueOf(String name, Object of, Class<?> declaring)
      throws ReflectiveOperationException {
    Field field = declaring.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }

  /** True is certain; false is not. */
  boolean isPlain(String path) {
    if (lock == null || path.isEmpty() || path.charAt(0) != '/' || !lock.readLock().tryLock()) {
      return false;
    }
    try {
      FSDirectory directory = namesystem.getFSDirectory();
      long called = CalledFile.id();
      return called == CalledFile.NONE
          ? isPlain(directory.getRoot(), path)
          : isPlain(directory.getInode(called));
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Whether the file of the client's call may be elsewhere than at {@code path} by now. False is
   * certain; true is not.
   */
  boolean mayHaveMoved(String path) {
    if (CalledFile.id() == CalledFile.NONE) {
      return false;
    }
    if (lock == null || !lock.readLock().tryLock()) {
      return true;
    }
    try {
      INode file = namesystem.getFSDirectory().getInode(CalledFile.id());
      return file == null || !file.getFullPathName().equals(path);
    } finally {
      lock.readLock().unlock();
    }
  }

  private boolean isPlain(INode file) {
    INode inode = file;
    while (inode != null && !carries(inode)) {
      inode = inode.getParent();
    }
    return file != null && inode == null;
  }

  private boolean isPlain(INodeDirectory root, String path) {
    INode inode = root;
    int start = 1;
    while (!carries(inode)) {
      if (start >= path.length()) {
        return true;
      }
      if (!inode.isDirectory()) {
        return false;
      }
      int slash = path.indexOf('/', start);
      int end = slash < 0 ? path.length() : slash;
      inode = inode.asDirectory().getChild(name(path, start, end), Snapshot.CURRENT_STATE_ID);
      if (inode == null) {
        // A reserved path, or one that was renamed meanwhile.
        return false;
      }
      start = end + 1;
    }
    return false;
  }

  /** A part of the path as HDFS keeps it; without a text of its own where all is ASCII. */
  private static byte[] name(String path, int start, int end) {
    byte[] name = new byte[end - start];
    for (int i = 0; i < name.length; i++) {
      char letter = path.charAt(start + i);
      if (letter > ASCII_MAX) {
        return path.substring(start, end).getBytes(StandardCharsets.UTF_8);
      }
      name[i] = (byte) letter;
    }
    return name;
  }

  private boolean carries(INode inode) {
    return values.of(inode) != null;
  }
}
