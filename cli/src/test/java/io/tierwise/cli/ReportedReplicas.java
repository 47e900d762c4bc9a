package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;

/** A closed file is complete with one reported replica; the others are reported soon after. */
public final class ReportedReplicas {
  private static final long NANOS_MAX = TimeUnit.MINUTES.toNanos(2);

  private ReportedReplicas() {}

  /**
   * Waits until so many replicas of each block are known. Asks within the NameNode: a client's
   * question would count as a read, and stand in the audit log.
   */
  public static void await(NameNode nameNode, String path, int replicas) throws IOException {
    long end = System.nanoTime() + NANOS_MAX;
    while (!NameNodeAdapter.getBlockLocations(nameNode, path, 0, Long.MAX_VALUE)
        .getLocatedBlocks()
        .stream()
        .allMatch(block -> block.getLocations().length == replicas)) {
      assertThat(System.nanoTime())
          .as("%d replicas of %s reported in time", replicas, path)
          .isLessThan(end);
      LockSupport.parkNanos(5_000_000L);
    }
  }
}
