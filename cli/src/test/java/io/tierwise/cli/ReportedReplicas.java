package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/** A closed file is complete with one reported replica; the others are reported soon after. */
public final class ReportedReplicas {
  private static final long NANOS_MAX = TimeUnit.MINUTES.toNanos(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private ReportedReplicas() {}

  /**
   * Waits until so many replicas of each block are known. Looks into the NameNode's tree: any
   * question for locations would stand in the audit log, and a client's would count as a read.
   */
  public static void await(NameNode nameNode, String path, int replicas) throws IOException {
    long end = System.nanoTime() + NANOS_MAX;
    while (!areKnown(nameNode, path, replicas)) {
      assertThat(System.nanoTime())
          .as("%d replicas of %s reported in time", replicas, path)
          .isLessThan(end);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static boolean areKnown(NameNode nameNode, String path, int replicas) throws IOException {
    return Arrays.stream(
            nameNode.getNamesystem().getFSDirectory().getINode(path).asFile().getBlocks())
        .allMatch(block -> block.numNodes() >= replicas);
  }
}
