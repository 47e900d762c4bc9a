package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.inspect.policy.PolicyScopes;
import io.tierwise.hadoop.mover.FileToMove.Deletion;
import io.tierwise.policies.movement.Hindrance;
import io.tierwise.policies.placement.PlacementPolicy;
import java.io.FileNotFoundException;
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

/** Goes through the files of an order. Memory does not grow with their number. */
final class Intake implements NamespaceWalk.Visitor {
  private final MoveOrder order;
  private final FileJudge judge;
  private final PolicyScopes scopes;
  private final boolean pluginRuns;
  private final BlockIntake blocks;
  private final Tally tally;
  private final SnapshotNumbers snapshots;

  Intake(MoverCluster cluster, MoveOrder order, BlockIntake blocks) {
    this.order = order;
    this.judge = cluster.judge();
    this.scopes = new PolicyScopes(cluster.tiers());
    this.pluginRuns = cluster.pluginRuns();
    this.blocks = blocks;
    this.tally = blocks.tally();
    this.snapshots = new SnapshotNumbers(cluster.fs());
  }

  void walk(DistributedFileSystem fs) throws IOException {
    try (NamespaceWalk walk = new NamespaceWalk(fs, true, this)) {
      for (String path : order.paths()) {
        try {
          walk(fs, walk, path);
        } catch (FileNotFoundException e) {
          // The others go on. Of files that nobody named, such as those of a flush, old ones go,
          // and nothing is left to do about them.
          if (order.isNamed()) {
            tally.left("it was deleted meanwhile", true, path, 0, 0);
          }
        }
      }
    }
  }

  private void walk(DistributedFileSystem fs, NamespaceWalk walk, String path) throws IOException {
    Path parent = new Path(path).getParent();
    scopes.begin(parent == null ? Optional.empty() : PathPolicy.placementAttribute(fs, parent));
    walk.walk(path);
  }

  @Override
  public void enter(String path, Map<String, byte[]> attributes) {
    scopes.enter(path, order.attributes(path, attributes));
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
    if (!order.means(path, status.getFileId())) {
      leave(path, status, "it took the place of a file that was meant");
      return;
    }
    Optional<String> own = FileJudge.ownRules(status);
    Optional<PathPolicy> inForce = scopes.of(path, order.attributes(path, attributes));
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
      String specification = inForce.map(PathPolicy::specification).orElse(null);
      FileToMove file =
          new FileToMove(
              path,
              status,
              wanted,
              Deletion.of(pluginRuns, policy, wanted),
              specification,
              snapshots.keptBeyond(path, status),
              order.storagePolicies().get(path));
      List<LocatedBlock> all = located.getLocatedBlocks();
      for (int index = 0; index < all.size(); index++) {
        blocks.block(file, index, all.get(index));
      }
    }
  }

  private void leave(String path, HdfsLocatedFileStatus status, String reason) {
    int blocks = status.getLocatedBlocks().locatedBlockCount();
    tally.left(reason, false, path, blocks, status.getLen());
  }

  /** Why a block is left alone, whatever it should be. */
  static Optional<Hindrance> hindrance(FileToMove file, LocatedBlock block) {
    if (FileJudge.isBeingWritten(block, file.status().getLocatedBlocks())) {
      return Optional.of(Hindrance.BEING_WRITTEN);
    }
    if (block.isCorrupt()) {
      return Optional.of(Hindrance.ALL_CORRUPT);
    }
    boolean leaves =
        Arrays.stream(block.getLocations())
            .anyMatch(node -> node.getAdminState() != AdminStates.NORMAL);
    if (leaves) {
      return Optional.of(Hindrance.NODE_LEAVES);
    }
    int replicas = block.getLocations().length;
    int wanted = file.replicas();
    if (replicas < wanted) {
      return Optional.of(Hindrance.REPLICA_MISSING);
    }
    return replicas > wanted ? Optional.of(Hindrance.REPLICA_TOO_MANY) : Optional.empty();
  }
}
