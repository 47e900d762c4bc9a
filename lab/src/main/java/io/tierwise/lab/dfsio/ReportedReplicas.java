package io.tierwise.lab.dfsio;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Waits for replicas that a NameNode has not heard of yet: a closed file is complete with one of
 * each block, and one that has just started answers before all DataNodes have told of theirs.
 */
public final class ReportedReplicas {
  private static final long POLL_NANOS = 10_000_000;

  private ReportedReplicas() {}

  /**
   * Waits until each block of the files has so many replicas.
   *
   * @param nanosMax how long at most
   * @return whether they all have them
   */
  public static boolean await(FileSystem fs, List<DfsioTask> files, int replicas, long nanosMax)
      throws IOException {
    long start = System.nanoTime();
    for (DfsioTask file : files) {
      while (fewest(fs, file) < replicas) {
        if (System.nanoTime() - start > nanosMax) {
          return false;
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
    return true;
  }

  /** Asks for the whole file, which is a look and counts as no read. */
  private static int fewest(FileSystem fs, DfsioTask file) throws IOException {
    int fewest = Integer.MAX_VALUE;
    for (BlockLocation block : fs.getFileBlockLocations(new Path(file.path()), 0, file.bytes())) {
      fewest = Math.min(fewest, block.getHosts().length);
    }
    return fewest;
  }
}
