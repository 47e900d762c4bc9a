package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.policies.recorded.RecordedDeletion;
import io.tierwise.policies.recorded.RecordedPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/** Hears what the plug-in of a running NameNode decides, and gives it its random numbers. */
public final class NameNodeDecisions {
  private final PlacementHost host;
  private final List<Decision> heard = new ArrayList<>();
  private final List<RecordedPlacement> placements = new ArrayList<>();
  private final List<RecordedDeletion> deletions = new ArrayList<>();
  private Long recordedSeed;

  /**
   * A question, the view and the answer. The requests of the NameNode and of a simulator hold the
   * same numbers when their views are numbered alike.
   */
  public record Decision(PlacementRequest request, ClusterView view, Place decision) {}

  public NameNodeDecisions(NameNode nameNode) {
    host =
        PlacementHost.of(
            nameNode.getNamesystem().getBlockManager().getDatanodeManager().getNetworkTopology());
    host.listen(
        new PlacementHost.DecisionListener() {
          @Override
          public void decided(
              ManagedFile file, PlacementRequest request, ClusterView view, Place decision) {
            hear(new Decision(request, view, decision));
          }

          @Override
          public void thinnedOut(
              ManagedFile file, int[] volumes, int wanted, ClusterView view, int[] chosen) {
            String policy = file.policy().name();
            hear(RecordedDeletion.of(policy, volumes, file.file(), wanted, view, chosen));
          }
        });
  }

  private synchronized void hear(Decision decision) {
    heard.add(decision);
    if (recordedSeed != null) {
      placements.add(
          RecordedPlacement.of(
              decision.request(), decision.view(), recordedSeed, decision.decision()));
    }
  }

  private synchronized void hear(RecordedDeletion decision) {
    deletions.add(decision);
  }

  private void clear() {
    heard.clear();
    placements.clear();
    deletions.clear();
  }

  /** From now on decisions draw from {@code random}, one after the other. */
  public synchronized void begin(RandomGenerator random) {
    clear();
    recordedSeed = null;
    host.useRandom(() -> random);
  }

  /** From now on each decision draws from a generator of its own, and is recorded. */
  public synchronized void record(long seed) {
    clear();
    recordedSeed = seed;
    host.useRandom(() -> new SplittableRandom(seed));
  }

  /** The placements since {@link #record}, of new blocks and of copies. */
  public synchronized List<RecordedPlacement> placements() {
    return List.copyOf(placements);
  }

  /** The blocks that were thinned out since the last beginning. */
  public synchronized List<RecordedDeletion> deletions() {
    return List.copyOf(deletions);
  }

  /** The decisions since {@link #begin}. */
  public synchronized List<Decision> heard() {
    return List.copyOf(heard);
  }
}
