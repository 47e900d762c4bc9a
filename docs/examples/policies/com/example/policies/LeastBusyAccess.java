package com.example.policies;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessProvider;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.text.PolicyProvider.Nothing;
import io.tierwise.policies.text.SpecReader;
import java.util.random.RandomGenerator;

/** Reads from the node that serves the fewest transfers; of equal ones the nearest. */
public record LeastBusyAccess() implements AccessStrategy {
  @Override
  public String name() {
    return "least-busy";
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    for (int replica = 0; replica < view.replicaCount(); replica++) {
      int at = replica;
      // Insertion keeps the host's order, nearest first, among equal ones.
      while (at > 0 && view.activeTransfers(order[at - 1]) > view.activeTransfers(replica)) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = replica;
    }
    return view.replicaCount() <= 1 ? AccessReason.ONLY_REPLICA : AccessReason.SOONEST;
  }

  /** Makes it from the text {@code least-busy}. */
  public static final class Provider implements AccessProvider {
    @Override
    public String name() {
      return "least-busy";
    }

    @Override
    public String usage() {
      return "least-busy";
    }

    @Override
    public String summary() {
      return "the node that serves the fewest transfers";
    }

    @Override
    public AccessStrategy make(SpecReader settings, Nothing nothing) {
      return new LeastBusyAccess();
    }
  }
}
