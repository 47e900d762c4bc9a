package io.tierwise.hadoop.mover.journal;

import io.tierwise.core.message.Words;
import java.util.Locale;

/**
 * A step of a run for those who look at it; what a kind of step has not is null.
 *
 * @param kind move, policy, access, replicas, store or storage-policy
 * @param id the run's id and the number of the line
 */
public record StepView(
    String kind,
    String id,
    String run,
    String time,
    String ended,
    String path,
    long fileId,
    Integer block,
    Long blockId,
    Long bytes,
    JournalEntry.Place from,
    String source,
    JournalEntry.Place to,
    String policy,
    String rule,
    Long costNetworkBytes,
    Double costSeconds,
    String before,
    String after,
    Outcome result,
    String reason) {
  /** How a run or a step ended. */
  public enum Outcome {
    /** As it was meant. */
    DONE,
    /** Not made, or a run of which something was not. */
    FAILED,
    /** Nobody wrote down how. */
    OPEN
  }

  /** A step of the run with that id. */
  public static StepView of(String run, PastRun.Step step) {
    String id = run + "." + step.number();
    JournalEntry.Result result = step.result();
    Outcome outcome =
        result == null ? Outcome.OPEN : result.reason() == null ? Outcome.DONE : Outcome.FAILED;
    String time = step.time().toString();
    String ended = step.ended() == null ? null : step.ended().toString();
    String reason = result == null ? null : result.reason();
    if (step.entry() instanceof JournalEntry.Moving move) {
      return new StepView(
          "move",
          id,
          run,
          time,
          ended,
          move.file(),
          move.fileId(),
          move.block(),
          move.blockId(),
          move.bytes(),
          move.from(),
          move.source(),
          move.to(),
          move.policy(),
          move.rule(),
          move.costNetworkBytes(),
          move.costSeconds(),
          null,
          null,
          outcome,
          reason);
    }
    if (step.entry() instanceof JournalEntry.Store stored) {
      return new StepView(
          "store",
          id,
          run,
          time,
          ended,
          stored.file(),
          stored.fileId(),
          null,
          null,
          stored.bytes(),
          null,
          null,
          null,
          null,
          "store " + stored.store(),
          null,
          null,
          stored.before(),
          stored.after(),
          outcome,
          reason);
    }
    Change change = Change.of(step.entry());
    return new StepView(
        change.kind(),
        id,
        run,
        time,
        ended,
        change.path(),
        change.fileId(),
        null,
        null,
        null,
        null,
        null,
        null,
        change.policy(),
        change.rule(),
        null,
        null,
        change.before(),
        change.after(),
        outcome,
        reason);
  }

  /** A change of what is wanted of a path. */
  private record Change(
      String kind,
      String path,
      long fileId,
      String policy,
      String rule,
      String before,
      String after) {
    static Change of(JournalEntry entry) {
      if (entry instanceof JournalEntry.Policy set) {
        return new Change(
            "policy", set.path(), set.fileId(), null, null, set.before(), set.after());
      }
      if (entry instanceof JournalEntry.Access set) {
        return new Change(
            "access", set.path(), set.fileId(), null, null, set.before(), set.after());
      }
      if (entry instanceof JournalEntry.StoragePolicy set) {
        return new Change(
            "storage-policy", set.file(), set.fileId(), null, null, set.before(), set.after());
      }
      JournalEntry.Replicas number = (JournalEntry.Replicas) entry;
      return new Change(
          "replicas",
          number.file(),
          number.fileId(),
          number.policy(),
          number.rule(),
          Integer.toString(number.before()),
          Integer.toString(number.after()));
    }
  }

  /** Whether it is about the path or something below it; about any for null. */
  public boolean isAt(String where) {
    return where == null
        || path.equals(where)
        || path.startsWith(where.endsWith("/") ? where : where + "/");
  }

  /** Whether its policy or its rule has the text. */
  public boolean has(String text) {
    return text == null
        || (policy != null && policy.contains(text))
        || (rule != null && rule.contains(text));
  }

  /** For people. */
  public String text() {
    String what =
        switch (kind) {
          case "move" ->
              " block "
                  + block
                  + " ("
                  + Words.bytes(bytes)
                  + "): "
                  + from.text()
                  + " -> "
                  + to.text()
                  + ", "
                  + rule;
          case "store" -> " (" + Words.bytes(bytes) + "): " + before + " -> " + after + ", " + rule;
          case "policy" -> ": policy " + words(before) + " -> " + words(after);
          case "access" -> ": access strategy " + words(before) + " -> " + words(after);
          case "storage-policy" -> ": storage policy " + before + " -> " + after;
          default -> ": replicas " + before + " -> " + after + (rule == null ? "" : ", " + rule);
        };
    return id
        + " "
        + Words.plain(path)
        + what
        + ": "
        + result.name().toLowerCase(Locale.ROOT)
        + (reason == null ? "" : ", " + reason);
  }

  private static String words(String specification) {
    return specification == null ? "none" : Words.plain(specification);
  }
}
