package io.tierwise.hadoop.hdfs.namenode;

import java.io.IOException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockCollection;
import org.apache.hadoop.hdfs.server.namenode.CacheManager;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.apache.hadoop.hdfs.server.namenode.ha.HAContext;
import org.apache.hadoop.hdfs.util.RwLockMode;

/**
 * The NameNode's own namesystem, except that it remembers for each thread which file the block
 * manager asked for last. Written out by hand instead of a {@link java.lang.reflect.Proxy}: block
 * reports ask once for every block.
 */
final class RecordingNamesystem implements Namesystem {
  private final Namesystem real;
  private final DeletionContext context;

  RecordingNamesystem(Namesystem real, DeletionContext context) {
    this.real = real;
    this.context = context;
  }

  Namesystem real() {
    return real;
  }

  @Override
  public BlockCollection getBlockCollection(long id) {
    BlockCollection file = real.getBlockCollection(id);
    context.remember(file);
    return file;
  }

  @Override
  public boolean isRunning() {
    return real.isRunning();
  }

  @Override
  public FSDirectory getFSDirectory() {
    return real.getFSDirectory();
  }

  @Override
  public void startSecretManagerIfNecessary() {
    real.startSecretManagerIfNecessary();
  }

  @Override
  public boolean isInSnapshot(long blockCollectionId) {
    return real.isInSnapshot(blockCollectionId);
  }

  @Override
  public CacheManager getCacheManager() {
    return real.getCacheManager();
  }

  @Override
  public HAContext getHAContext() {
    return real.getHAContext();
  }

  @Override
  public boolean inTransitionToActive() {
    return real.inTransitionToActive();
  }

  @Override
  public void removeXattr(long id, String xattrName) throws IOException {
    real.removeXattr(id, xattrName);
  }

  @Override
  public void checkAndProvisionSnapshotTrashRoots() {
    real.checkAndProvisionSnapshotTrashRoots();
  }

  @Override
  public boolean isInSafeMode() {
    return real.isInSafeMode();
  }

  @Override
  public boolean isInStartupSafeMode() {
    return real.isInStartupSafeMode();
  }

  @Override
  public void readLock(RwLockMode mode) {
    real.readLock(mode);
  }

  @Override
  public void readLockInterruptibly(RwLockMode mode) throws InterruptedException {
    real.readLockInterruptibly(mode);
  }

  @Override
  public void readUnlock(RwLockMode mode, String operation) {
    real.readUnlock(mode, operation);
  }

  @Override
  public boolean hasReadLock(RwLockMode mode) {
    return real.hasReadLock(mode);
  }

  @Override
  public void writeLock(RwLockMode mode) {
    real.writeLock(mode);
  }

  @Override
  public void writeLockInterruptibly(RwLockMode mode) throws InterruptedException {
    real.writeLockInterruptibly(mode);
  }

  @Override
  public void writeUnlock(RwLockMode mode, String operation) {
    real.writeUnlock(mode, operation);
  }

  @Override
  public boolean hasWriteLock(RwLockMode mode) {
    return real.hasWriteLock(mode);
  }

  // Without a mode: shorthands in Hadoop 3.5, all that there is in Hadoop 3.4.

  @Override
  public void readLock() {
    real.readLock();
  }

  @Override
  public void readLockInterruptibly() throws InterruptedException {
    real.readLockInterruptibly();
  }

  @Override
  public void writeLock() {
    real.writeLock();
  }

  @Override
  public void writeLockInterruptibly() throws InterruptedException {
    real.writeLockInterruptibly();
  }

  @Override
  public void readUnlock() {
    real.readUnlock();
  }

  @Override
  public void readUnlock(String operation) {
    real.readUnlock(operation);
  }

  @Override
  public void writeUnlock() {
    real.writeUnlock();
  }

  @Override
  public void writeUnlock(String operation) {
    real.writeUnlock(operation);
  }

  @Override
  public boolean hasReadLock() {
    return real.hasReadLock();
  }

  @Override
  public boolean hasWriteLock() {
    return real.hasWriteLock();
  }
}
