package io.tierwise.hadoop.hdfs.client;

import io.tierwise.hadoop.hdfs.topology.FailureLog;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.Hdfs;
import org.apache.hadoop.hdfs.DFSClient;

/**
 * The client of Hadoop's file system for FileContext, which Hadoop keeps package-private; that of
 * {@code DistributedFileSystem} is public.
 */
final class HdfsInternals {
  private static final FailureLog FAILURES =
      new FailureLog("FileContext reads as stock HDFS, without access strategies");

  private HdfsInternals() {}

  /** The file system's client, or null on a Hadoop version that keeps it elsewhere. */
  static DFSClient clientOf(AbstractFileSystem fs) {
    try {
      VarHandle client =
          MethodHandles.privateLookupIn(Hdfs.class, MethodHandles.lookup())
              .findVarHandle(Hdfs.class, "dfs", DFSClient.class);
      return (DFSClient) client.get((Hdfs) fs);
    } catch (ReflectiveOperationException | ClassCastException e) {
      FAILURES.add("no client in " + fs.getClass().getName(), e);
      return null;
    }
  }
}
