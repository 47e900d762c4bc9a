package io.tierwise.policies.access;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ReadView;

/** The same nodes, links and speeds, but the first replica stands on another device of its node. */
record Neighbour(PathView view, long device) implements ReadView {
  @Override
  public TierTable tiers() {
    return view.tiers();
  }

  @Override
  public int replicaCount() {
    return view.replicaCount();
  }

  @Override
  public int tier(int replica) {
    return view.tier(replica);
  }

  @Override
  public int distance(int replica) {
    return view.distance(replica);
  }

  @Override
  public int activeTransfers(int replica) {
    return view.activeTransfers(replica);
  }

  @Override
  public int nodeKey(int replica) {
    return view.nodeKey(replica);
  }

  @Override
  public int pathLength(int replica) {
    return view.pathLength(replica);
  }

  @Override
  public long pathKey(int replica, int step) {
    return replica == 0 && step == 0 ? device * 4 : view.pathKey(replica, step);
  }

  @Override
  public double pathBytesPerSecond(int replica, int step) {
    return view.pathBytesPerSecond(replica, step);
  }
}
