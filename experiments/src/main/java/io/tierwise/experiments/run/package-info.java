/**
 * Cases of a scenario, each with several seeds, on several threads; what they will need, whether
 * their figures are worth anything, and where they are written.
 *
 * <p>Not here: the choice of cases, which is the caller's or {@link
 * io.tierwise.experiments.sweep}'s. Start reading at {@link io.tierwise.experiments.run.CaseRuns}.
 */
package io.tierwise.experiments.run;
