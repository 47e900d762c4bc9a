package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Words;
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
import io.tierwise.policies.rules.RuleAnswer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.security.AccessControlException;

/**
 * Goes once through the files that rules are about, and asks each rule in turn; the first that is
 * for a file decides about it. Where that is not known of a rule, none below it decides.
 */
final class RulePass implements NamespaceWalk.Visitor {
  static final String UNREADABLE = "this user may not read it";

  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final RuleBook book;
  private final LastChanges lastChanges;
  private final QuotasAbove quotas;
  private final int usualReplicas;
  private final PolicyScopes scopes;
  private final RuleHits hits;
  private final JobNeeds jobs;
  private final WalkTurns turns = new WalkTurns(this::walk);
  private Sight sight;
  private long paths;

  /** Who knows what of files, beside the log. */
  record Sources(
      MoverCluster cluster,
      AutotierSettings settings,
      LastChanges lastChanges,
      QuotasAbove quotas) {}

  /** What is known of reads, and when: another one in each round. */
  record Sight(HeatReport heat, FileFacts.Counted counted, double nowSeconds) {}

  /**
   * @param usualReplicas that are nobody's choice
   * @param jobs whose files do not go to the secondary store
   */
  RulePass(Sources sources, RuleBook book, int usualReplicas, JobNeeds jobs) {
    this.cluster = sources.cluster();
    this.settings = sources.settings();
    this.lastChanges = sources.lastChanges();
    this.quotas = sources.quotas();
    this.book = book;
    this.usualReplicas = usualReplicas;
    this.jobs = jobs;
    scopes = new PolicyScopes(cluster.tiers());
    hits = new RuleHits(book, RuleHits.Bounds.USUAL);
  }

  /**
   * Goes on where it stopped. At the end, rules are asked again about the files that they want to
   * change: some were looked at in an earlier turn.
   *
   * @param pathsMax looked at now: a call of the NameNode each, and some for listings
   * @return whether all were looked at
   */
  boolean goOn(Sight now, long pathsMax, long nanosMax, WalkTurns.Pulse pulse) throws IOException {
    sight = now;
    boolean over = turns.turn(pathsMax, nanosMax, pulse);
    if (over) {
      hits.ask(now, jobs);
    }
    return over;
  }

  /** The files that rules want to change, when all were looked at. */
  RuleHits hits() {
    return hits;
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
      try {
        walk(root);
      } catch (AccessControlException e) {
        // A directory above it is refused: rules about other paths are obeyed all the same.
        unreadable(root, true);
      } catch (FileNotFoundException e) {
        // Nothing is there yet: the rule is for no file, and its outcome says so.
      }
    }
  }

  private void walk(String root) throws IOException {
    Path parent = new Path(root).getParent();
    List<Path> passedThrough = new ArrayList<>();
    scopes.begin(
        parent == null
            ? Optional.empty()
            : PathPolicy.placementAttribute(cluster.fs(), parent, passedThrough::add));
    try (NamespaceWalk walk = new NamespaceWalk(cluster.fs(), true, this)) {
      walk.walk(root);
    }
    // Where the walk was refused, that is told instead.
    passedThrough.forEach(directory -> hits.unknownPolicy(directory.toUri().getPath()));
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
    if (directory) {
      if (settings.mayCover(path)) {
        hits.unread(path);
      }
      return;
    }
    for (int i = 0; i < book.entries().size(); i++) {
      if (book.entries().get(i).paths().matches(path)) {
        hits.left(i, UNREADABLE, path);
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
    Seen file = Seen.of(path, status);
    Optional<String> above = Optional.empty();
    for (int i = 0; i < book.entries().size(); i++) {
      RuleBook.Entry entry = book.entries().get(i);
      if (!entry.paths().matches(path)) {
        continue;
      }
      hits.file(i);
      RuleAnswer answer = entry.rule().ask(file.by(sight));
      if (!answer.holds()) {
        hits.left(i, answer.why(), path);
        above = above.or(() -> mayBeForIt(answer));
        continue;
      }
      decidedBy(i, path);
      if (above.isPresent()) {
        hits.left(i, above.get(), path);
        return;
      }
      Optional<ReplicaMark> mark = lastChanges.of(status.getFileId(), attributes);
      Optional<String> left = leftAlone(entry.rule().action(), path, status, attributes, mark);
      if (left.isPresent()) {
        hits.left(i, left.get(), path);
      } else {
        boolean ours = mark.filter(last -> last.owns(status.getReplication())).isPresent();
        decide(i, file, status, ours || status.getReplication() == usualReplicas);
      }
      return;
    }
  }

  /** No rule below is asked about the file: one that never is, says why. */
  private void decidedBy(int rule, String path) {
    for (int below = rule + 1; below < book.entries().size(); below++) {
      if (hits.isUnasked(below) && book.entries().get(below).paths().matches(path)) {
        hits.decidedAbove(below);
      }
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
      return Optional.of(Claims.underPolicy(policy.get()));
    }
    if (action instanceof RuleAction.Sla wanted) {
      return notDue(wanted); // It comes first whatever was changed before.
    }
    return mark.filter(last -> lastChanges.isMade(last, status.getReplication()))
        .filter(last -> sight.nowSeconds() - last.seconds() < settings.holdSeconds())
        .map(last -> Claims.held(settings.holdWindows()));
  }

  private Optional<String> notDue(RuleAction.Sla wanted) {
    double around = settings.holdSeconds();
    String time = Words.duration(around);
    return book.isDue(wanted, sight.nowSeconds(), around)
        ? Optional.empty()
        : Optional.of(
            "it comes first from " + time + " before " + wanted.by() + " to " + time + " after it");
  }

  /**
   * @param ours whether the number of replicas is nobody's choice
   */
  private void decide(int rule, Seen file, HdfsFileStatus status, boolean ours) throws IOException {
    RuleAction action = book.entries().get(rule).rule().action();
    Optional<String> tier = tier(action);
    long missing =
        tier.map(name -> TierMoves.missingBytes(cluster, (HdfsLocatedFileStatus) status, name))
            .orElse(0L);
    boolean asWanted =
        action instanceof RuleAction.Replicas wanted
            ? file.replicas() == wanted.count()
            : action instanceof RuleAction.Secondary ? Placeholder.is(status) : missing == 0;
    Optional<String> refused =
        missing > 0
            ? quotas.refuse(file.path(), cluster.tiers().table().require(tier.get()))
            : Optional.empty();
    if (asWanted) {
      hits.asWanted(rule);
    } else if (refused.isPresent()) {
      hits.left(rule, refused.get(), file.path());
    } else {
      hits.add(new RuleHits.Hit(rule, file, status.getFileId(), ours, missing));
    }
  }

  /** The tier that an action wants a replica in; none where files come first and there is none. */
  private Optional<String> tier(RuleAction action) {
    if (action instanceof RuleAction.InTier wanted) {
      return Optional.of(wanted.tier());
    }
    return action instanceof RuleAction.Sla ? settings.fastTier() : Optional.empty();
  }

  /** A file as it was when it was looked at. */
  record Seen(String path, long bytes, long writtenMillis, int replicas) {
    static Seen of(KnownFile file) {
      return new Seen(file.path(), file.bytes(), file.writtenMillis(), file.replicas());
    }

    static Seen of(String path, HdfsFileStatus status) {
      return new Seen(path, status.getLen(), status.getModificationTime(), status.getReplication());
    }

    /** What rules ask about it. */
    FileFacts by(Sight sight) {
      return new Facts(this, sight);
    }
  }

  private record Facts(Seen file, Sight sight) implements FileFacts {
    @Override
    public long bytes() {
      return file.bytes();
    }

    @Override
    public int replicas() {
      return file.replicas();
    }

    @Override
    public double writtenSecondsAgo() {
      return sight.nowSeconds() - file.writtenMillis() / 1e3;
    }

    @Override
    public Reads reads(double seconds) {
      HeatReport.Recent recent = sight.heat().readsWithin(file.path(), Math.round(seconds * 1e3));
      return new Reads(recent.least(), recent.most());
    }

    @Override
    public Counted counted() {
      return sight.counted();
    }
  }

  /**
   * The rule that decides about a file: the first one that may be for it, when it is for certain.
   */
  static Optional<FileRule> ruleFor(RuleBook book, Seen file, Sight sight) {
    for (RuleBook.Entry entry : book.entries()) {
      RuleAnswer answer = ask(entry, file, sight);
      if (answer.mayHold()) {
        return answer.holds() ? Optional.of(entry.rule()) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /**
   * Why a rule no longer decides about a file: it is not for it, or one above is, or may be. Empty
   * when it does.
   */
  static Optional<String> whyNot(RuleBook book, int rule, Seen file, Sight sight) {
    for (RuleBook.Entry above : book.entries().subList(0, rule)) {
      RuleAnswer answer = ask(above, file, sight);
      if (answer.mayHold()) {
        return answer.holds()
            ? Optional.of("a rule above is for it now (" + book.at(above.rule()) + ")")
            : mayBeForIt(answer);
      }
    }
    RuleAnswer own = ask(book.entries().get(rule), file, sight);
    return own.holds() ? Optional.empty() : Optional.of(own.why());
  }

  /** Whether a rule is for a file for certain, whatever is known of those above it. */
  static boolean isForCertain(RuleBook.Entry entry, Seen file, Sight sight) {
    return ask(entry, file, sight).holds();
  }

  /** Whether a rule is for a file, as far as is known. */
  static boolean mayBeFor(RuleBook.Entry entry, Seen file, Sight sight) {
    return ask(entry, file, sight).mayHold();
  }

  private static RuleAnswer ask(RuleBook.Entry entry, Seen file, Sight sight) {
    return entry.paths().matches(file.path())
        ? entry.rule().ask(file.by(sight))
        : RuleAnswer.OTHER_PATH;
  }

  /** The reason why no rule below decides; empty when the rule is known to be for another file. */
  private static Optional<String> mayBeForIt(RuleAnswer answer) {
    return answer.mayHold()
        ? Optional.of("a rule above may be for it: " + answer.why())
        : Optional.empty();
  }
}
