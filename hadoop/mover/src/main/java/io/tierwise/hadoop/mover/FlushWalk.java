package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.inspect.policy.PolicyScopes;
import io.tierwise.hadoop.mover.MoverReport.Amount;
import io.tierwise.hadoop.mover.MoverReport.Left;
import io.tierwise.policies.movement.FlushCandidate;
import io.tierwise.policies.movement.FlushCandidate.Way;
import io.tierwise.policies.movement.FlushLayouts;
import io.tierwise.policies.movement.FlushSelection;
import io.tierwise.policies.placement.PlacementPolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Offers the files that have replicas in a tier to a selection. */
final class FlushWalk implements NamespaceWalk.Visitor {
  private static final String LAST_RACK =
      "HDFS would keep its surplus replicas for a second rack, and drop others";

  private static final String IN_SNAPSHOT =
      "a snapshot keeps its surplus replicas: they go when it is deleted";

  private static final String CHANGED = "it was deleted or changed meanwhile";

  private final MoverCluster cluster;
  private final FileJudge judge;
  private final int from;
  private final FlushLayouts layouts;
  private final FlushSelection selection;
  private final PolicyScopes scopes;
  private final SnapshotNumbers snapshots;
  private final Map<String, Left> passedOver = new LinkedHashMap<>();

  /**
   * @param to the slower tier; without one only surplus replicas may leave
   */
  FlushWalk(MoverCluster cluster, int from, OptionalInt to, FlushSelection selection) {
    this.cluster = cluster;
    this.judge = cluster.judge();
    this.from = from;
    this.layouts =
        new FlushLayouts(
            cluster.tiers().table(),
            layout -> cluster.tiers().layouts().getOrDefault(layout, layout),
            from,
            to);
    this.selection = selection;
    this.snapshots = new SnapshotNumbers(cluster.fs());
    this.scopes = new PolicyScopes(cluster.tiers());
  }

  void walk(String path) throws IOException {
    Path parent = new Path(path).getParent();
    scopes.begin(
        parent == null ? Optional.empty() : PathPolicy.placementAttribute(cluster.fs(), parent));
    try (NamespaceWalk walk = new NamespaceWalk(cluster.fs(), true, this)) {
      walk.walk(path);
    }
  }

  @Override
  public void enter(String path, Map<String, byte[]> attributes) {
    scopes.enter(path, attributes);
  }

  /** Most files of a cluster have nothing in a fast tier: a call for each would be too many. */
  @Override
  public boolean wantsAttributesOf(HdfsFileStatus file) {
    return bytesThere((HdfsLocatedFileStatus) file) > 0;
  }

  @Override
  public void leave(String path) {
    scopes.leave(path);
  }

  @Override
  public void unreadable(String path, boolean directory) {
    pass("no permission to read it", path, 0);
  }

  @Override
  public void file(String path, HdfsFileStatus found, Map<String, byte[]> attributes)
      throws IOException {
    HdfsLocatedFileStatus status = (HdfsLocatedFileStatus) found;
    long bytes = bytesThere(status);
    if (bytes == 0) {
      return;
    }
    Optional<String> own = FileJudge.ownRules(status);
    Optional<String> policy = scopes.of(path, attributes).map(PathPolicy::specification);
    int kept = layouts.keptWithoutSurplus(policy, status.getReplication());
    Optional<String> hindrance = layouts.hindrance(policy);
    if (own.isPresent()) {
      pass(own.get(), path, bytes);
    } else if (status.getLocatedBlocks().isUnderConstruction()) {
      pass("it is being written", path, bytes);
    } else if (kept < status.getReplication()) {
      offerDrop(path, status, policy.orElseThrow(), kept);
    } else if (hindrance.isPresent()) {
      pass(hindrance.get(), path, bytes);
    } else {
      selection.offer(new FlushCandidate(path, Planner.useOf(status), Way.MOVE, bytes));
    }
  }

  private void offerDrop(String path, HdfsLocatedFileStatus status, String policy, int kept)
      throws IOException {
    long bytes = bytesDropped(status, policy, kept, from);
    if (snapshots.keepMoreThan(kept, path, status)) {
      pass(IN_SNAPSHOT, path, bytesThere(status));
    } else if (bytes == 0) {
      pass(LAST_RACK, path, bytesThere(status));
    } else {
      selection.offer(new FlushCandidate(path, Planner.useOf(status), Way.DROP, bytes));
    }
  }

  /**
   * The bytes that become free in a tier when the file keeps so many replicas: the NameNode asks
   * alike.
   */
  private long bytesDropped(HdfsLocatedFileStatus status, String policy, int kept, int tier) {
    PlacementPolicy asked = judge.read(policy).policy();
    List<LocatedBlock> blocks = status.getLocatedBlocks().getLocatedBlocks();
    long bytes = 0;
    for (int index = 0; asked != null && index < blocks.size(); index++) {
      LocatedBlock block = blocks.get(index);
      for (int replica : judge.excess(asked, status, index, block, kept)) {
        bytes += tierOf(block, replica) == tier ? block.getBlockSize() : 0;
      }
    }
    return bytes;
  }

  /** The replicas that a chosen file drops; empty when it has changed since. */
  Optional<FlushJob.Drop> drop(FlushCandidate file) throws IOException {
    HdfsFileStatus status = cluster.fs().getClient().getFileInfo(file.path());
    Optional<String> policy = policyOf(cluster, file.path());
    int before = status == null ? 0 : status.getReplication();
    int kept = layouts.keptWithoutSurplus(policy, before);
    if (status == null || kept == before) {
      pass(CHANGED, file.path(), file.bytes());
      return Optional.empty();
    }
    long bytes = (before - kept) * status.getLen();
    return Optional.of(
        new FlushJob.Drop(
            file.path(), status.getFileId(), policy.orElseThrow(), before, kept, bytes));
  }

  /** The layout that a chosen file gets; empty when it has changed since. */
  Optional<FlushJob.Relayout> relayout(FlushCandidate file) throws IOException {
    HdfsFileStatus status = cluster.fs().getClient().getFileInfo(file.path());
    Optional<String> policy = policyOf(cluster, file.path());
    if (status == null || policy.isEmpty() || layouts.hindrance(policy).isPresent()) {
      pass(CHANGED, file.path(), file.bytes());
      return Optional.empty();
    }
    return Optional.of(
        new FlushJob.Relayout(
            file.path(), status.getFileId(), policy.get(), layouts.after(policy.get())));
  }

  private long bytesThere(HdfsLocatedFileStatus status) {
    if (status.getLocatedBlocks() == null) {
      return 0;
    }
    long bytes = 0;
    for (LocatedBlock block : status.getLocatedBlocks().getLocatedBlocks()) {
      for (int i = 0; i < block.getLocations().length; i++) {
        bytes += tierOf(block, i) == from ? block.getBlockSize() : 0;
      }
    }
    return bytes;
  }

  private int tierOf(LocatedBlock block, int replica) {
    return cluster
        .tiers()
        .matcher()
        .tierOf(
            TierMatch.Volume.of(
                block.getStorageTypes()[replica],
                block.getLocations()[replica],
                block.getStorageIDs()[replica]));
  }

  /** Empty also when the file is gone. */
  static Optional<String> policyOf(MoverCluster cluster, String path) throws IOException {
    try {
      return PathPolicy.placement(cluster.fs(), new Path(path), cluster.tiers())
          .map(PathPolicy::specification);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private void pass(String reason, String path, long bytes) {
    passedOver.merge(
        reason,
        new Left(reason, false, new Amount(1, bytes), path),
        (old, more) -> new Left(reason, false, old.amount().plus(1, bytes), old.example()));
  }

  /** Files that were not offered, by reason, the most bytes first. */
  List<Left> passedOver() {
    return passedOver.values().stream()
        .sorted(Comparator.comparingLong(left -> -left.amount().bytes()))
        .toList();
  }
}
