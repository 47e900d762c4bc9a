package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.placement.PlacementDecision;
import io.tierwise.policies.placement.PlacementRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/** Hears what the plug-in of a running NameNode decides, and gives it its random numbers. */
public final class NameNodeDecisions {
  private final PlacementHost host;
  private final List<Decision> heard = new ArrayList<>();

  /**
   * What was asked, of what, and the answer. The requests of the NameNode and of a simulator hold
   * the same numbers when their views are numbered alike.
   */
  public record Decision(PlacementRequest request, ClusterView view, PlacementDecision decision) {}

  public NameNodeDecisions(NameNode nameNode) {
    host =
        PlacementHost.of(
            nameNode.getNamesystem().getBlockManager().getDatanodeManager().getNetworkTopology());
    host.listen((file, request, view, decision) -> hear(new Decision(request, view, decision)));
  }

  private synchronized void hear(Decision decision) {
    heard.add(decision);
  }

  /** From now on decisions draw from {@code random}, one after the other. */
  public synchronized void begin(RandomGenerator random) {
    heard.clear();
    host.useRandom(() -> random);
  }

  /** What was decided since {@link #begin}. */
  public synchronized List<Decision> heard() {
    return List.copyOf(heard);
  }
}
