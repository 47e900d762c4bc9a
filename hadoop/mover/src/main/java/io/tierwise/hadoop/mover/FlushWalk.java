package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.inspect.policy.PolicyScopes;
import io.tierwise.hadoop.mover.MoverReport.Amount;
import io.tierwise.hadoop.mover.MoverReport.Left;
import io.tierwise.policies.movement.FlushCandidate;
import io.tierwise.policies.movement.FlushLayouts;
import io.tierwise.policies.movement.FlushSelection;
import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Offers the files that have replicas in a tier to a selection. */
final class FlushWalk implements NamespaceWalk.Visitor {
  private final MoverCluster cluster;
  private final int from;
  private final FlushLayouts layouts;
  private final FlushSelection selection;
  private final PolicyScopes scopes;
  private final Map<String, Left> passedOver = new LinkedHashMap<>();

  FlushWalk(MoverCluster cluster, int from, int to, FlushSelection selection) {
    this.cluster = cluster;
    this.from = from;
    this.layouts =
        new FlushLayouts(
            cluster.tiers().table(),
            layout -> cluster.tiers().layouts().getOrDefault(layout, layout),
            from,
            to);
    this.selection = selection;
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
    Optional<String> hindrance =
        layouts.hindrance(scopes.of(path, attributes).map(PathPolicy::specification));
    if (own.isPresent()) {
      pass(own.get(), path, bytes);
    } else if (status.getLocatedBlocks().isUnderConstruction()) {
      pass("it is being written", path, bytes);
    } else if (hindrance.isPresent()) {
      pass(hindrance.get(), path, bytes);
    } else {
      selection.offer(new FlushCandidate(path, Planner.useOf(status), bytes));
    }
  }

  private long bytesThere(HdfsLocatedFileStatus status) {
    if (status.getLocatedBlocks() == null) {
      return 0;
    }
    long bytes = 0;
    for (LocatedBlock block : status.getLocatedBlocks().getLocatedBlocks()) {
      DatanodeInfo[] nodes = block.getLocations();
      for (int i = 0; i < nodes.length; i++) {
        int tier =
            cluster
                .tiers()
                .matcher()
                .tierOf(
                    TierMatch.Volume.of(
                        block.getStorageTypes()[i], nodes[i], block.getStorageIDs()[i]));
        bytes += tier == from ? block.getBlockSize() : 0;
      }
    }
    return bytes;
  }

  /** The layout of a chosen file with its replicas in the tier in the slower one. */
  String layoutAfter(String path) throws IOException {
    String before =
        PathPolicy.placement(cluster.fs(), new Path(path), cluster.tiers())
            .map(PathPolicy::specification)
            .orElseThrow(() -> new IOException(path + " has no policy any more: run it again"));
    return layouts.after(before);
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
