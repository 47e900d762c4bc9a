package io.tierwise.hadoop.inspect.policy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.tiers.PathRule;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.compliance.Compliance;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * Counts, on the way through a namespace, how much of each managed path is where its policy wants
 * it. A path's counts are told when all below it was seen; nothing is kept of it then.
 */
public final class ManagedPaths implements NamespaceWalk.Visitor {
  /** Told what is found, as it is found. */
  public interface Listener {
    /** A path that carries a policy is told after all that is under that very policy. */
    void found(FindLine line);

    void unreadable(String path, boolean directory);

    /** A directory above that this user may pass through and not read: its policy is not known. */
    void passedThrough(String directory);
  }

  /** A policy that holds from {@code path} on. */
  private record Scope(String path, PathPolicy policy, Compliance compliance) {}

  private final NameNodePlugin.Tiers inForce;
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
  private boolean passedThrough;

  /**
   * @param eachPath runs for every path that is looked at
   */
  public ManagedPaths(
      NameNodePlugin.InForce force, Configuration conf, Runnable eachPath, Listener listener) {
    this.inForce = force.tiers();
    this.tiers = force.table();
    this.judge = FileJudge.of(conf, force.active(), tiers);
    this.eachPath = eachPath;
    this.listener = listener;
  }

  /** Goes through a path and all below it. */
  public void walk(ClusterConnection.Place place) throws IOException {
    Path parent = place.path().getParent();
    if (parent != null) {
      PathPolicy.placementAttribute(place.fs(), parent, this::passedThrough)
          .ifPresent(policy -> scopes.push(scope(place.plain(), policy.inherited())));
    }
    try (NamespaceWalk walk = new NamespaceWalk(place.fs(), true, this)) {
      walk.walk(place.plain());
    }
    while (!scopes.isEmpty()) {
      tell(scopes.pop());
    }
    byRule.forEach(
        (rule, compliance) ->
            tell(new Scope(rule.pattern(), PathPolicy.of(rule, tiers), compliance)));
  }

  private void passedThrough(Path directory) {
    passedThrough = true;
    listener.passedThrough(directory.toUri().getPath());
  }

  private static Scope scope(String path, PathPolicy policy) {
    return new Scope(path, policy, new Compliance());
  }

  @Override
  public void enter(String path, Map<String, byte[]> attributes) {
    eachPath.run();
    PathPolicy.ownPlacement(path, attributes).ifPresent(policy -> scopes.push(scope(path, policy)));
    byte[] access = attributes.get(PathPolicy.ACCESS_ATTRIBUTE);
    if (access != null) {
      listener.found(new FindLine.OfAccess(path, new String(access, StandardCharsets.UTF_8)));
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
      Scope scope = scope(path, own.get());
      count(path, status, scope.policy(), scope.compliance());
      tell(scope);
    } else if (!scopes.isEmpty()) {
      count(path, status, scopes.peek().policy(), scopes.peek().compliance());
    } else {
      Optional<PathRule> rule = tiers.placementRule(path);
      if (rule.isPresent()) {
        Compliance compliance = byRule.computeIfAbsent(rule.get(), none -> new Compliance());
        count(path, status, PathPolicy.of(rule.get(), tiers), compliance);
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
      listener.found(new FindLine.OfFile(path, policy, ofFile));
    }
  }

  @Override
  public void unreadable(String path, boolean directory) {
    unreadable++;
    listener.unreadable(path, directory);
  }

  private void tell(Scope scope) {
    FileJudge.Reading reading = judge.read(scope.policy().specification());
    malformed += reading.problem() == null ? 0 : 1;
    listener.found(FindLine.OfPath.of(scope.path(), scope.policy(), reading, scope.compliance()));
  }

  /** The sums. */
  public Compliance total() {
    return total;
  }

  /** The sums as data. */
  public FindLine.Total totalLine(String path) {
    return new FindLine.Total("total", path, files, unreadable, inForce.whose(), total);
  }

  /** The sums for people. */
  public String totalText(String path) {
    return String.format(
        Locale.ROOT,
        "%s: %,d of %s managed; on their tier %s of the blocks and %s of the bytes; %s not all on"
            + " it",
        path,
        total.getFiles(),
        Words.count(files, "file"),
        Compliance.percent(total.getBlockShare()),
        Compliance.percent(total.getByteShare()),
        Words.count(total.getFilesOffTier(), "file"));
  }

  /**
   * The message of a check that fails; empty when it passes.
   *
   * @param percent of the blocks that must be on their tier; null: as few as there are
   */
  public Optional<String> tooFew(String path, Double percent) {
    Double share = total.getBlockShare();
    if (percent != null && passedThrough) {
      return Optional.of(
          "it is not known which policy holds above " + path + ": nothing is checked");
    }
    if (percent == null || (share != null && share * 100 >= percent)) {
      return Optional.empty();
    }
    return Optional.of(
        share == null
            ? "there is no managed block below " + path + " to check"
            : Compliance.percent(share)
                + " of the blocks are on their tier, less than "
                + percent
                + "%");
  }

  /** Why the sums do not stand for all that is there; null when they do. */
  public OperatorException incomplete() {
    if (unreadable > 0) {
      return NamespaceWalk.incomplete(unreadable);
    }
    return malformed == 0
        ? null
        : OperatorException.badInput(
            Words.count(malformed, "malformed policy") + " ignored: correct what is named");
  }
}
