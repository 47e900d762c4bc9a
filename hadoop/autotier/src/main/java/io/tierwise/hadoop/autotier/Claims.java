package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.policies.movement.ReplicaHold;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;

/** Says why a file is left alone whatever the engine wants: it is somebody's, or was changed. */
record Claims(MoverCluster cluster, LastChanges lastChanges, ReplicaHold hold) {
  /** The reason; empty for a file that may be changed. */
  Optional<String> untouched(KnownFile file, int usualReplicas, double nowSeconds)
      throws IOException {
    try {
      return somebodyElses(file, usualReplicas, nowSeconds);
    } catch (AccessControlException e) {
      return Optional.of(RulePass.UNREADABLE);
    }
  }

  private Optional<String> somebodyElses(KnownFile file, int usualReplicas, double nowSeconds)
      throws IOException {
    Optional<ReplicaMark> last = lastChange(file);
    if (file.replicas() != usualReplicas
        && last.filter(mark -> mark.owns(file.replicas())).isEmpty()) {
      return Optional.of(
          "somebody gave it "
              + Words.count(file.replicas(), "replica")
              + ", not the usual "
              + usualReplicas);
    }
    if (last.filter(mark -> lastChanges.isMade(mark, file.replicas()))
        .filter(mark -> isHeld(mark, nowSeconds))
        .isPresent()) {
      return Optional.of(held(hold.windows()));
    }
    return policyOf(cluster, file.path()).map(Claims::underPolicy);
  }

  /** Whether an undo took a change of the file back, and that is heeded still. */
  boolean wasTakenBack(KnownFile file, double nowSeconds) throws IOException {
    return lastChange(file)
        .filter(last -> last.takenBack() && isHeld(last, nowSeconds))
        .isPresent();
  }

  private Optional<ReplicaMark> lastChange(KnownFile file) throws IOException {
    try {
      return lastChanges.of(file.fileId(), cluster.fs().getClient().getXAttrs(file.path()));
    } catch (FileNotFoundException e) {
      return Optional.empty(); // It was deleted just now, which is seen when it is changed.
    }
  }

  private boolean isHeld(ReplicaMark last, double nowSeconds) {
    return hold.isHeld(last.seconds(), nowSeconds);
  }

  /** The policy that a path is under, which decides where its replicas are. */
  static Optional<PathPolicy> policyOf(MoverCluster cluster, String path) throws IOException {
    return PathPolicy.placement(cluster.fs(), new Path(path), cluster.tiers())
        .filter(found -> !found.specification().strip().equals(PathPolicy.STOCK));
  }

  static String held(int windows) {
    return "it was changed less than " + Words.count(windows, "window") + " ago";
  }

  static String underPolicy(PathPolicy policy) {
    return "it is under a policy, which names its replicas (" + policy.origin() + ")";
  }
}
