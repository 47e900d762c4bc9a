package io.tierwise.policies.scheduling;

import io.tierwise.policies.text.PolicyProvider;

/**
 * Makes a scheduling policy from its text. Found on the class path by {@code
 * META-INF/services/io.tierwise.policies.scheduling.SchedulingProvider}.
 */
public interface SchedulingProvider
    extends PolicyProvider<SchedulingPolicy, SchedulingProvider.Defaults> {
  /**
   * A host's values for settings that a text leaves out.
   *
   * @param patienceNanos how long a job waits for a slot near its data
   * @param secondAttempts of tasks that are late
   */
  record Defaults(long patienceNanos, SecondAttempts secondAttempts) {
    /** Those of a host that has none of its own. */
    public static final Defaults USUAL =
        new Defaults(DelayScheduling.PATIENCE_NANOS, SecondAttempts.NEVER);
  }
}
