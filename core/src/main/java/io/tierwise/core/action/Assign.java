package io.tierwise.core.action;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.Nearness;
import java.util.Locale;
import java.util.Objects;

/** The answer to the offer of a free slot: a task takes it, or it stays free. */
public sealed interface Assign extends Action {
  @Override
  default String kind() {
    return "assign";
  }

  /** One line for people, with the job's name. */
  String describe(WorkView work);

  /**
   * A task takes the slot.
   *
   * @param job whose task
   * @param nearness which of the job's waiting tasks: any of those that stand so to the node
   * @param score by which the job came first among those that waited; less is sooner
   * @param temporaryTier the tier that its intermediate data should go to where the node has one,
   *     or {@link TierTable#NONE} for the host's own choice
   */
  record Given(
      String policy, String rule, int job, Nearness nearness, double score, int temporaryTier)
      implements Assign {
    public Given {
      Objects.requireNonNull(policy, "policy");
      Objects.requireNonNull(rule, "rule");
      Objects.requireNonNull(nearness, "nearness");
    }

    /** A task whose intermediate data goes where the host puts it. */
    public Given(String policy, String rule, int job, Nearness nearness, double score) {
      this(policy, rule, job, nearness, score, TierTable.NONE);
    }

    /** The same task with its intermediate data in a tier. */
    public Given withTemporaryTier(int tier) {
      return new Given(policy, rule, job, nearness, score, tier);
    }

    @Override
    public String what(ClusterView view) {
      return "a task of job " + job + ", " + nearness.text() + temporary(view);
    }

    @Override
    public String describe(WorkView work) {
      return String.format(
          Locale.ROOT,
          "%s: a task of %s (score %.4g): %s; %s%s",
          policy,
          work.job(job).name(),
          score,
          rule,
          nearness.text(),
          temporary(work.cluster()));
    }

    private String temporary(ClusterView view) {
      return temporaryTier == TierTable.NONE
          ? ""
          : ", intermediate data in " + view.tiers().tier(temporaryTier).name();
    }
  }

  /**
   * The slot stays free.
   *
   * @param again when the host should offer it again
   * @param atNanos for {@link Again#AT}: when, on the host's clock
   */
  record Refused(String policy, String rule, Again again, long atNanos) implements Assign {
    public Refused {
      Objects.requireNonNull(policy, "policy");
      Objects.requireNonNull(rule, "rule");
      Objects.requireNonNull(again, "again");
    }

    /** A refusal without a moment of its own. */
    public Refused(String policy, String rule, Again again) {
      this(policy, rule, again, 0);
    }

    @Override
    public String what(ClusterView view) {
      return "the slot stays free";
    }

    @Override
    public String describe(WorkView work) {
      return describe(work.cluster());
    }
  }

  /** When a slot that was refused is worth another offer. */
  enum Again {
    /**
     * Whenever the host offers it anyway: to a job that arrives, to one whose patience ends, and
     * when a task on the same node ends.
     */
    AS_EVER,

    /** Also after any other change: a task ended or began anywhere, a job came or went. */
    AFTER_ANY_CHANGE,

    /** At a moment. */
    AT
  }
}
