package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.inspect.policy.PolicyScopes;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.policies.heat.HeatReport;
import io.tierwise.policies.rules.FileFacts;
import io.tierwise.policies.rules.FileRule;
import io.tierwise.policies.rules.RuleAction;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * Goes once through the files that rules are about, and asks each rule in turn; the first that is
 * for a file decides about it. Memory grows with the files that rules change, and not with the
 * others.
 */
final class RulePass implements NamespaceWalk.Visitor {
  private static final String OTHERS_FIRST = "other files of rules come first";

  static final String UNREADABLE = "this user may not read it";

  /** Own: more in one round would make a plan that nobody reads; the rest is of the next one. */
  private static final int MOVES_MAX = 1_000;

  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final RuleBook book;
  private final LastChanges lastChanges;
  private final int usualReplicas;
  private final PolicyScopes scopes;
  private final List<Tally> tallies = new ArrayList<>();
  private final List<RoundPlan.Change> changes = new ArrayList<>();
  private final List<Moving> moves = new ArrayList<>();
  private final Map<RuleBook.Entry, List<String>> offloads = new LinkedHashMap<>();
  private int offloaded;
  private final WalkTurns turns = new WalkTurns(this::walk);
  private Sight sight;
  private long paths;

  /** What is known of reads, and when: another one in each round. */
  record Sight(HeatReport heat, FileFacts.Counted counted, double nowSeconds) {}

  /** A file that should get a replica in a tier. */
  record Moving(RuleBook.Entry entry, String tier, String path, int replicas) {}

  /** The outcome of a rule. */
  private static final class Tally {
    private long files;
    private long fired;
    private long asWanted;
    private long replicaBytes;
    private long tierBytes;
    private final LeftFiles left = new LeftFiles();
  }

  /**
   * @param usualReplicas that are nobody's choice
   */
  RulePass(
      MoverCluster cluster,
      AutotierSettings settings,
      RuleBook book,
      LastChanges lastChanges,
      int usualReplicas) {
    this.cluster = cluster;
    this.settings = settings;
    this.book = book;
    this.lastChanges = lastChanges;
    this.usualReplicas = usualReplicas;
    scopes = new PolicyScopes(cluster.tiers());
    book.entries().forEach(entry -> tallies.add(new Tally()));
  }

  /**
   * Goes on where it stopped.
   *
   * @param pathsMax looked at now: a call of the NameNode each, and some for listings
   * @return whether all were looked at
   */
  boolean goOn(Sight now, long pathsMax, long nanosMax, WalkTurns.Pulse pulse) throws IOException {
    sight = now;
    return turns.turn(pathsMax, nanosMax, pulse);
  }

  /** Ends it where it is. */
  void end() {
    turns.end();
  }

  /** How many paths it has looked at. */
  long paths() {
    return paths;
  }

  private void walk() throws IOException {
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
  }

  @Override
  public void enter(String path, Map<String, byte[]> attributes) throws IOException {
    step();
    scopes.enter(path, attributes);
  }

  private void step() throws IOException {
    turns.step();
    paths++;
  }

  @Override
  public void leave(String path) {
    scopes.leave(path);
  }

  @Override
  public void unreadable(String path, boolean directory) {
    for (int i = 0; i < tallies.size(); i++) {
      if (book.entries().get(i).paths().matches(path)) {
        tallies.get(i).left.add(UNREADABLE, path);
      }
    }
  }

  @Override
  public void file(String path, HdfsFileStatus status, Map<String, byte[]> attributes)
      throws IOException {
    step();
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
      Optional<String> why = entry.rule().whyNot(Facts.of(path, status, sight));
      if (why.isPresent()) {
        tally.left.add(why.get(), path);
        continue;
      }
      Optional<ReplicaMark> mark = lastChanges.of(status.getFileId(), attributes);
      Optional<String> left = leftAlone(entry.rule().action(), path, status, attributes, mark);
      if (left.isPresent()) {
        tally.left.add(left.get(), path);
      } else {
        boolean ours = mark.filter(last -> last.owns(status.getReplication())).isPresent();
        fire(entry, tally, path, status, ours || status.getReplication() == usualReplicas);
      }
      return;
    }
  }

  private Optional<String> leftAlone(
      RuleAction action,
      String path,
      HdfsFileStatus status,
      Map<String, byte[]> attributes,
      Optional<ReplicaMark> mark) {
    Optional<String> own = FileJudge.ownRules(status);
    if (own.isPresent()) {
      return own;
    }
    if (Placeholder.is(status) && !(action instanceof RuleAction.Secondary)) {
      return Optional.of("it is in a secondary store");
    }
    Optional<PathPolicy> policy =
        scopes
            .of(path, attributes)
            .filter(found -> !found.specification().strip().equals(PathPolicy.STOCK));
    if (policy.isPresent()) {
      return Optional.of(ReplicaPlanner.underPolicy(policy.get()));
    }
    return mark.filter(last -> sight.nowSeconds() - last.seconds() < settings.holdSeconds())
        .map(last -> ReplicaPlanner.held(settings.holdWindows()));
  }

  /**
   * @param ours whether the number of replicas is nobody's choice
   */
  private void fire(
      RuleBook.Entry entry, Tally tally, String path, HdfsFileStatus status, boolean ours) {
    RuleAction action = entry.rule().action();
    if (action instanceof RuleAction.Secondary) {
      offload(entry, tally, path, status);
    } else if (action instanceof RuleAction.Replicas wanted) {
      if (status.getReplication() == wanted.count()) {
        tally.asWanted++;
        return;
      }
      tally.fired++;
      tally.replicaBytes += status.getLen() * (wanted.count() - status.getReplication());
      changes.add(
          new RoundPlan.Change(
              -1,
              ours,
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
      long missing = TierMoves.missingBytes(cluster, (HdfsLocatedFileStatus) status, wanted.tier());
      tally.tierBytes += missing;
      if (missing == 0) {
        tally.asWanted++;
      } else if (moves.size() == MOVES_MAX) {
        tally.left.add(OTHERS_FIRST, path);
      } else {
        tally.fired++;
        moves.add(new Moving(entry, wanted.tier(), path, status.getReplication()));
      }
    }
  }

  private void offload(RuleBook.Entry entry, Tally tally, String path, HdfsFileStatus status) {
    if (Placeholder.is(status)) {
      tally.asWanted++;
    } else if (offloaded == MOVES_MAX) {
      tally.left.add(OTHERS_FIRST, path);
    } else {
      tally.fired++;
      offloaded++;
      offloads.computeIfAbsent(entry, rule -> new ArrayList<>()).add(path);
    }
  }

  /** The facts about a file that rules ask for. */
  private record Facts(String path, long bytes, long writtenMillis, int replicas, Sight sight)
      implements FileFacts {
    static Facts of(String path, HdfsFileStatus status, Sight sight) {
      return new Facts(
          path, status.getLen(), status.getModificationTime(), status.getReplication(), sight);
    }

    @Override
    public double writtenSecondsAgo() {
      return sight.nowSeconds() - writtenMillis / 1e3;
    }

    @Override
    public Reads reads(double seconds) {
      HeatReport.Recent recent = sight.heat().readsWithin(path, Math.round(seconds * 1e3));
      return new Reads(recent.least(), recent.most());
    }

    @Override
    public Counted counted() {
      return sight.counted();
    }
  }

  /** Whether a rule of the book decides about a file, whatever it says. */
  static boolean decides(RuleBook book, KnownFile file, Sight sight) {
    return decides(
        book, new Facts(file.path(), file.bytes(), file.writtenMillis(), file.replicas(), sight));
  }

  /** The same for a file that was looked up. */
  static boolean decides(RuleBook book, String path, HdfsFileStatus status, Sight sight) {
    return decides(book, Facts.of(path, status, sight));
  }

  private static boolean decides(RuleBook book, Facts facts) {
    return book.entries().stream()
        .anyMatch(
            entry -> entry.paths().matches(facts.path()) && entry.rule().whyNot(facts).isEmpty());
  }

  /** The rules with the room that each asks for. */
  List<RuleRooms.Asked> asked() {
    List<RuleRooms.Asked> asked = new ArrayList<>();
    for (int i = 0; i < tallies.size(); i++) {
      Tally tally = tallies.get(i);
      asked.add(
          new RuleRooms.Asked(book.entries().get(i).rule(), tally.replicaBytes, tally.tierBytes));
    }
    return asked;
  }

  /**
   * Files that get other numbers of replicas.
   *
   * @param refused places of rules whose files stay
   */
  List<RoundPlan.Change> changes(Set<String> refused) {
    return changes.stream().filter(change -> !refused.contains(change.by())).toList();
  }

  /** Files that get a replica in a tier, likewise. */
  List<Moving> moves(Set<String> refused) {
    return moves.stream().filter(move -> !refused.contains(book.at(move.entry().rule()))).toList();
  }

  /** Files that go to the secondary store, by rule. */
  Map<RuleBook.Entry, List<String>> offloads() {
    return offloads;
  }

  /**
   * The outcome of each rule.
   *
   * @param refused why all of its files stay, by its place
   */
  List<RoundPlan.RuleOutcome> outcomes(Map<String, String> refused) {
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
              refused.get(book.at(rule)),
              tally.left.list()));
    }
    return outcomes;
  }
}
