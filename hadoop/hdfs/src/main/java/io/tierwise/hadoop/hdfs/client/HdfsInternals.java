package io.tierwise.hadoop.hdfs.client;

import io.tierwise.hadoop.hdfs.OnceLog;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.Hdfs;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;

/**
 * The client of Hadoop's file system for FileContext, which Hadoop keeps package-private (that of
 * {@code DistributedFileSystem} is public), and how often a stream has failed.
 */
final class HdfsInternals {
  private static final OnceLog FAILURES =
      new OnceLog("FileContext reads as stock HDFS, without access strategies");

  /** Null on a Hadoop version that counts elsewhere. */
  private static final VarHandle FAILED_ROUNDS = failedRounds();

  private HdfsInternals() {}

  private static VarHandle failedRounds() {
    try {
      return MethodHandles.privateLookupIn(DFSInputStream.class, MethodHandles.lookup())
          .findVarHandle(DFSInputStream.class, "failures", int.class);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /**
   * How many rounds over all replicas of a block have failed in the current read; 0 when that is
   * unknown.
   */
  static int failedRounds(DFSInputStream stream) {
    return FAILED_ROUNDS == null ? 0 : (int) FAILED_ROUNDS.get(stream);
  }

  /** The file system's client, or null on a Hadoop version that keeps it elsewhere. */
  static DFSClient clientOf(AbstractFileSystem fs) {
    try {
      VarHandle client =
          MethodHandles.privateLookupIn(Hdfs.class, MethodHandles.lookup())
              .findVarHandle(Hdfs.class, "dfs", DFSClient.class);
      return (DFSClient) client.get((Hdfs) fs);
    } catch (ReflectiveOperationException | ClassCastException e) {
      FAILURES.failed("no client in " + fs.getClass().getName(), e);
      return null;
    }
  }
}
