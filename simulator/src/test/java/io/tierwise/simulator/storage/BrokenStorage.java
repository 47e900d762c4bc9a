package io.tierwise.simulator.storage;

import io.tierwise.core.view.ClusterView;

/** Breaks what is stored, for tests that want to see it found. */
public final class BrokenStorage {
  private BrokenStorage() {}

  /** Forgets a replica without giving back its room; false when there is none. */
  public static boolean forgetAReplica(Namespace namespace) {
    for (int block = 0; block < namespace.blockCount(); block++) {
      if (namespace.replica(block, 0) != ClusterView.NONE) {
        namespace.setReplica(block, 0, ClusterView.NONE);
        return true;
      }
    }
    return false;
  }

  /** Puts a block's second replica where its first one is; false when no block has two. */
  public static boolean joinTwoReplicas(Namespace namespace) {
    for (int block = 0; block < namespace.blockCount(); block++) {
      if (namespace.replica(block, 1) != ClusterView.NONE) {
        namespace.setReplica(block, 1, namespace.replica(block, 0));
        return true;
      }
    }
    return false;
  }
}
