package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Words;
import io.tierwise.policies.rules.FileRule;
import io.tierwise.policies.rules.RuleAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The files that rules want to change, while all files are looked at, and what became of the
 * others. Memory grows with the former, up to a bound, and not with the latter.
 */
final class RuleHits {
  static final String OTHERS_FIRST = "other files of rules come first";
  static final String NEEDED = "a job that waits or runs reads it, or may";
  static final String NO_FILE = "no file matches its path";
  static final String DECIDED_ABOVE = "rules above decide about all files of its path";
  static final String UNREAD = "this user may not read all directories that it is about";

  private final RuleBook book;
  private final Bounds bounds;
  private final List<Tally> tallies = new ArrayList<>();
  private final List<Hit> hits = new ArrayList<>();
  private int changes;
  private int moves;
  private int offloads;
  private long unread;
  private String unreadExample;
  private final Set<String> unknownPolicies = new TreeSet<>();

  /** The most files that get other replicas, a replica in a tier, or a place in the store. */
  record Bounds(int changes, int moves, int offloads) {
    /**
     * Own: so many changes take some 30 MB until they are made; more moves than that would make a
     * plan that nobody reads. Other files come when all are looked at the next time.
     */
    static final Bounds USUAL = new Bounds(100_000, 1_000, 1_000);
  }

  /**
   * A file that a rule wants to change, as it was when it was looked at.
   *
   * @param rule its place in the book
   * @param ours whether the number of replicas is nobody's choice
   * @param missingBytes of blocks without a replica in the rule's tier
   */
  record Hit(int rule, RulePass.Seen file, long fileId, boolean ours, long missingBytes) {}

  /** The outcome of a rule. */
  private static final class Tally {
    private final String at;
    private final String reason;
    private final LeftFiles left = new LeftFiles();
    private boolean decidedAbove;
    private long files;
    private long fired;
    private long asWanted;
    private long replicaBytes;
    private long tierBytes;

    Tally(String at, FileRule rule) {
      this.at = at;
      this.reason = at + ": " + rule.text();
    }

    void add(RuleAction action, Hit hit, int sign) {
      fired += sign;
      tierBytes += sign * hit.missingBytes();
      replicaBytes += sign * replicaBytes(action, hit);
    }

    /** It waits for another round: what it would free is not free, and what it takes is asked. */
    void waits(RuleAction action, Hit hit) {
      fired--;
      replicaBytes -= Math.min(0, replicaBytes(action, hit));
      left.add(OTHERS_FIRST, hit.file().path());
    }

    private static long replicaBytes(RuleAction action, Hit hit) {
      return action instanceof RuleAction.Replicas wanted
          ? hit.file().bytes() * (wanted.count() - hit.file().replicas())
          : 0;
    }
  }

  RuleHits(RuleBook book, Bounds bounds) {
    this.book = book;
    this.bounds = bounds;
    book.entries().forEach(entry -> tallies.add(new Tally(book.at(entry.rule()), entry.rule())));
  }

  private RuleAction action(int rule) {
    return book.entries().get(rule).rule().action();
  }

  /** A file that no rule before has decided about. */
  void file(int rule) {
    tallies.get(rule).files++;
  }

  /** Whether it was asked about no file, and nobody knows why. */
  boolean isUnasked(int rule) {
    Tally tally = tallies.get(rule);
    return tally.files == 0 && !tally.decidedAbove;
  }

  /** A rule above decided about a file whose path this one matches, too. */
  void decidedAbove(int rule) {
    tallies.get(rule).decidedAbove = true;
  }

  /** The file stays, for that reason. */
  void left(int rule, String why, String path) {
    tallies.get(rule).left.add(why, path);
  }

  /** A directory of which nothing could be seen: no rule is known to be for no file there. */
  void unread(String directory) {
    boolean meant = false;
    for (int i = 0; i < tallies.size(); i++) {
      if (book.entries().get(i).paths().mayMatchAtOrBelow(directory)) {
        tallies.get(i).left.note(UNREAD, directory);
        meant = true;
      }
    }
    if (meant && unread++ == 0) {
      unreadExample = directory;
    }
  }

  /**
   * A directory above those of rules that this user may pass through and not read, so that nobody
   * tells him whether it has a policy.
   */
  void unknownPolicy(String directory) {
    unknownPolicies.add(directory);
  }

  /** Lines for people about directories that could not be read. */
  List<String> unreadLines() {
    List<String> lines = new ArrayList<>();
    if (unread > 0) {
      lines.add(
          "this user may not read "
              + Words.count(unread, "directory")
              + " that rules are about, for example "
              + unreadExample
              + ": nothing is changed there");
    }
    for (String directory : unknownPolicies) {
      lines.add(
          "this user may pass through "
              + directory
              + " and not read it: rules below it take it for a directory without a policy");
    }
    return lines;
  }

  /** The file is as the rule wants it. */
  void asWanted(int rule) {
    tallies.get(rule).asWanted++;
  }

  /** The rule wants to change the file. */
  void add(Hit hit) {
    Tally tally = tallies.get(hit.rule());
    RuleAction action = action(hit.rule());
    tally.add(action, hit, 1);
    if (isRoomFor(action)) {
      hits.add(hit);
    } else {
      tally.waits(action, hit);
    }
  }

  private boolean isRoomFor(RuleAction action) {
    if (action instanceof RuleAction.Replicas) {
      return ++changes <= bounds.changes();
    }
    return action instanceof RuleAction.Secondary
        ? ++offloads <= bounds.offloads()
        : ++moves <= bounds.moves();
  }

  /** Asks the rules again: some of the files were looked at hours ago, and read since. */
  void ask(RulePass.Sight now, JobNeeds jobs) {
    hits.removeIf(
        hit -> {
          FileRule rule = book.entries().get(hit.rule()).rule();
          Optional<String> why = RulePass.whyNot(book, hit.rule(), hit.file(), now);
          if (rule.action() instanceof RuleAction.Secondary && jobs.needs(hit.fileId())) {
            why = Optional.of(NEEDED);
          }
          why.ifPresent(
              reason -> {
                tallies.get(hit.rule()).add(rule.action(), hit, -1);
                left(hit.rule(), reason, hit.file().path());
              });
          return why.isPresent();
        });
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
    List<RoundPlan.Change> all = new ArrayList<>();
    for (Hit hit : hits) {
      Tally tally = tallies.get(hit.rule());
      if (action(hit.rule()) instanceof RuleAction.Replicas wanted && !refused.contains(tally.at)) {
        all.add(
            new RoundPlan.Change(
                -1,
                hit.ours(),
                hit.file().path(),
                hit.fileId(),
                hit.file().bytes(),
                hit.file().replicas(),
                wanted.count(),
                null,
                null,
                tally.at,
                tally.reason));
      }
    }
    return all;
  }

  /** Files that get a replica in a tier, likewise. */
  List<TierMoves.Moving> moves(Set<String> refused) {
    List<TierMoves.Moving> all = new ArrayList<>();
    for (Hit hit : hits) {
      RuleBook.Entry entry = book.entries().get(hit.rule());
      if (entry.rule().action() instanceof RuleAction.InTier wanted
          && !refused.contains(tallies.get(hit.rule()).at)) {
        RulePass.Seen file = hit.file();
        all.add(
            new TierMoves.Moving(entry, wanted.tier(), file.path(), hit.fileId(), file.replicas()));
      }
    }
    return all;
  }

  /** Files that come first, and are not or not all in the fast tier. */
  List<FastTier.First> first() {
    List<FastTier.First> all = new ArrayList<>();
    for (Hit hit : hits) {
      if (action(hit.rule()) instanceof RuleAction.Sla) {
        RulePass.Seen file = hit.file();
        all.add(
            new FastTier.First(
                tallies.get(hit.rule()).at,
                file.path(),
                hit.fileId(),
                file.bytes(),
                hit.missingBytes(),
                file.replicas()));
      }
    }
    return all;
  }

  /** Files that go to the secondary store, by rule. */
  List<StoreMove.Wish> offloads() {
    Map<String, Map<String, Long>> all = new LinkedHashMap<>();
    for (Hit hit : hits) {
      if (action(hit.rule()) instanceof RuleAction.Secondary) {
        all.computeIfAbsent(tallies.get(hit.rule()).at, rule -> new LinkedHashMap<>())
            .put(hit.file().path(), hit.fileId());
      }
    }
    List<StoreMove.Wish> wishes = new ArrayList<>();
    all.forEach((at, files) -> wishes.add(StoreMove.Wish.ofRule(at, files)));
    return wishes;
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
        tally.left.note(tally.decidedAbove ? DECIDED_ABOVE : NO_FILE, rule.pattern());
      }
      outcomes.add(
          new RoundPlan.RuleOutcome(
              rule.line(),
              rule.text(),
              tally.files,
              tally.fired,
              tally.asWanted,
              refused.get(tally.at),
              tally.left.list()));
    }
    return outcomes;
  }
}
