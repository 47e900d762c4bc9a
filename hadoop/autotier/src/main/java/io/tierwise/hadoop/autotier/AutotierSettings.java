package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.policies.movement.DecisionEngine;
import io.tierwise.policies.movement.PopularityDecisions;
import io.tierwise.policies.popularity.PopularityPredictors;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The bounds of the daemon's decisions.
 *
 * @param predictor a specification
 * @param windowMillis the time between two decisions, the papers' reference time RT
 * @param extraPercent that additional replicas may take of the bytes that all files have with the
 *     usual number
 * @param holdWindows for which a change is kept, and a lower demand has to last
 * @param replicasMax that a file gets; 0 for as many as there are nodes
 * @param below directories whose files may be changed; empty for all that the user may change
 * @param filesMax that are followed one by one
 * @param rules a file of them
 * @param callsMax of the NameNode in a round, with which files of rules are looked at
 * @param fastTier in which popular files get a replica
 * @param prefetching for jobs that wait, into the fast tier
 * @param moving bounds of moves between tiers
 * @param shares directories whose share of a zone follows the use of their files
 * @param sureOnly whether popular files come to the fast tier only where it is sure that this pays,
 *     and not already where it pays on the average
 * @param unreadFor the time after which unpopular files that nobody has read or written go to the
 *     secondary store; empty where none do
 */
public record AutotierSettings(
    String predictor,
    long windowMillis,
    double extraPercent,
    int holdWindows,
    int replicasMax,
    List<String> below,
    int filesMax,
    Optional<Path> rules,
    int callsMax,
    Optional<String> fastTier,
    Optional<Prefetching> prefetching,
    MoverSettings moving,
    List<String> shares,
    boolean sureOnly,
    Optional<Duration> unreadFor) {
  /** Own: more than a year of hours; what is learned takes room for each window of it. */
  private static final int HOLD_WINDOWS_MAX = 10_000;

  /**
   * Own: a NameNode answers some 10,000 of these calls a second; what a round needs of it is over
   * in well under a minute.
   */
  public static final int CALLS_MAX = 100_000;

  /** Below it HDFS gives files further names. */
  private static final String RESERVED = "/.reserved/";

  private static final String IN_SNAPSHOT = "/.snapshot/";

  /** With nothing but what every daemon has: without rules, moves between tiers and a store. */
  public AutotierSettings(
      String predictor,
      long windowMillis,
      double extraPercent,
      int holdWindows,
      int replicasMax,
      List<String> below,
      int filesMax) {
    this(
        predictor,
        windowMillis,
        extraPercent,
        holdWindows,
        replicasMax,
        below,
        filesMax,
        Optional.empty(),
        CALLS_MAX,
        Optional.empty(),
        Optional.empty(),
        MoverSettings.DEFAULT,
        List.of(),
        false,
        Optional.empty());
  }

  /** For more parts, each by its name. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Gives settings more parts. */
  public static final class Builder {
    private final AutotierSettings base;
    private Optional<Path> rules;
    private int callsMax;
    private Optional<String> fastTier;
    private Optional<Prefetching> prefetching;
    private MoverSettings moving;
    private List<String> shares;
    private Optional<Duration> unreadFor;

    private Builder(AutotierSettings base) {
      this.base = base;
      rules = base.rules;
      callsMax = base.callsMax;
      fastTier = base.fastTier;
      prefetching = base.prefetching;
      moving = base.moving;
      shares = base.shares;
      unreadFor = base.unreadFor;
    }

    public Builder rules(Path file) {
      rules = Optional.of(file);
      return this;
    }

    public Builder callsMax(int calls) {
      callsMax = calls;
      return this;
    }

    public Builder fastTier(String tier) {
      fastTier = Optional.of(tier);
      return this;
    }

    public Builder prefetching(Prefetching forJobs) {
      prefetching = Optional.of(forJobs);
      return this;
    }

    public Builder moving(MoverSettings bounds) {
      moving = bounds;
      return this;
    }

    public Builder shares(String... directories) {
      shares = List.of(directories);
      return this;
    }

    public Builder unreadFor(Duration time) {
      unreadFor = Optional.of(time);
      return this;
    }

    /** Checked as a whole. */
    public AutotierSettings build() {
      return new AutotierSettings(
          base.predictor,
          base.windowMillis,
          base.extraPercent,
          base.holdWindows,
          base.replicasMax,
          base.below,
          base.filesMax,
          rules,
          callsMax,
          fastTier,
          prefetching,
          moving,
          shares,
          base.sureOnly,
          unreadFor);
    }
  }

  public AutotierSettings {
    OperatorException.requireAtLeast(1, "--hold", holdWindows);
    if (holdWindows > HOLD_WINDOWS_MAX) {
      throw OperatorException.badInput(
          "--hold " + holdWindows + " is too much: give " + HOLD_WINDOWS_MAX + " or less");
    }
    OperatorException.requireAtLeast(1, "--calls", callsMax);
    OperatorException.requireAtLeast(0, "--replicas-max", replicasMax);
    if (!(extraPercent >= 0)) {
      throw OperatorException.badInput(
          "--extra " + extraPercent + " is no percentage: give 0 or more");
    }
    if (prefetching.isPresent() && fastTier.isEmpty()) {
      throw OperatorException.badInput(
          "--prefetch needs a tier to bring input to: name it with --fast-tier");
    }
    if (unreadFor.filter(time -> time.toMillis() < holdWindows * windowMillis).isPresent()) {
      throw OperatorException.badInput(
          "--secondary "
              + text(unreadFor.get())
              + " is shorter than --hold "
              + Words.count(holdWindows, "window")
              + ", for which files are kept in any case: give at least "
              + Words.duration(holdWindows * windowMillis / 1e3));
    }
    below = below.stream().map(path -> directory("--below", path)).toList();
    shares = shares.stream().map(path -> directory("--share", path)).distinct().toList();
  }

  /** The time of {@code --secondary} as people give it, where that is whole days. */
  static String text(Duration time) {
    return time.equals(Duration.ofDays(time.toDays()))
        ? time.toDays() + " d"
        : Words.duration(time.toMillis() / 1e3);
  }

  private static String directory(String option, String path) {
    if (!path.startsWith("/")) {
      throw OperatorException.badInput(
          option
              + " "
              + path
              + " is no absolute path: give one as the log has them, such as /data");
    }
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /** The classes that decide: those that decide in the simulator. */
  PopularityDecisions decisions() {
    try {
      return new PopularityDecisions(
          PopularityPredictors.parse(predictor),
          new DecisionEngine(unreadFor.isPresent(), extraPercent / 100));
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput("--predictor: " + e.getMessage());
    }
  }

  /** The time for which a change is kept. */
  double holdSeconds() {
    return holdWindows * windowMillis / 1e3;
  }

  /** The directories, for the journal. */
  List<String> paths() {
    return below.isEmpty() ? List.of("/") : below;
  }

  /** Whether the file may be changed, as far as these settings say. */
  boolean covers(String path) {
    // Logs tell such names of files that were read by their number, as our own offload does, and in
    // a snapshot. There a file has the id of the one that stands outside, and its own older number
    // of replicas.
    if (path.startsWith(RESERVED) || path.contains(IN_SNAPSHOT)) {
      return false;
    }
    return below.isEmpty()
        || below.stream()
            .anyMatch(each -> each.equals("/") || path.equals(each) || path.startsWith(each + "/"));
  }

  /** Whether it or anything below it may be covered. */
  boolean mayCover(String directory) {
    String within = directory.equals("/") ? "/" : directory + "/";
    return covers(directory) || below.stream().anyMatch(each -> each.startsWith(within));
  }
}
