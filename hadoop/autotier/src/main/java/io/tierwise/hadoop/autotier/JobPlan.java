package io.tierwise.hadoop.autotier;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.tierwise.core.action.Stage;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.autotier.jobs.SubmittedJob;
import io.tierwise.policies.movement.StorageConfiguration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a job that waits gets of the fast tier.
 *
 * @param application its id on YARN
 * @param job its name
 * @param configuration null when nobody could decide
 * @param intermediateTier where its intermediate data goes; null when nobody decided
 * @param inputBytes that it will read, of files that may be moved
 * @param comingBytes of them, that have no replica in the fast tier
 * @param intermediateBytes that were predicted
 * @param waitSeconds that it is expected to wait
 * @param gainSeconds that it is expected to gain
 * @param reason why it gets no more; null when it gets all
 * @param leaving files that make room for it, and such as an earlier run left half done
 * @param coming its input, when that is prefetched
 * @param actions what was asked for
 */
public record JobPlan(
    String application,
    String user,
    String job,
    StorageConfiguration configuration,
    String intermediateTier,
    long inputBytes,
    long comingBytes,
    long intermediateBytes,
    double waitSeconds,
    double gainSeconds,
    String reason,
    List<RoundPlan.TierMove> leaving,
    List<RoundPlan.TierMove> coming,
    @JsonIgnore List<Stage> actions) {
  public JobPlan {
    reason = reason == null || reason.isEmpty() ? null : reason;
    leaving = List.copyOf(leaving);
    coming = List.copyOf(coming);
    actions = List.copyOf(actions);
  }

  /** A job that gets nothing. */
  static JobPlan nothing(String application, String user, String job, String reason) {
    return new JobPlan(
        application, user, job, null, null, 0, 0, 0, 0, 0, reason, List.of(), List.of(), List.of());
  }

  /** One that has waited for so long that it holds no room any more. */
  static JobPlan overdue(SubmittedJob job) {
    return nothing(
        job.application(),
        job.user(),
        job.name(),
        "it has waited for longer than --prefetch-wait, and holds no room until it runs");
  }

  /** Seconds that devices work for the prefetch; null when there is none. */
  @JsonProperty
  public Double costSeconds() {
    return actions.isEmpty() ? null : actions.get(0).cost().seconds();
  }

  /** Bytes that are prefetched. */
  @JsonProperty
  public long prefetchedBytes() {
    return coming.stream().mapToLong(move -> move.moves().moved().bytes()).sum();
  }

  /** For people. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "job "
            + Words.plain(job)
            + " ("
            + application
            + " of "
            + Words.plain(user)
            + "): "
            + (configuration == null ? "stays as it is: " + Words.plain(reason) : decided()));
    leaving.forEach(
        move ->
            lines.add(
                (move.moves().moved().replicas() == 0 ? "mends: " : "makes room: ") + move.text()));
    coming.forEach(move -> lines.add("prefetches: " + move.text()));
    return lines;
  }

  private String decided() {
    return Words.bytes(prefetchedBytes())
        + " of "
        + Words.bytes(inputBytes)
        + " are prefetched"
        + (costSeconds() == null ? "" : " for " + Words.duration(costSeconds()) + " of devices")
        + (intermediateTier == null
            ? ""
            : ", " + Words.bytes(intermediateBytes) + " between phases go to " + intermediateTier)
        + "; it waits "
        + Words.duration(waitSeconds)
        + " and gains "
        + Words.duration(gainSeconds)
        + (reason == null ? "" : "; no more: " + Words.plain(reason));
  }
}
