package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/** A closed file is complete with one reported replica; the others are reported soon after. */
public final class ReportedReplicas {
  private static final long NANOS_MAX = TimeUnit.MINUTES.toNanos(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private ReportedReplicas() {}

  /**
   * Waits until so many replicas of each block are known, and HDFS has dropped those beyond: a
   * write that goes on past a slow node leaves one too many for a while. Looks into the NameNode's
   * tree: any question for locations would stand in the audit log, and a client's would count as a
   * read.
   */
  public static void await(NameNode nameNode, String path, int replicas) throws IOException {
    await(nameNode, path, counts -> counts.allMatch(count -> count == replicas));
  }

  /**
   * Waits until so many parts of each coded block are known and none more is made: HDFS makes one
   * anew whose report is late, and drops one of the two after a while.
   */
  public static void awaitParts(NameNode nameNode, String path, int parts) throws IOException {
    BlockManager blocks = nameNode.getNamesystem().getBlockManager();
    await(nameNode, path, counts -> isAtRest(blocks) && counts.allMatch(count -> count == parts));
  }

  private static boolean isAtRest(BlockManager blocks) {
    BlockManagerTestUtil.updateState(blocks);
    return blocks.getLowRedundancyBlocksCount() == 0
        && blocks.getPendingReconstructionBlocksCount() == 0;
  }

  private static void await(NameNode nameNode, String path, Predicate<IntStream> known)
      throws IOException {
    long end = System.nanoTime() + NANOS_MAX;
    while (!known.test(counts(nameNode, path))) {
      assertThat(System.nanoTime()).as("replicas of %s reported in time", path).isLessThan(end);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Of each block, counted when they are asked for. */
  private static IntStream counts(NameNode nameNode, String path) throws IOException {
    return Arrays.stream(
            nameNode.getNamesystem().getFSDirectory().getINode(path).asFile().getBlocks())
        .mapToInt(BlockInfo::numNodes);
  }
}
