package io.tierwise.hadoop.inspect.health;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Whether DataNodes refuse reads beyond a limit, by what runs in them. */
final class RefusalChecks {
  private static final String WHERE = "datanode";
  private static final String KEY = PluginKeys.DATASET.key();
  private static final String LIMITS = "tierwise.datanode.readers.per-volume.max or .per-node.max";

  /**
   * One DataNode.
   *
   * @param configured whether its configuration asks for our dataset
   * @param runs whether that shows itself
   * @param limits whether a limit holds
   * @param problem why none holds though a key asks for one; else empty
   */
  record Node(boolean configured, boolean runs, boolean limits, String problem) {}

  private final Map<String, Node> nodes;
  private final Findings findings;

  RefusalChecks(Map<String, Node> nodes, Findings findings) {
    this.nodes = new TreeMap<>(nodes);
    this.findings = findings;
  }

  /**
   * @param needed whether a strategy counts on DataNodes that refuse reads
   */
  void run(boolean needed) {
    absent();
    problems();
    List<String> idle =
        with(
            node -> node.configured() && node.runs() && !node.limits() && node.problem().isEmpty());
    List<String> limiting = with(Node::limits);
    List<String> stock = with(node -> !node.configured());
    if (limiting.size() == nodes.size()) {
      findings.add(Finding.ok(WHERE, KEY + " brings " + PluginKeys.DATASET.brings()));
    } else if (!needed && stock.isEmpty() && idle.size() == nodes.size()) {
      findings.add(Finding.ok(WHERE, KEY + " is ours, and no limit is set: no read is refused"));
    }
    if (needed && !stock.isEmpty()) {
      findings.add(
          Finding.warning(
              WHERE,
              KEY + " is not ours on " + Findings.names(stock),
              PluginKeys.DATASET.advice()));
    }
    if (!idle.isEmpty() && (needed || !limiting.isEmpty())) {
      findings.add(
          Finding.warning(
              WHERE,
              Findings.names(idle) + " refuse no reads: no limit is set there",
              "set " + LIMITS + " there and restart: without, nbd and sbd read as greedy does"));
    }
  }

  private void absent() {
    List<String> silent = with(node -> node.configured() && !node.runs());
    if (!silent.isEmpty()) {
      findings.add(
          Finding.failure(
              WHERE,
              KEY + " is configured but does not run on " + Findings.names(silent),
              "its log says why, in a line with \"Tierwise\"; then restart it"));
    }
  }

  private void problems() {
    nodes.values().stream()
        .map(Node::problem)
        .filter(problem -> !problem.isEmpty())
        .distinct()
        .forEach(
            problem ->
                findings.add(
                    Finding.failure(
                        WHERE,
                        Findings.names(with(node -> node.problem().equals(problem)))
                            + " limit no reads: "
                            + problem,
                        "correct the key there and restart")));
  }

  private List<String> with(Predicate<Node> wanted) {
    return nodes.entrySet().stream()
        .filter(entry -> wanted.test(entry.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }
}
