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
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.security.AccessControlException;

/**
 * The risk of files that are stored, by the replicas that they have now. Blocks of all files fail
 * together: one sum goes over the failures of all nodes.
 *
 * <p>Not counted: a block that is being written.
 */
public final class StoredRisk implements NamespaceWalk.Visitor {
  private final Map<Copies, Sum> sums = new TreeMap<>();
  private long unreadableBlocks;
  private long unreadablePaths;
  private String firstUnreadable;

  /** How blocks are kept; the riskiest first: the least to spare, of equals the most to fail. */
  private record Copies(int units, int needed) implements Comparable<Copies> {
    @Override
    public int compareTo(Copies other) {
      int spare = Integer.compare(units - needed, other.units - other.needed);
      return spare != 0 ? spare : Integer.compare(other.units, units);
    }

    String words() {
      return needed == 1 ? Words.count(units, "replica") : "any " + needed + " of " + units;
    }
  }

  private static final class Sum {
    private long blocks;
    private long bytes;
  }

  private StoredRisk() {}

  /**
   * Walks all below the paths.
   *
   * @throws OperatorException when something there may not be read: the risk is not known then
   */
  public static RiskAnswer of(DistributedFileSystem fs, List<String> paths, NodeFigures figures)
      throws IOException {
    OptionalInt told = figures.nodes();
    StoredRisk risk = new StoredRisk();
    for (String path : NamespaceWalk.outermost(paths)) {
      try (NamespaceWalk walk = NamespaceWalk.ofLocations(fs, risk)) {
        walk.walk(path);
      }
    }
    risk.requireAllRead();
    return risk.answer(figures, told.isPresent() ? told.getAsInt() : nodesInUse(fs));
  }

  @Override
  public void enter(String path, Map<String, byte[]> attributes) {
    // Nothing is told by directory.
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
    LocatedBlocks blocks = ((HdfsLocatedFileStatus) status).getLocatedBlocks();
    if (blocks == null) {
      return;
    }
    int count = blocks.locatedBlockCount() - (blocks.isLastBlockComplete() ? 0 : 1);
    for (LocatedBlock block : blocks.getLocatedBlocks().subList(0, Math.max(0, count))) {
      count(block, status.getErasureCodingPolicy());
    }
  }

  private void count(LocatedBlock block, ErasureCodingPolicy coding) {
    boolean striped = block instanceof LocatedStripedBlock;
    Copies copies =
        new Copies(
            block.isCorrupt() ? 0 : (int) unitsOf(block),
            striped ? unitsNeeded(coding, block.getBlockSize()) : 1);
    if (copies.units() < copies.needed()) {
      unreadableBlocks++;
      return;
    }
    Sum sum = sums.computeIfAbsent(copies, none -> new Sum());
    sum.blocks++;
    sum.bytes += block.getBlockSize();
  }

  /** Replicas on different nodes; of a group its different parts, of which one may stand twice. */
  private static long unitsOf(LocatedBlock block) {
    if (block instanceof LocatedStripedBlock striped) {
      byte[] parts = striped.getBlockIndices();
      long distinct = 0;
      for (byte part : parts) {
        distinct |= 1L << part;
      }
      return Long.bitCount(distinct);
    }
    return Arrays.stream(block.getLocations())
        .map(DatanodeInfo::getDatanodeUuid)
        .distinct()
        .count();
  }

  /** Parts of a group that have data in them: of a group that is not full fewer than usual. */
  static int unitsNeeded(ErasureCodingPolicy coding, long bytes) {
    long cells = (bytes + coding.getCellSize() - 1) / coding.getCellSize();
    return (int) Math.max(1, Math.min(coding.getNumDataUnits(), cells));
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

  private RiskAnswer answer(NodeFigures figures, int nodes) {
    // A node that has just died may still be named for replicas.
    int atLeast = sums.keySet().stream().mapToInt(Copies::units).max().orElse(1);
    List<RiskAnswer.Pool> pools = List.of(figures.pool(Math.max(atLeast, nodes)));
    List<RiskAnswer.Row> rows = new ArrayList<>();
    List<KeptBlocks> all = new ArrayList<>();
    double watts = 0;
    for (Map.Entry<Copies, Sum> entry : sums.entrySet()) {
      Copies copies = entry.getKey();
      Sum sum = entry.getValue();
      KeptBlocks kept =
          new KeptBlocks(sum.blocks, List.of(new NodeCopies(0, copies.units(), copies.needed())));
      all.add(kept);
      double wattsPerTerabyte = NodeFigures.wattsPerTerabyte(kept.copies(), pools);
      watts += sum.bytes / 1e12 * wattsPerTerabyte;
      rows.add(
          new RiskAnswer.Row(
              copies.words(),
              sum.blocks,
              sum.bytes,
              NodeFigures.lossOf(List.of(kept), pools),
              wattsPerTerabyte));
    }
    return new RiskAnswer(
        figures.repairSeconds(),
        pools,
        rows,
        new RiskAnswer.Stored(NodeFigures.lossOf(all, pools), watts, unreadableBlocks));
  }
}
