package io.tierwise.hadoop.inspect.health;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;

/** Whether clients that read from observers see what they wrote; commands here are such clients. */
final class ObserverChecks {
  static final String KEY = "dfs.namenode.state.context.enabled";

  private ObserverChecks() {}

  /**
   * Looks only where there is an observer: else nobody is answered with an old state.
   *
   * @param states of all NameNodes that told theirs
   * @param valuesByName the key's value on each NameNode that told it
   */
  static List<Finding> of(Collection<HAServiceState> states, Map<String, String> valuesByName) {
    List<String> without =
        valuesByName.entrySet().stream()
            .filter(entry -> !entry.getValue().strip().equalsIgnoreCase("true"))
            .map(Map.Entry::getKey)
            .toList();
    if (!states.contains(HAServiceState.OBSERVER) || without.isEmpty()) {
      return List.of();
    }
    return List.of(
        Finding.failure(
            "namenode",
            KEY
                + " is not true on "
                + Findings.names(without)
                + ": clients that read from an observer miss what was just written, and so do"
                + " these commands",
            "set it on every NameNode, restart"));
  }
}
