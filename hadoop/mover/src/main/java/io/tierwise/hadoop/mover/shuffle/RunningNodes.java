package io.tierwise.hadoop.mover.shuffle;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * The NodeManagers that a ResourceManager lists as running, asked by YARN's own client: see {@link
 * ResourceManagerConf}.
 */
public final class RunningNodes implements Closeable {
  private final YarnClient client = YarnClient.createYarnClient();
  private final String scheme;

  private RunningNodes(YarnConfiguration conf) {
    scheme = YarnConfiguration.useHttps(conf) ? "https://" : "http://";
    client.init(conf);
    client.start();
  }

  /** Empty where the configuration does not say where a ResourceManager is. */
  public static Optional<RunningNodes> of(Configuration given) {
    return ResourceManagerConf.of(given).map(RunningNodes::new);
  }

  /**
   * Those that run containers now.
   *
   * @throws IOException when the ResourceManager does not answer
   */
  public List<NodeManager> list() throws IOException {
    List<NodeManager> nodes = new ArrayList<>();
    try {
      for (NodeReport node : client.getNodeReports(NodeState.RUNNING, NodeState.DECOMMISSIONING)) {
        nodes.add(
            new NodeManager(
                node.getNodeId().toString(),
                node.getNodeId().getHost(),
                scheme + node.getHttpAddress()));
      }
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
    return nodes;
  }

  @Override
  public void close() {
    client.stop();
  }
}
