package io.tierwise.hadoop.hdfs.namenode;

import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.util.RwLockMode;

/**
 * The lock that guards the tree of files. Hadoop 3.5 has it as one mode of its namesystem's lock,
 * beside one for blocks; Hadoop 3.4 has one lock for both and no modes.
 */
final class TreeLock {
  private static final boolean HAS_MODES = hasModes();

  private TreeLock() {}

  private static boolean hasModes() {
    try {
      Class.forName("org.apache.hadoop.hdfs.util.RwLockMode", false, loader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static ClassLoader loader() {
    return FSNamesystem.class.getClassLoader();
  }

  static boolean isHeld(FSNamesystem namesystem) {
    return HAS_MODES ? Modes.isHeld(namesystem) : namesystem.hasReadLock();
  }

  /** Whether the thread holds the lock of the blocks: then it must not ask for the tree's. */
  static boolean isForbidden(FSNamesystem namesystem) {
    return HAS_MODES && Modes.isForbidden(namesystem);
  }

  static void lock(FSNamesystem namesystem) {
    if (HAS_MODES) {
      Modes.lock(namesystem);
    } else {
      namesystem.readLock();
    }
  }

  static void unlock(FSNamesystem namesystem, String operation) {
    if (HAS_MODES) {
      Modes.unlock(namesystem, operation);
    } else {
      namesystem.readUnlock(operation);
    }
  }

  /** Also the lock that guards the replicas of blocks; for reading. */
  static void lockWithBlocks(FSNamesystem namesystem) {
    if (HAS_MODES) {
      Modes.lockWithBlocks(namesystem);
    } else {
      namesystem.readLock();
    }
  }

  static void unlockWithBlocks(FSNamesystem namesystem, String operation) {
    if (HAS_MODES) {
      Modes.unlockWithBlocks(namesystem, operation);
    } else {
      namesystem.readUnlock(operation);
    }
  }

  /** Loaded on Hadoop 3.5 only. */
  private static final class Modes {
    static boolean isHeld(FSNamesystem namesystem) {
      return namesystem.hasReadLock(RwLockMode.FS);
    }

    static boolean isForbidden(FSNamesystem namesystem) {
      return !isHeld(namesystem) && namesystem.hasReadLock(RwLockMode.BM);
    }

    static void lock(FSNamesystem namesystem) {
      namesystem.readLock(RwLockMode.FS);
    }

    static void unlock(FSNamesystem namesystem, String operation) {
      namesystem.readUnlock(RwLockMode.FS, operation);
    }

    static void lockWithBlocks(FSNamesystem namesystem) {
      namesystem.readLock(RwLockMode.GLOBAL);
    }

    static void unlockWithBlocks(FSNamesystem namesystem, String operation) {
      namesystem.readUnlock(RwLockMode.GLOBAL, operation);
    }
  }
}
