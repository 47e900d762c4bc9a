package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.tiers.PathRule;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Goes through the files at a path and below that are under one policy. Files that HDFS places by
 * rules of its own are left out, and counted.
 */
final class FilesBelow implements NamespaceWalk.Visitor {
  /** Told of each file. */
  @FunctionalInterface
  interface Files {
    void file(String path, HdfsFileStatus status) throws IOException;
  }

  private final String from;
  private final Files files;
  private long leftOut;
  private long unreadable;

  private FilesBelow(String from, Files files) {
    this.from = from;
    this.files = files;
  }

  /**
   * Walks.
   *
   * @param withLocations whether files come with the locations of their blocks
   * @throws OperatorException when something below the path has a policy of its own
   */
  static FilesBelow walk(DistributedFileSystem fs, String from, boolean withLocations, Files files)
      throws IOException {
    FilesBelow walked = new FilesBelow(from, files);
    try (NamespaceWalk walk = new NamespaceWalk(fs, withLocations, walked)) {
      walk.walk(from);
    }
    return walked;
  }

  /**
   * The same, where the path is to get a policy: the rules of the tier table hold no more below it.
   *
   * @throws OperatorException also when a rule names another placement for something below
   */
  static FilesBelow walk(MoverCluster cluster, String from, Files files) throws IOException {
    TierConfiguration tiers = cluster.tiers();
    if (tiers.rules().isEmpty()
        || PathPolicy.placementAttribute(cluster.fs(), new Path(from)).isPresent()) {
      return walk(cluster.fs(), from, false, files);
    }
    // That of the path itself, or of whatever is in it.
    Optional<PathRule> ofAll =
        tiers.placementRule(from).or(() -> tiers.placementRule(from + "/any name"));
    return walk(cluster.fs(), from, false, new OneRule(tiers, from, ofAll, files));
  }

  /** Files that a rule has for themselves are refused. */
  private record OneRule(
      TierConfiguration tiers, String from, Optional<PathRule> ofAll, Files files)
      implements Files {
    @Override
    public void file(String path, HdfsFileStatus status) throws IOException {
      Optional<PathRule> rule = tiers.placementRule(path);
      if (!path.equals(from) && !placement(rule).equals(placement(ofAll))) {
        throw OperatorException.badInput(
            path
                + rule.map(PathRule::pattern)
                    .map(pattern -> " is under the rule for " + pattern)
                    .orElse(" is under no rule")
                + " of "
                + tiers.source()
                + ", and "
                + from
                + " is not: what it gets would hold there, too; name each by itself");
      }
      files.file(path, status);
    }

    private static Optional<String> placement(Optional<PathRule> rule) {
      return rule.map(PathRule::placement);
    }
  }

  /** Files that HDFS places by rules of its own. */
  long leftOut() {
    return leftOut;
  }

  /** Paths that this user may not read. */
  long unreadable() {
    return unreadable;
  }

  @Override
  public void enter(String path, Map<String, byte[]> attributes) {
    requireNoOther(path, attributes);
  }

  @Override
  public void leave(String path) {
    // All was done when it was entered.
  }

  @Override
  public void unreadable(String path, boolean directory) {
    unreadable++;
  }

  @Override
  public void file(String path, HdfsFileStatus status, Map<String, byte[]> attributes)
      throws IOException {
    requireNoOther(path, attributes);
    if (FileJudge.ownRules(status).isPresent()) {
      leftOut++;
    } else {
      files.file(path, status);
    }
  }

  private void requireNoOther(String path, Map<String, byte[]> attributes) {
    if (!path.equals(from) && PathPolicy.ownPlacement(path, attributes).isPresent()) {
      throw OperatorException.badInput(
          path
              + " has a policy of its own, which holds there and not that of "
              + from
              + ": name each by itself (one that a flush gave is taken back by 'tierwise undo')");
    }
  }
}
