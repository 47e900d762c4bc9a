package io.tierwise.benchmarks.movement;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.sps.ExternalStoragePolicySatisfier;

/** Hadoop's storage policy satisfier as a process of its own, its limits raised. */
final class Satisfier implements AutoCloseable {
  private static final Path WARM = new Path("/warm");
  private static final int WARM_BLOCKS = 50;
  private static final int END_SECONDS_MAX = 90;

  /** The last two make it notice sooner that all is done, and what it was told too early of. */
  private static final Map<String, String> RAISED =
      Map.of(
          DFSConfigKeys.DFS_SPS_WORK_MULTIPLIER_PER_ITERATION, "10000",
          DFSConfigKeys.DFS_STORAGE_POLICY_SATISFIER_QUEUE_LIMIT_KEY, "100000",
          DFSConfigKeys.DFS_STORAGE_POLICY_SATISFIER_RECHECK_TIMEOUT_MILLIS_KEY, "1000",
          DFSConfigKeys.DFS_STORAGE_POLICY_SATISFIER_SELF_RETRY_TIMEOUT_MILLIS_KEY, "8000");

  private final Process process;

  /** Starts it, and has it move some blocks, so that it is warm. */
  Satisfier(BenchHdfs hdfs) throws IOException {
    Configuration site = hdfs.client();
    RAISED.forEach(site::set);
    process =
        ClientJvm.of(
                hdfs, site, "satisfier", List.of("-Xmx1g"), ExternalStoragePolicySatisfier.class)
            .inheritIO()
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    while (!hdfs.fs().exists(HdfsServerConstants.MOVER_ID_PATH)) {
      requireAlive();
      LockSupport.parkNanos(100_000_000L);
    }
    hdfs.write(WARM, WARM_BLOCKS);
    hdfs.fs().setStoragePolicy(WARM, "ALL_SSD");
    CompletableFuture<Void> end = satisfy(hdfs, WARM);
    hdfs.awaitAll(WARM, WARM_BLOCKS, StorageType.SSD, end);
    end.join();
  }

  private void requireAlive() throws IOException {
    if (!process.isAlive()) {
      throw new IOException("the satisfier ended with " + process.exitValue());
    }
  }

  /** Asks for the files below the path. The future ends when HDFS takes the next request. */
  CompletableFuture<Void> satisfy(BenchHdfs hdfs, Path path) throws IOException {
    requireAlive();
    hdfs.fs().satisfyStoragePolicy(path);
    return CompletableFuture.runAsync(() -> awaitEnd(hdfs, path));
  }

  /** It leaves an attribute on the path until it has seen that all is in place. */
  private static void awaitEnd(BenchHdfs hdfs, Path path) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS_MAX);
    try {
      while (hdfs.fs()
          .getXAttrs(path)
          .containsKey(HdfsServerConstants.XATTR_SATISFY_STORAGE_POLICY)) {
        if (System.nanoTime() > end) {
          hdfs.fs().removeXAttr(path, HdfsServerConstants.XATTR_SATISFY_STORAGE_POLICY);
        }
        LockSupport.parkNanos(200_000_000L);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  double processorSeconds() {
    return ProcessorTime.of(process);
  }

  @Override
  public void close() {
    ClientJvm.end(process);
  }
}
