package io.tierwise.lab.testbed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.lab.testbed.host.NodeHttp;
import io.tierwise.lab.testbed.plan.HadoopConfiguration;
import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.util.Optional;

/** Reads the NameNode's published metrics. */
final class NameNodeProbe {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String QUERY = "/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState";

  private NameNodeProbe() {}

  /**
   * The state of the name system.
   *
   * @param liveDataNodes DataNodes whose heartbeats arrive
   * @param deadDataNodes DataNodes given up
   * @param safeMode whether it refuses changes
   */
  record NameSystem(int liveDataNodes, int deadDataNodes, boolean safeMode) {}

  /** Asks the NameNode; empty while it does not answer. */
  static Optional<NameSystem> ask(TestbedPlan plan) {
    NodePlan node = plan.nameNode();
    return NodeHttp.get(
            plan, node.name(), node.address(), HadoopConfiguration.NAME_NODE_HTTP_PORT, QUERY)
        .flatMap(NameNodeProbe::parse);
  }

  private static Optional<NameSystem> parse(String json) {
    try {
      JsonNode bean = JSON.readTree(json).path("beans").path(0);
      return bean.has("NumLiveDataNodes")
          ? Optional.of(
              new NameSystem(
                  bean.path("NumLiveDataNodes").asInt(),
                  bean.path("NumDeadDataNodes").asInt(),
                  !bean.path("FSState").asText().equals("Operational")))
          : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
