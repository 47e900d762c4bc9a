package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.inspect.policy.PolicyScopes;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.policies.heat.HeatReport;
import io.tierwise.policies.rules.FileFacts;
import io.tierwise.policies.rules.FileRule;
import io.tierwise.policies.rules.RuleAction;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Goes through the files that rules are about, and asks each rule in turn; the first that is for a
 * file decides about it. Memory grows with the files that rules are for, and not with the others.
 */
final class RuleWalk implements NamespaceWalk.Visitor {
  /** Own: more in one round would make a plan that nobody reads; the rest is of the next one. */
  private static final int MOVES_MAX = 1_000;

  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final RuleBook book;
  private final HeatReport heat;
  private final double countedSeconds;
  private final double nowSeconds;
  private final ToDoubleBiFunction<Long, Integer> heldUntil;
  private final PolicyScopes scopes;
  private final List<Tally> tallies = new ArrayList<>();
  private final List<RoundPlan.Change> changes = new ArrayList<>();
  private final List<Moving> moves = new ArrayList<>();
  private final Set<Long> decided = new HashSet<>();

  /** A file that should get a replica in a tier, and the bytes of its blocks that have none. */
  record Moving(RuleBook.Entry entry, String tier, String path, int replicas, long missingBytes) {}

  /** The outcome of a rule. */
  private static final class Tally {
    private long files;
    private long fired;
    private long asWanted;
    private final LeftFiles left = new LeftFiles();
  }

  /**
   * @param heldUntil the second until which the file of that id with that many replicas is left
   *     alone
   */
  RuleWalk(
      MoverCluster cluster,
      AutotierSettings settings,
      RuleBook book,
      LogHeat heat,
      double nowSeconds,
      ToDoubleBiFunction<Long, Integer> heldUntil) {
    this.cluster = cluster;
    this.settings = settings;
    this.book = book;
    this.heat = heat.report();
    this.countedSeconds = heat.observed().seconds();
    this.nowSeconds = nowSeconds;
    this.heldUntil = heldUntil;
    scopes = new PolicyScopes(cluster.tiers());
    book.entries().forEach(entry -> tallies.add(new Tally()));
  }

  /** Goes through all of them. */
  RuleWalk walk() throws IOException {
    List<String> roots = book.entries().stream().map(entry -> entry.paths().root()).toList();
    for (String root : NamespaceWalk.outermost(roots)) {
      Path parent = new Path(root).getParent();
      scopes.begin(
          parent == null ? Optional.empty() : PathPolicy.placementAttribute(cluster.fs(), parent));
      try (NamespaceWalk walk = new NamespaceWalk(cluster.fs(), true, this)) {
        walk.walk(root);
      } catch (FileNotFoundException e) {
        // Nothing is there yet: the rule is for no file, and its outcome says so.
      }
    }
    return this;
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
    for (int i = 0; i < tallies.size(); i++) {
      if (book.entries().get(i).paths().matches(path)) {
        tallies.get(i).left.add("this user may not read it", path);
      }
    }
  }

  @Override
  public void file(String path, HdfsFileStatus status, Map<String, byte[]> attributes) {
    if (!settings.covers(path)) {
      return;
    }
    for (int i = 0; i < tallies.size(); i++) {
      RuleBook.Entry entry = book.entries().get(i);
      if (!entry.paths().matches(path)) {
        continue;
      }
      Tally tally = tallies.get(i);
      tally.files++;
      Optional<String> why = entry.rule().whyNot(new Facts(path, status));
      if (why.isPresent()) {
        tally.left.add(why.get(), path);
        continue;
      }
      decided.add(status.getFileId());
      Optional<String> left = leftAlone(path, status, attributes);
      if (left.isPresent()) {
        tally.left.add(left.get(), path);
      } else {
        fire(entry, tally, path, status);
      }
      return;
    }
  }

  private Optional<String> leftAlone(
      String path, HdfsFileStatus status, Map<String, byte[]> attributes) {
    Optional<String> own = FileJudge.ownRules(status);
    if (own.isPresent()) {
      return own;
    }
    Optional<PathPolicy> policy =
        scopes
            .of(path, attributes)
            .filter(found -> !found.specification().strip().equals(PathPolicy.STOCK));
    if (policy.isPresent()) {
      return Optional.of(ReplicaPlanner.underPolicy(policy.get()));
    }
    return heldUntil.applyAsDouble(status.getFileId(), (int) status.getReplication()) > nowSeconds
        ? Optional.of(ReplicaPlanner.held(settings.holdWindows()))
        : Optional.empty();
  }

  private void fire(RuleBook.Entry entry, Tally tally, String path, HdfsFileStatus status) {
    RuleAction action = entry.rule().action();
    if (action instanceof RuleAction.Secondary) {
      tally.left.add("rules offload no file yet, 'tierwise secondary offload' does", path);
    } else if (action instanceof RuleAction.Replicas wanted) {
      if (status.getReplication() == wanted.count()) {
        tally.asWanted++;
        return;
      }
      tally.fired++;
      changes.add(
          new RoundPlan.Change(
              -1,
              path,
              status.getFileId(),
              status.getLen(),
              status.getReplication(),
              wanted.count(),
              null,
              null,
              book.at(entry.rule()),
              book.at(entry.rule()) + ": " + entry.rule().text()));
    } else if (action instanceof RuleAction.InTier wanted) {
      long missing = missingBytes((HdfsLocatedFileStatus) status, wanted.tier());
      if (missing == 0) {
        tally.asWanted++;
      } else if (moves.size() == MOVES_MAX) {
        tally.left.add("other files of this rule come first", path);
      } else {
        tally.fired++;
        moves.add(new Moving(entry, wanted.tier(), path, status.getReplication(), missing));
      }
    }
  }

  /** Bytes of blocks without a replica in the tier. */
  private long missingBytes(HdfsLocatedFileStatus status, String tier) {
    int index = cluster.tiers().table().require(tier).index();
    long missing = 0;
    for (LocatedBlock block : status.getLocatedBlocks().getLocatedBlocks()) {
      boolean there = false;
      for (int i = 0; i < block.getLocations().length && !there; i++) {
        TierMatch.Volume volume =
            TierMatch.Volume.of(
                block.getStorageTypes()[i], block.getLocations()[i], block.getStorageIDs()[i]);
        there = cluster.tiers().matcher().tiersOf(volume).contains(index);
      }
      missing += there ? 0 : block.getBlockSize();
    }
    return missing;
  }

  /** The facts about a file that rules ask for. */
  private final class Facts implements FileFacts {
    private final String path;
    private final HdfsFileStatus status;

    Facts(String path, HdfsFileStatus status) {
      this.path = path;
      this.status = status;
    }

    @Override
    public long bytes() {
      return status.getLen();
    }

    @Override
    public double writtenSecondsAgo() {
      return nowSeconds - status.getModificationTime() / 1e3;
    }

    @Override
    public int replicas() {
      return status.getReplication();
    }

    @Override
    public Reads reads(double seconds) {
      HeatReport.Recent recent = heat.readsWithin(path, Math.round(seconds * 1e3));
      return new Reads(recent.least(), recent.most());
    }

    @Override
    public double countedSeconds() {
      return countedSeconds;
    }
  }

  /** Files about which a rule has decided, whatever it said. */
  Set<Long> decided() {
    return decided;
  }

  List<RoundPlan.Change> changes() {
    return changes;
  }

  List<Moving> moves() {
    return moves;
  }

  /** The outcome of each rule. */
  List<RoundPlan.RuleOutcome> outcomes() {
    List<RoundPlan.RuleOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < tallies.size(); i++) {
      FileRule rule = book.entries().get(i).rule();
      Tally tally = tallies.get(i);
      if (tally.files == 0 && tally.left.list().isEmpty()) {
        tally.left.note("no file matches its path", rule.pattern());
      }
      outcomes.add(
          new RoundPlan.RuleOutcome(
              rule.line(),
              rule.text(),
              tally.files,
              tally.fired,
              tally.asWanted,
              tally.left.list()));
    }
    return outcomes;
  }
}
