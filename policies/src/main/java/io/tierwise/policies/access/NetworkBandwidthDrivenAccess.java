package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.text.SpecWriter;
import java.util.random.RandomGenerator;

/**
 * The fastest replica's node first; when its network is saturated it refuses, and the local replica
 * follows whatever its tier, then the others, nearest first. Each later block asks the fast node
 * again.
 *
 * <p>Source: access strategies, sections III-A.2 (NBD), III-B (Connection Tracker, T_c) and IV-B.
 * Own: with {@code clientSide} a node that is known to serve T_c transfers already is passed over
 * without being asked, as far as the host knows; it then stands behind all others, so that it is
 * still there to fall back to. A local replica is never passed over: it needs no network.
 *
 * @param threshold T_c: reads in progress that saturate a node's network
 */
public record NetworkBandwidthDrivenAccess(int threshold, boolean clientSide)
    implements AccessStrategy {
  static final String NAME = "nbd";
  static final NetworkBandwidthDrivenAccess DEFAULT =
      new NetworkBandwidthDrivenAccess(Admission.PAPER_THRESHOLD, false);

  public NetworkBandwidthDrivenAccess {
    if (threshold < 1 || threshold > Admission.THRESHOLD_MAX) {
      throw new IllegalArgumentException(
          "threshold " + threshold + " is outside 1-" + Admission.THRESHOLD_MAX);
    }
  }

  @Override
  public String name() {
    return SpecWriter.of(NAME)
        .add("threshold", threshold, DEFAULT.threshold)
        .add("client-side", clientSide, DEFAULT.clientSide)
        .toString();
  }

  @Override
  public Admission admission() {
    return new Admission(Admission.Limit.NODE_CONNECTIONS, threshold);
  }

  @Override
  public AfterRefusal afterRefusal() {
    return AfterRefusal.ASK_AGAIN;
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    orderFastThenNearest(view, order);
    int count = view.replicaCount();
    if (count <= 1) {
      return AccessReason.ONLY_REPLICA;
    }
    if (!clientSide) {
      return AccessReason.FASTEST_TIER;
    }
    boolean passedOver = isSaturated(view, order[0]);
    if (passedOver) {
      // As after its refusal: what is left is asked nearest first.
      ReplicaOrder.nearestFirst(view, order, 0);
    }
    int usableCount = 0;
    for (int i = 0; i < count; i++) {
      if (!isSaturated(view, order[i])) {
        ReplicaOrder.moveForward(order, i, usableCount++);
      }
    }
    return passedOver ? AccessReason.SATURATED : AccessReason.FASTEST_TIER;
  }

  /** The fastest replica first, then the others nearest first: a local one leads them. */
  static void orderFastThenNearest(ReadView view, int[] order) {
    ReplicaOrder.asGiven(view, order);
    ReplicaOrder.fastestFirst(view, order, 0);
    ReplicaOrder.nearestFirst(view, order, 1);
  }

  private boolean isSaturated(ReadView view, int replica) {
    return !ReplicaOrder.isLocal(view, replica) && view.activeTransfers(replica) >= threshold;
  }
}
