package io.tierwise.cli.capture;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ClusterView;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One replica, told alike of both hosts.
 *
 * @param node number of the node
 * @param tier name of the tier
 * @param storeOfNode which of the node's storages of that tier, from 0
 */
record Replica(int node, String tier, int storeOfNode) {

  static Replica of(int volume, ClusterView view) {
    int node = view.nodeOfVolume(volume);
    int tier = view.tierOfVolume(volume);
    long before =
        IntStream.range(0, volume)
            .filter(v -> view.nodeOfVolume(v) == node && view.tierOfVolume(v) == tier)
            .count();
    return new Replica(node, view.tiers().tier(tier).name(), (int) before);
  }

  static List<Replica> chosen(Place decision, ClusterView view) {
    return decision.choices().stream().map(choice -> of(choice.volume(), view)).toList();
  }
}
