package io.tierwise.hadoop.autotier.profiling;

import com.fasterxml.jackson.databind.JsonNode;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.health.DaemonHttp;
import io.tierwise.hadoop.mover.shuffle.NodeManager;
import io.tierwise.hadoop.mover.shuffle.RunningNodes;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads how many containers NodeManagers gave a tier's local directories. It shows whether
 * intermediate data went where a configuration wants it.
 */
final class IntermediateNodes implements Closeable {
  private static final String BEAN = "Hadoop:service=NodeManager,name=TierwiseIntermediate";
  private static final String ON_TIER = "ContainersOnTier";
  private static final String NO_ROOM = "ContainersWithoutRoom";
  private static final String UNKNOWN_TIER = "ContainersOfUnknownTier";
  private static final String FAILURES = "Failures";

  /**
   * Hadoop's own, of the NodeManager and of its process. Where daemons share a process, the service
   * is that of the first.
   */
  private static final String METRICS = "Hadoop:service=*,name=NodeManagerMetrics";

  private static final String STARTED = "ContainersLaunched";
  private static final String PROCESS = "java.lang:type=Runtime";
  private static final String BEGAN = "StartTime";

  private final RunningNodes nodes;
  private final DaemonHttp http;

  private IntermediateNodes(RunningNodes nodes, Configuration conf) {
    this.nodes = nodes;
    http = new DaemonHttp(conf);
  }

  static IntermediateNodes of(Configuration conf) {
    return RunningNodes.of(conf)
        .map(nodes -> new IntermediateNodes(nodes, conf))
        .orElseThrow(
            () ->
                OperatorException.badInput(
                    "the configuration names no ResourceManager: give --conf DIR with a"
                        + " yarn-site.xml, or set HADOOP_CONF_DIR"));
  }

  /**
   * Refuses a cluster with a node that would put intermediate data anywhere.
   *
   * @throws OperatorException naming the node and what it lacks
   */
  void require(String... tiers) throws IOException {
    List<NodeManager> running = nodes.list();
    if (running.isEmpty()) {
      throw OperatorException.cluster("no NodeManager runs: nothing was changed", null);
    }
    for (NodeManager node : running) {
      for (String tier : tiers) {
        if (count(bean(node).path(ON_TIER), tier) < 0) {
          throw OperatorException.cluster(
              "the NodeManager "
                  + node.id()
                  + " knows no local directories of "
                  + tier
                  + ": set tierwise.nodemanager.local-dirs."
                  + tier
                  + " there; nothing was changed",
              null);
        }
      }
    }
  }

  /** The counts of a tier; a node that does not answer is an error, and no zero. */
  ContainerCounts counts(String tier) throws IOException {
    Map<String, ContainerCounts.Node> counts = new HashMap<>();
    for (NodeManager node : nodes.list()) {
      JsonNode bean = bean(node);
      counts.put(
          node.id(),
          new ContainerCounts.Node(
              number(node, PROCESS, BEGAN),
              number(node, METRICS, STARTED),
              Math.max(0, count(bean.path(ON_TIER), tier)),
              Math.max(0, count(bean.path(NO_ROOM), tier))
                  + bean.path(UNKNOWN_TIER).asLong()
                  + bean.path(FAILURES).asLong()));
    }
    return new ContainerCounts(counts);
  }

  private long number(NodeManager node, String bean, String attribute) throws IOException {
    return http.at(URI.create(node.web()))
        .bean(bean)
        .map(found -> found.path(attribute))
        .filter(JsonNode::isIntegralNumber)
        .map(JsonNode::asLong)
        .orElseThrow(
            () ->
                OperatorException.cluster(
                    "the NodeManager " + node.id() + " shows no " + attribute + " of " + bean,
                    null));
  }

  private JsonNode bean(NodeManager node) throws IOException {
    return http.at(URI.create(node.web()))
        .bean(BEAN)
        .orElseThrow(
            () ->
                OperatorException.cluster(
                    "the NodeManager "
                        + node.id()
                        + " runs without the plug-in that places intermediate data: set"
                        + " yarn.nodemanager.container-executor.class there"
                        + " (docs/reference/configuration-nodemanager.md)",
                    null));
  }

  /** A map as Hadoop shows it: an array of keys and values. Below 0 where it has no such key. */
  private static long count(JsonNode map, String key) {
    for (JsonNode entry : map) {
      if (entry.path("key").asText().equals(key)) {
        return entry.path("value").asLong();
      }
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    nodes.close();
  }
}
