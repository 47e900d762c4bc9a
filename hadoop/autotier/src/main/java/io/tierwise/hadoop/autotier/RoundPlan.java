package io.tierwise.hadoop.autotier;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.tierwise.core.action.Cost;
import io.tierwise.core.action.SetReplicas;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.ReplicaMark;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The changes of a round before they are made.
 *
 * @param predictor its text
 * @param since when the window began that is decided by
 * @param until when it ends; later than now in a plan, which looks at a window that runs
 * @param files that are followed and may be changed
 * @param readFiles of them, that were read in the window
 * @param changes the most popular file's first
 * @param moves between tiers
 * @param offloads to the secondary store
 * @param recalls from there
 * @param shares of directories that follow the use of their files, whether they change or not
 * @param heard the time until now in which each read is known
 * @param rules what became of each
 * @param left what the decision engine asks for and is not done, by reason
 * @param jobs that wait, and what each would get; null where nothing is prefetched
 */
public record RoundPlan(
    String predictor,
    String since,
    String until,
    long files,
    long readFiles,
    List<Change> changes,
    List<TierMove> moves,
    List<StoreMove> offloads,
    List<StoreMove> recalls,
    List<ShareChoice> shares,
    Heard heard,
    List<RuleOutcome> rules,
    List<Left> left,
    List<JobPlan> jobs) {
  public RoundPlan {
    changes = List.copyOf(changes);
    moves = List.copyOf(moves);
    offloads = List.copyOf(offloads);
    recalls = List.copyOf(recalls);
    shares = List.copyOf(shares);
    rules = List.copyOf(rules);
    left = List.copyOf(left);
    jobs = jobs == null ? null : List.copyOf(jobs);
  }

  /** The same, beside what jobs that wait would get. */
  RoundPlan with(List<JobPlan> waiting) {
    return new RoundPlan(
        predictor, since, until, files, readFiles, changes, moves, offloads, recalls, shares, heard,
        rules, left, waiting);
  }

  /**
   * The time until now in which each read is known, so that few reads are known to be few.
   *
   * @param why it is no longer
   */
  public record Heard(double seconds, String why) {
    /** For people. */
    String text() {
      return "all reads are known for "
          + Words.duration(seconds)
          + " alone, for rules about few reads: "
          + Words.plain(why);
    }
  }

  /**
   * Files that get a replica in a tier, in one run of the mover.
   *
   * @param by the rule's place, or the predictor
   * @param layout that their blocks are moved to
   * @param fileIds of the files, by path
   * @param storagePolicies of HDFS that some of them get first, by path
   * @param savedSeconds that readers are expected to wait less; null for rules, and for files that
   *     make room
   * @param moves what the mover would do, and what it would leave
   */
  public record TierMove(
      String by,
      String tier,
      String layout,
      @JsonIgnore Map<String, Long> fileIds,
      @JsonIgnore Map<String, String> storagePolicies,
      Double savedSeconds,
      MoverReport moves) {
    public TierMove {
      fileIds = Collections.unmodifiableMap(new LinkedHashMap<>(fileIds));
      storagePolicies = Map.copyOf(storagePolicies);
    }

    /** The files, in the order in which they are moved. */
    @JsonProperty
    public List<String> paths() {
      return List.copyOf(fileIds.keySet());
    }

    /** For people. */
    String text() {
      return Words.count(fileIds.size(), "file")
          + " to "
          + tier
          + ": "
          + moves.text(true)
          + (storagePolicies.isEmpty()
              ? ""
              : "; storage policy "
                  + storagePolicies.values().stream().distinct().collect(joining(", "))
                  + " for "
                  + Words.count(storagePolicies.size(), "file"))
          + (savedSeconds == null ? "" : "; readers wait " + Words.duration(savedSeconds) + " less")
          + " ("
          + by
          + ")";
    }
  }

  /**
   * The outcome of a rule.
   *
   * @param files that match its path and that no rule before it decided about
   * @param fired of them, that are changed or moved
   * @param asWanted of them, that are already as it wants
   * @param refused why nothing of it is done; null when it is
   * @param left why it did not fire for the others
   */
  public record RuleOutcome(
      int line,
      String rule,
      long files,
      long fired,
      long asWanted,
      String refused,
      List<Left> left) {
    public RuleOutcome {
      left = List.copyOf(left);
    }

    /** For people. */
    private List<String> lines() {
      List<String> lines = new ArrayList<>();
      lines.add(
          "rule "
              + line
              + ": "
              + Words.plain(rule)
              + ": fires for "
              + Words.count(fired, "file")
              + " of "
              + files
              + (asWanted == 0 ? "" : ", " + asWanted + " are as it wants"));
      left.forEach(one -> lines.add("- not: " + one.text()));
      return lines;
    }
  }

  /**
   * A file that gets another number of replicas.
   *
   * @param ours whether the number that it has is nobody's choice
   * @param savedSeconds of readers that are expected while the change is held; null when nobody
   *     measured the devices, and for fewer replicas
   * @param costSeconds of devices that do nothing else; likewise
   * @param by the predictor, or the rule's place
   */
  public record Change(
      @JsonIgnore int number,
      @JsonIgnore boolean ours,
      String path,
      long fileId,
      long bytes,
      int before,
      int after,
      Double savedSeconds,
      Double costSeconds,
      String by,
      String reason) {
    /** Bytes of replicas that come, or below 0 that go. */
    long storedBytes() {
      return bytes * (after - before);
    }

    /** The mark that the file gets. */
    ReplicaMark mark(long millis) {
      return new ReplicaMark(fileId, ours ? before : 0, after, millis, false);
    }

    /** The mark instead, where HDFS refused the number: no daemon has changed the file. */
    ReplicaMark unmade() {
      int kept = ours ? before : 0;
      return new ReplicaMark(fileId, kept, kept, 0, false);
    }

    SetReplicas asked() {
      long coming = Math.max(0, storedBytes());
      Cost cost =
          costSeconds == null
              ? Cost.ofBytes(coming, coming, storedBytes())
              : new Cost(coming, coming, storedBytes(), costSeconds, Double.NaN);
      return new SetReplicas(by, reason, after, cost);
    }

    /** For people. */
    String text() {
      return Words.plain(path)
          + ": "
          + before
          + " -> "
          + Words.count(after, "replica")
          + " ("
          + Words.bytes(Math.abs(storedBytes()))
          + (storedBytes() < 0 ? " go" : " come")
          + (costSeconds == null ? "" : ", " + Words.duration(costSeconds) + " of devices")
          + (savedSeconds == null ? "" : ", readers wait " + Words.duration(savedSeconds) + " less")
          + "): "
          + reason;
    }
  }

  /** Files that stay as they are, and why; one of their paths. A reason may be of no file. */
  public record Left(String reason, long files, String example) {
    /** For people. */
    public String text() {
      if (files == 0) {
        return Words.plain(reason);
      }
      return Words.count(files, "file")
          + ": "
          + Words.plain(reason)
          + "; for example "
          + Words.plain(example);
    }
  }

  /** Rules of which nothing is done. */
  List<Left> refused() {
    return rules.stream()
        .filter(rule -> rule.refused() != null)
        .map(rule -> new Left(rule.refused(), 0, rule.rule()))
        .toList();
  }

  /** Whether each rule could be looked at as a whole; files that stay as they are do not count. */
  @JsonIgnore
  public boolean isWhole() {
    return refused().isEmpty() && left.stream().noneMatch(one -> one.files() == 0);
  }

  /** Bytes of replicas that come. */
  @JsonProperty
  public long comingBytes() {
    return changes.stream().mapToLong(change -> Math.max(0, change.storedBytes())).sum();
  }

  /** Bytes of replicas that go. */
  @JsonProperty
  public long goingBytes() {
    return changes.stream().mapToLong(change -> Math.max(0, -change.storedBytes())).sum();
  }

  /** For people. */
  public List<String> lines(boolean explain) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "would change "
            + Words.count(changes.size(), "file")
            + ": "
            + Words.bytes(comingBytes())
            + " come, "
            + Words.bytes(goingBytes())
            + " go ("
            + predictor
            + " follows "
            + Words.count(files, "file")
            + ", "
            + readFiles
            + " of them read since "
            + since
            + ")");
    changes.forEach(change -> lines.add("- " + change.text()));
    moves.forEach(move -> lines.add("- " + move.text()));
    recalls.forEach(recall -> lines.add("- " + recall.text()));
    offloads.forEach(offload -> lines.add("- " + offload.text()));
    shares.forEach(share -> lines.add("- share of " + share.text()));
    if (jobs != null) {
      jobs.forEach(job -> job.lines().forEach(line -> lines.add("- " + line)));
    }
    refused().forEach(one -> lines.add("- refused: " + one.text()));
    if (explain) {
      lines.add(heard.text());
      rules.forEach(rule -> lines.addAll(rule.lines()));
      left.forEach(one -> lines.add("- stays: " + one.text()));
    } else if (!left.isEmpty() || !rules.isEmpty()) {
      left.stream()
          .filter(one -> one.files() == 0)
          .forEach(one -> lines.add("- left: " + one.text()));
      long stay = left.stream().mapToLong(Left::files).sum();
      lines.add(
          Words.count(stay, "file")
              + " would stay as they are though another number is wanted (--explain says why, and"
              + " what became of rules)");
    }
    return lines;
  }
}
