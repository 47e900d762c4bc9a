package io.tierwise.core.action;

import io.tierwise.core.view.ClusterView;
import java.util.Objects;

/**
 * Data gets a replica in a tier before it is read; which volumes get one is the host's matter. Not
 * to be mixed up with a job's {@linkplain io.tierwise.core.work.Stage stage}.
 *
 * @param data a file's path, or any name that its host knows it by
 * @param tier index of the tier
 * @param score seconds that its readers gain; NaN where nobody predicted them
 */
public record Stage(String policy, String rule, String data, int tier, double score, Cost cost)
    implements Action {
  public Stage {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(data, "data");
    Objects.requireNonNull(cost, "cost");
  }

  @Override
  public String what(ClusterView view) {
    return data + " => " + view.tiers().tier(tier).name();
  }
}
