package io.tierwise.hadoop.autotier;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.secondary.SecondaryReport;
import io.tierwise.hadoop.secondary.SecondaryRun;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Files that go to the secondary store, or come back, in one run.
 *
 * @param by the rule's place, or the predictor
 * @param to where to and why, for the journal
 * @param fileIds of the files, by path
 * @param plan what the run would do
 */
public record StoreMove(
    @JsonIgnore SecondaryRun.Kind kind,
    String by,
    @JsonIgnore String to,
    @JsonIgnore Map<String, Long> fileIds,
    @JsonIgnore SecondaryReport plan) {
  /** How the journal calls runs of files that the decision engine finds unpopular. */
  private static final String UNPOPULAR = "secondary, unpopular by ";

  /** And those of files that it had sent there and that are read again. */
  private static final String READ_AGAIN = "hdfs, read again by ";

  public StoreMove {
    fileIds = Collections.unmodifiableMap(new LinkedHashMap<>(fileIds));
  }

  /** Files, by path, of which nobody knows yet what a run would do with them. */
  record Wish(SecondaryRun.Kind kind, String by, String to, Map<String, Long> fileIds) {
    /** Files that a rule sends. */
    static Wish ofRule(String at, Map<String, Long> fileIds) {
      return new Wish(SecondaryRun.Kind.OFFLOAD, at, "secondary by " + at, fileIds);
    }

    /** Files that nobody reads. */
    static Wish unpopular(String predictor, Map<String, Long> fileIds) {
      return new Wish(SecondaryRun.Kind.OFFLOAD, predictor, UNPOPULAR + predictor, fileIds);
    }

    /** Files that somebody reads there. */
    static Wish readAgain(String predictor, Map<String, Long> fileIds) {
      return new Wish(SecondaryRun.Kind.RECALL, predictor, READ_AGAIN + predictor, fileIds);
    }

    StoreMove with(SecondaryReport plan) {
      return new StoreMove(kind, by, to, fileIds, plan);
    }
  }

  /** Whether a run of the journal sent files that the decision engine found unpopular. */
  static boolean isOfUnpopular(String to) {
    return String.valueOf(to).startsWith(UNPOPULAR);
  }

  /** Whether a run of the journal brought such files back. */
  static boolean isOfReadAgain(String to) {
    return String.valueOf(to).startsWith(READ_AGAIN);
  }

  /** The files, in the order in which they are moved. */
  @JsonProperty
  public List<String> paths() {
    return List.copyOf(fileIds.keySet());
  }

  /** The store that they go to, or the first of those that they come from. */
  @JsonProperty
  public String store() {
    return plan.store();
  }

  /** How many would be moved; others stay, for reasons that the run tells. */
  @JsonProperty
  public long files() {
    return plan.files();
  }

  /** Bytes of these. */
  @JsonProperty
  public long bytes() {
    return plan.bytes();
  }

  /** For people. */
  String text() {
    return Words.count(files(), "file")
        + (kind == SecondaryRun.Kind.RECALL ? " back from " : " to ")
        + store()
        + ": "
        + Words.bytes(bytes())
        + " ("
        + by
        + ")";
  }
}
