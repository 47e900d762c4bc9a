package io.tierwise.core.action;

import io.tierwise.core.view.ClusterView;
import java.util.Objects;

/**
 * A block gets a replica more.
 *
 * @param source the volume that is read
 * @param to the volume that gets one
 */
public record Copy(String policy, String rule, int source, int to, Cost cost) implements Action {
  public Copy {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(cost, "cost");
  }

  @Override
  public String what(ClusterView view) {
    return view.volumeText(source) + " => " + view.volumeText(to);
  }
}
