package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.inspect.policy.PolicyScopes;
import io.tierwise.hadoop.mover.FileToMove.Deletion;
import io.tierwise.policies.placement.PlacementPolicy;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Goes through files, plans their blocks and hands on those that have something to move. Memory
 * does not grow with the number of files.
 */
final class Intake implements NamespaceWalk.Visitor {
  /** Takes a block with its first moves; may wait. */
  @FunctionalInterface
  interface Taker {
    void take(BlockWork work, List<PlannedMove> moves) throws IOException;
  }

  private final MoveOrder order;
  private final FileJudge judge;
  private final PolicyScopes scopes;
  private final boolean pluginRuns;
  private final Planner planner;
  private final Tally tally;
  private final Taker taker;

  Intake(MoverCluster cluster, MoveOrder order, Planner planner, Tally tally, Taker taker) {
    this.order = order;
    this.judge = cluster.judge();
    this.scopes = new PolicyScopes(cluster.tiers());
    this.pluginRuns = cluster.pluginRuns();
    this.planner = planner;
    this.tally = tally;
    this.taker = taker;
  }

  void walk(DistributedFileSystem fs) throws IOException {
    for (String path : order.paths()) {
      Path parent = new Path(path).getParent();
      scopes.begin(parent == null ? Optional.empty() : PathPolicy.placementAttribute(fs, parent));
      try (NamespaceWalk walk = new NamespaceWalk(fs, true, this)) {
        walk.walk(path);
      }
    }
  }

  @Override
  public void enter(String path, Map<String, byte[]> attributes) {
    scopes.enter(path, attributes);
  }

  @Override
  public void leave(String path) {
    scopes.leave(path);
  }

  @Override
  public void unreadable(String path, boolean directory) {
    tally.left("no permission to read it", true, path, 0, 0);
  }

  @Override
  public void file(String path, HdfsFileStatus found, Map<String, byte[]> attributes)
      throws IOException {
    tally.file();
    HdfsLocatedFileStatus status = (HdfsLocatedFileStatus) found;
    LocatedBlocks located = status.getLocatedBlocks();
    if (located == null) {
      return;
    }
    Optional<String> own = FileJudge.ownRules(status);
    Optional<PathPolicy> inForce = scopes.of(path, attributes);
    FileJudge.Reading reading =
        inForce.map(policy -> judge.read(policy.specification())).orElse(null);
    PlacementPolicy policy = reading == null ? null : reading.policy();
    if (own.isPresent()) {
      leave(path, status, own.get());
    } else if (order.layout().isEmpty() && policy == null) {
      boolean malformed = reading != null && reading.problem() != null;
      leave(path, status, malformed ? "its policy is malformed" : "it is under no policy");
    } else {
      PlacementPolicy wanted = order.layout().orElse(policy);
      FileToMove file = new FileToMove(path, status, wanted, deletion(wanted, policy));
      List<LocatedBlock> blocks = located.getLocatedBlocks();
      for (int index = 0; index < blocks.size(); index++) {
        block(new BlockWork(file, index, blocks.get(index)), blocks.get(index));
      }
    }
  }

  private void leave(String path, HdfsLocatedFileStatus status, String reason) {
    int blocks = status.getLocatedBlocks().locatedBlockCount();
    tally.left(reason, false, path, blocks, status.getLen());
  }

  private Deletion deletion(PlacementPolicy wanted, PlacementPolicy inForce) {
    if (!pluginRuns || inForce == null) {
      return Deletion.BY_STORAGE_POLICY;
    }
    return inForce.name().equals(wanted.name())
        ? Deletion.BY_WANTED_POLICY
        : Deletion.BY_OTHER_POLICY;
  }

  private void block(BlockWork work, LocatedBlock block) throws IOException {
    Optional<String> hindrance = hindrance(work.file(), block);
    if (hindrance.isPresent()) {
      tally.block(false);
      leave(tally, work, block, hindrance.get());
      return;
    }
    Planner.Planned planned = planner.plan(work, block);
    tally.block(planned.moves().isEmpty() && planned.unmoved().isEmpty());
    leave(tally, work, block, planned);
    if (!planned.moves().isEmpty()) {
      taker.take(work, planned.moves());
    }
  }

  /** Counts what a plan leaves where it is. */
  static void leave(Tally tally, BlockWork work, LocatedBlock block, Planner.Planned planned) {
    planned
        .unmoved()
        .forEach(
            reason ->
                tally.left(reason.text(), false, work.file().path(), 1, block.getBlockSize()));
  }

  /** Counts a whole block that stays as it is. */
  static void leave(Tally tally, BlockWork work, LocatedBlock block, String reason) {
    tally.left(reason, false, work.file().path(), 1, block.getBlockSize());
  }

  /** Why a block is left alone, whatever it should be. */
  static Optional<String> hindrance(FileToMove file, LocatedBlock block) {
    if (FileJudge.isBeingWritten(block, file.status().getLocatedBlocks())) {
      return Optional.of("it is being written");
    }
    if (block.isCorrupt()) {
      return Optional.of("all its replicas are corrupt");
    }
    boolean leaves =
        Arrays.stream(block.getLocations())
            .anyMatch(node -> node.getAdminState() != AdminStates.NORMAL);
    if (leaves) {
      return Optional.of("one of its nodes is being decommissioned or in maintenance");
    }
    int replicas = block.getLocations().length;
    int wanted = file.status().getReplication();
    if (replicas < wanted) {
      return Optional.of("HDFS has yet to copy a missing replica");
    }
    return replicas > wanted
        ? Optional.of("HDFS has yet to drop a replica too many")
        : Optional.empty();
  }
}
