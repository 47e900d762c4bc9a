package io.tierwise.hadoop.inspect.compliance;

import io.tierwise.policies.placement.LayoutFit;
import io.tierwise.policies.placement.LayoutFit.Wanted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * The replicas of a block beside what its policy wants of them.
 *
 * <p>A replica on a node that is decommissioned is not judged while others stay: HDFS makes another
 * one in its place, and it is the other one that the policy places.
 */
public final class BlockFit {
  private final LayoutFit fit;
  private final int replicaCount;
  private final int[] judged;

  private BlockFit(LayoutFit fit, int replicaCount, int[] judged) {
    this.fit = fit;
    this.replicaCount = replicaCount;
    this.judged = judged;
  }

  /**
   * @param volumes of the block's replicas, in the order of its locations
   * @param compare volumes with what the policy wants
   */
  public static Optional<BlockFit> of(
      LocatedBlock block, int[] volumes, Function<int[], Optional<LayoutFit>> compare) {
    DatanodeInfo[] nodes = block.getLocations();
    int[] staying = IntStream.range(0, nodes.length).filter(i -> !isLeaving(nodes[i])).toArray();
    int[] judged = staying.length == 0 ? IntStream.range(0, nodes.length).toArray() : staying;
    return compare
        .apply(Arrays.stream(judged).map(i -> volumes[i]).toArray())
        .map(fit -> new BlockFit(fit, nodes.length, judged));
  }

  private static boolean isLeaving(DatanodeInfo node) {
    return node.isDecommissionInProgress() || node.isDecommissioned();
  }

  /** The number of replicas that are judged. */
  int judgedCount() {
    return judged.length;
  }

  /** The number of them that are where the policy wants one. */
  int fittingCount() {
    return (int) IntStream.range(0, judged.length).filter(fit::fits).count();
  }

  /** Whether each replica is where the policy wants one; null for one that is not judged. */
  public List<Boolean> fits() {
    return ofReplicas(IntStream.range(0, judged.length).mapToObj(fit::fits).toList());
  }

  /** The wish for each replica; null for one that is not judged. */
  public List<Wanted> wanted() {
    return ofReplicas(fit.wantedOfReplicas());
  }

  private <T> List<T> ofReplicas(List<T> ofJudged) {
    List<T> all = new ArrayList<>(Collections.nCopies(replicaCount, null));
    for (int i = 0; i < judged.length; i++) {
      all.set(judged[i], ofJudged.get(i));
    }
    return Collections.unmodifiableList(all);
  }
}
