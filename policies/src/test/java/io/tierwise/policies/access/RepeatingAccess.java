package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Names one replica again and again, and so drops the others: for tests of hosts. */
public record RepeatingAccess() implements AccessStrategy {
  @Override
  public String name() {
    return "repeating";
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    Arrays.fill(order, 0);
    return AccessReason.NEAREST;
  }
}
