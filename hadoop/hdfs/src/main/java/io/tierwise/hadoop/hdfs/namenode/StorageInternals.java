package io.tierwise.hadoop.hdfs.namenode;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/**
 * Free room, state and block count of one storage of a DataNode, which Hadoop keeps
 * package-private.
 *
 * <p>The stock policy asks a node for "a storage of this type"; tiers finer than a type need the
 * storage itself. The handles are constants, so that a call costs what a direct one does.
 */
final class StorageInternals {
  private static final MethodHandle REMAINING;
  private static final MethodHandle STATE;
  private static final MethodHandle BLOCK_COUNT;
  private static final ReflectiveOperationException MISSING;

  static {
    MethodHandle remaining = null;
    MethodHandle state = null;
    MethodHandle blockCount = null;
    ReflectiveOperationException missing = null;
    try {
      MethodHandles.Lookup lookup =
          MethodHandles.privateLookupIn(DatanodeStorageInfo.class, MethodHandles.lookup());
      remaining =
          lookup.findVirtual(
              DatanodeStorageInfo.class, "getRemaining", MethodType.methodType(long.class));
      state =
          lookup.findVirtual(
              DatanodeStorageInfo.class,
              "getState",
              MethodType.methodType(DatanodeStorage.State.class));
      blockCount =
          lookup.findVirtual(
              DatanodeStorageInfo.class, "numBlocks", MethodType.methodType(int.class));
    } catch (ReflectiveOperationException e) {
      missing = e;
    }
    REMAINING = remaining;
    STATE = state;
    BLOCK_COUNT = blockCount;
    MISSING = missing;
  }

  private StorageInternals() {}

  /**
   * Fails early on a Hadoop version that keeps these elsewhere.
   *
   * @throws ReflectiveOperationException naming what was not found
   */
  static void requireAvailable() throws ReflectiveOperationException {
    if (MISSING != null) {
      throw MISSING;
    }
  }

  static long remainingBytes(DatanodeStorageInfo storage) {
    try {
      return (long) REMAINING.invokeExact(storage);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Whether the storage is neither failed nor read-only. */
  static boolean isNormal(DatanodeStorageInfo storage) {
    try {
      return (DatanodeStorage.State) STATE.invokeExact(storage) == DatanodeStorage.State.NORMAL;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Blocks of which the storage is known to hold a replica. */
  static int blockCount(DatanodeStorageInfo storage) {
    try {
      return (int) BLOCK_COUNT.invokeExact(storage);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static IllegalStateException unexpected(Throwable e) {
    return new IllegalStateException("a getter of DatanodeStorageInfo failed", e);
  }
}
