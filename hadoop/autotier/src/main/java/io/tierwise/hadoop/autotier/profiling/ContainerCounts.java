package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.message.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many containers NodeManagers have started, and which local directories these got. Two of them
 * show whether all containers of the time between got the directories of a tier, or that this is
 * not known: counts of a NodeManager that began anew in between say nothing.
 *
 * @param nodes by the NodeManager's id
 */
record ContainerCounts(Map<String, Node> nodes) {
  ContainerCounts {
    nodes = Map.copyOf(nodes);
  }

  /**
   * Of one NodeManager, since its process began.
   *
   * @param began when that was, in milliseconds since 1970
   * @param started containers, of any application
   * @param onTier those that got the directories of the tier
   * @param elsewhere those that were to get a tier's and got all directories
   */
  record Node(long began, long started, long onTier, long elsewhere) {
    private boolean goesOnAfter(Node before) {
      return began == before.began
          && started >= before.started
          && onTier >= before.onTier
          && elsewhere >= before.elsewhere;
    }
  }

  /** Why containers since then may have had directories of another tier; empty when none had. */
  List<String> doubts(ContainerCounts before, String tier) {
    List<String> doubts = new ArrayList<>();
    long started = 0;
    long onTier = 0;
    long elsewhere = 0;
    for (Map.Entry<String, Node> each : new TreeMap<>(nodes).entrySet()) {
      Node node = each.getValue();
      Node then = before.nodes.get(each.getKey());
      if (then == null || !node.goesOnAfter(then)) {
        doubts.add(unknown(each.getKey(), then == null ? "came" : "began anew"));
        continue;
      }
      started += node.started - then.started;
      onTier += node.onTier - then.onTier;
      elsewhere += node.elsewhere - then.elsewhere;
    }
    before.nodes.keySet().stream()
        .filter(id -> !nodes.containsKey(id))
        .sorted()
        .forEach(id -> doubts.add(unknown(id, "went")));
    if (elsewhere > 0) {
      doubts.add(
          Words.count(elsewhere, "container")
              + " got all local directories, since those of "
              + tier
              + " had no room or failed");
    }
    if (onTier == 0 && elsewhere == 0 && doubts.isEmpty()) {
      doubts.add("no container got the local directories of " + tier + asks());
    } else if (started > onTier + elsewhere) {
      doubts.add(
          (started - onTier - elsewhere)
              + " of "
              + Words.count(started, "container")
              + " that NodeManagers started meanwhile asked for no tier, were another application's"
              + " or ended before they began"
              + asks());
    }
    return doubts;
  }

  private static String asks() {
    return "; a command that sets the environment of its tasks has to ask for "
        + ProfilingWish.INTERMEDIATE;
  }

  private static String unknown(String id, String how) {
    return "the NodeManager "
        + id
        + " "
        + how
        + " meanwhile, so that nobody knows which directories its containers got";
  }
}
