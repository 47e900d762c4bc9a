package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/**
 * Waits until a NameNode knows all replicas of a file: it lets a client close one of which it knows
 * a single replica. It is asked by no call that counts as a read.
 */
public final class AllReplicas {
  private static final long NANOS_MAX = TimeUnit.MINUTES.toNanos(1);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private AllReplicas() {}

  public static void await(MiniDFSCluster cluster, String path, int replicas) throws IOException {
    long end = System.nanoTime() + NANOS_MAX;
    while (!areKnown(cluster, path, replicas)) {
      assertThat(System.nanoTime()).as("all replicas of %s", path).isLessThan(end);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static boolean areKnown(MiniDFSCluster cluster, String path, int replicas)
      throws IOException {
    return Arrays.stream(
            cluster.getNamesystem().getFSDirectory().getINode(path).asFile().getBlocks())
        .allMatch(block -> block.numNodes() >= replicas);
  }
}
