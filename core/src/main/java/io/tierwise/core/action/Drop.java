package io.tierwise.core.action;

import io.tierwise.core.view.ClusterView;
import java.util.Objects;

/**
 * A replica of a block that has too many goes.
 *
 * @param volume that holds it
 */
public record Drop(String policy, String rule, int volume, Cost cost) implements Action {
  public Drop {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(cost, "cost");
  }

  /** The replica of {@code bytes} goes. */
  public static Drop of(String policy, String rule, int volume, long bytes) {
    return new Drop(policy, rule, volume, new Cost(0, 0, -bytes, 0, 0));
  }

  @Override
  public String what(ClusterView view) {
    return "drop " + view.volumeText(volume);
  }
}
