package io.tierwise.hadoop.inspect.risk;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.policies.cost.KeptBlocks;
import io.tierwise.policies.cost.NodeCopies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.AccessControlException;

/**
 * The risk of files that are stored, by the replicas that they have now. Blocks of all files fail
 * together: one sum goes over the failures of all nodes.
 *
 * <p>Not counted: a block that is being written; blocks that only snapshots hold, unless a path
 * leads into these. Counted: replicas that are marked as surplus, as long as they are there.
 */
public final class StoredRisk implements NamespaceWalk.Visitor {
  private final Map<BlockCopies, Sum> sums = new TreeMap<>();
  private final Runnable progress;

  /** Blocks that were seen; null where no block can be seen twice, as that takes much memory. */
  private final Set<Long> seen;

  private long unreadableBlocks;
  private long openBlocks;
  private long unreadablePaths;
  private String firstUnreadable;

  private static final class Sum {
    private long blocks;
    private long bytes;
    private long storedBytes;
  }

  /**
   * Nothing yet.
   *
   * @param blocksRepeat whether paths may lead to a block twice, as snapshots do
   * @param progress told of each path
   */
  StoredRisk(boolean blocksRepeat, Runnable progress) {
    this.seen = blocksRepeat ? new HashSet<>() : null;
    this.progress = progress;
  }

  /**
   * Walks all below the paths.
   *
   * @param progress told of each path
   * @throws OperatorException when something there may not be read: the risk is not known then
   */
  public static RiskAnswer of(
      DistributedFileSystem fs, List<String> paths, NodeFigures figures, Runnable progress)
      throws IOException {
    // Before the walk, which may take an hour: bad figures, and rights that are missing.
    OptionalInt told = figures.nodes();
    figures.pool(told.orElse(1));
    int nodes = told.isPresent() ? told.getAsInt() : nodesInUse(fs);
    List<String> outermost = NamespaceWalk.outermost(paths);
    StoredRisk risk =
        new StoredRisk(outermost.stream().anyMatch(NamespaceWalk::isInSnapshots), progress);
    for (String path : outermost) {
      try (NamespaceWalk walk = NamespaceWalk.ofLocations(fs, risk)) {
        walk.walk(path);
      }
    }
    risk.requireAllRead();
    return risk.answer(figures, nodes);
  }

  @Override
  public void enter(String path, Map<String, byte[]> attributes) {
    progress.run();
  }

  @Override
  public void leave(String path) {
    // Nothing is told by directory.
  }

  @Override
  public void unreadable(String path, boolean directory) {
    firstUnreadable = unreadablePaths == 0 ? path : firstUnreadable;
    unreadablePaths++;
  }

  @Override
  public void file(String path, HdfsFileStatus status, Map<String, byte[]> attributes) {
    progress.run();
    LocatedBlocks blocks = ((HdfsLocatedFileStatus) status).getLocatedBlocks();
    if (blocks == null) {
      return;
    }
    LocatedBlock last = blocks.getLastLocatedBlock();
    boolean writing = last != null && !blocks.isLastBlockComplete();
    openBlocks += writing ? 1 : 0;
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      // A block of which the NameNode knows no byte yet is the last one, but not in the list.
      boolean open = writing && id(block) == id(last);
      if (!open && (seen == null || seen.add(id(block)))) {
        count(block, status.getErasureCodingPolicy());
      }
    }
  }

  private static long id(LocatedBlock block) {
    return block.getBlock().getBlockId();
  }

  private void count(LocatedBlock block, ErasureCodingPolicy coding) {
    BlockCopies.Stored stored = BlockCopies.of(block, coding);
    if (block.isCorrupt() || !stored.copies().isReadable()) {
      unreadableBlocks++;
      return;
    }
    Sum sum = sums.computeIfAbsent(stored.copies(), none -> new Sum());
    sum.blocks++;
    sum.bytes += block.getBlockSize();
    sum.storedBytes += stored.storedBytes();
  }

  private void requireAllRead() {
    if (unreadablePaths > 0) {
      throw OperatorException.cluster(
          "no permission to read "
              + firstUnreadable
              + (unreadablePaths > 1
                  ? " and " + Words.count(unreadablePaths - 1, "other path")
                  : "")
              + ": the risk of what is there is not known; run as HDFS's superuser",
          null);
    }
  }

  private static int nodesInUse(DistributedFileSystem fs) throws IOException {
    try {
      DatanodeInfo[] live = fs.getClient().datanodeReport(DatanodeReportType.LIVE);
      return (int) Arrays.stream(live).filter(node -> !node.isDecommissioned()).count();
    } catch (IOException e) {
      if (FailureText.cause(e) instanceof AccessControlException) {
        throw OperatorException.cluster(
            "only HDFS's superuser may ask how many nodes there are: give --nodes N", e);
      }
      throw e;
    }
  }

  /**
   * The risk of all that was seen.
   *
   * @param nodes that were told, or counted
   * @throws OperatorException when fewer are told than replicas of a block stand on
   */
  RiskAnswer answer(NodeFigures figures, int nodes) {
    int widest = sums.keySet().stream().mapToInt(BlockCopies::units).max().orElse(1);
    boolean told = figures.nodes().isPresent();
    if (told && nodes < widest) {
      throw OperatorException.badInput(
          "--nodes "
              + nodes
              + " is too little: blocks stand on "
              + widest
              + " nodes each; give "
              + widest
              + " or more");
    }
    // A node that has just died may still be named for replicas.
    List<RiskAnswer.Pool> pools = List.of(figures.pool(Math.max(widest, nodes)));
    List<RiskAnswer.Row> rows = new ArrayList<>();
    List<KeptBlocks> all = new ArrayList<>();
    double watts = 0;
    for (Map.Entry<BlockCopies, Sum> entry : sums.entrySet()) {
      Sum sum = entry.getValue();
      BlockCopies copies = entry.getKey();
      KeptBlocks kept =
          new KeptBlocks(sum.blocks, List.of(new NodeCopies(0, copies.units(), copies.needed())));
      all.add(kept);
      RiskAnswer.Row row = row(copies.words(), kept, sum, figures, pools);
      watts += sum.bytes / 1e12 * row.wattsPerTerabyte();
      rows.add(row);
    }
    rows.sort(Comparator.comparingDouble(RiskAnswer.Row::probability).reversed());
    double probability = NodeFigures.lossOf(all, pools);
    return new RiskAnswer(
        figures.repairSeconds(),
        pools,
        rows,
        new RiskAnswer.Stored(
            probability,
            figures.aYear(probability),
            watts,
            unreadableBlocks,
            openBlocks,
            told ? null : nodes));
  }

  private static RiskAnswer.Row row(
      String words, KeptBlocks kept, Sum sum, NodeFigures figures, List<RiskAnswer.Pool> pools) {
    double probability = NodeFigures.lossOf(List.of(kept), pools);
    double storedShare =
        sum.bytes == 0 ? kept.copies().get(0).storedShare() : sum.storedBytes / (double) sum.bytes;
    return new RiskAnswer.Row(
        words,
        sum.blocks,
        sum.bytes,
        probability,
        figures.aYear(probability),
        pools.get(0).wattsPerTerabyte() * storedShare);
  }
}
