package io.tierwise.hadoop.inspect.policy;

import io.tierwise.hadoop.hdfs.tiers.PathRule;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.compliance.Compliance;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * Counts, on the way through a namespace, how much of each managed path is where its policy wants
 * it. What stands on a path is told when all below it was seen; nothing is kept of it then.
 */
public final class ManagedPaths implements NamespaceWalk.Visitor {
  /** Told what is found, as it is found. */
  public interface Listener {
    /** A path that carries a policy, after all that is under that very policy. */
    void path(String path, PathPolicy policy, FileJudge.Reading reading, Compliance compliance);

    /** A directory that carries an access strategy. */
    void access(String path, String specification);

    void fileOffTier(String path, PathPolicy policy, Compliance compliance);

    void unreadable(String path, boolean directory);
  }

  /** A policy that holds from {@code path} on. */
  private record Scope(String path, PathPolicy policy, Compliance compliance) {}

  private final TierConfiguration tiers;
  private final FileJudge judge;
  private final Listener listener;
  private final Runnable eachPath;
  private final Deque<Scope> scopes = new ArrayDeque<>();
  private final Map<PathRule, Compliance> byRule = new LinkedHashMap<>();
  private final Compliance total = new Compliance();
  private long files;
  private long unreadable;
  private long malformed;

  /**
   * @param eachPath runs for every path that is looked at
   */
  public ManagedPaths(
      TierConfiguration tiers, FileJudge judge, Runnable eachPath, Listener listener) {
    this.tiers = tiers;
    this.judge = judge;
    this.eachPath = eachPath;
    this.listener = listener;
  }

  /** The policy that the first path inherits by an attribute above it. */
  public void inherit(String path, PathPolicy policy) {
    scopes.push(new Scope(path, policy, new Compliance()));
  }

  @Override
  public void enter(String path, Map<String, byte[]> attributes) {
    eachPath.run();
    PathPolicy.ownPlacement(path, attributes)
        .ifPresent(policy -> scopes.push(new Scope(path, policy, new Compliance())));
    byte[] access = attributes.get(PathPolicy.ACCESS_ATTRIBUTE);
    if (access != null) {
      listener.access(path, new String(access, StandardCharsets.UTF_8));
    }
  }

  @Override
  public void leave(String path) {
    Scope scope = scopes.peek();
    if (scope != null && scope.policy().ownAttribute() && scope.path().equals(path)) {
      tell(scopes.pop());
    }
  }

  @Override
  public void file(String path, HdfsFileStatus status, Map<String, byte[]> attributes) {
    eachPath.run();
    files++;
    Optional<PathPolicy> own = PathPolicy.ownPlacement(path, attributes);
    if (own.isPresent()) {
      Scope scope = new Scope(path, own.get(), new Compliance());
      count(path, status, scope.policy(), scope.compliance());
      tell(scope);
    } else if (!scopes.isEmpty()) {
      count(path, status, scopes.peek().policy(), scopes.peek().compliance());
    } else {
      Optional<PathRule> rule = tiers.placementRule(path);
      if (rule.isPresent()) {
        Compliance compliance = byRule.computeIfAbsent(rule.get(), none -> new Compliance());
        count(path, status, PathPolicy.placementRule(rule, tiers).orElseThrow(), compliance);
      }
    }
  }

  private void count(String path, HdfsFileStatus status, PathPolicy policy, Compliance compliance) {
    FileJudge.Reading reading = judge.read(policy.specification());
    if (reading.stock() || FileJudge.ownRules(status).isPresent()) {
      return;
    }
    Compliance ofFile = judge.judge(reading.policy(), (HdfsLocatedFileStatus) status);
    compliance.add(ofFile);
    total.add(ofFile);
    if (ofFile.getFilesOffTier() > 0) {
      listener.fileOffTier(path, policy, ofFile);
    }
  }

  @Override
  public void unreadable(String path, boolean directory) {
    unreadable++;
    listener.unreadable(path, directory);
  }

  /** To be called when the walk is over: tells what is left. */
  public void finish() {
    while (!scopes.isEmpty()) {
      tell(scopes.pop());
    }
    byRule.forEach(
        (rule, compliance) ->
            tell(
                new Scope(
                    rule.pattern(),
                    PathPolicy.placementRule(Optional.of(rule), tiers).orElseThrow(),
                    compliance)));
  }

  private void tell(Scope scope) {
    FileJudge.Reading reading = judge.read(scope.policy().specification());
    malformed += reading.problem() == null ? 0 : 1;
    listener.path(scope.path(), scope.policy(), reading, scope.compliance());
  }

  public Compliance total() {
    return total;
  }

  /** All files that were seen, managed or not. */
  public long files() {
    return files;
  }

  public long unreadable() {
    return unreadable;
  }

  /** Managed paths whose specification nobody understands. */
  public long malformed() {
    return malformed;
  }
}
