package io.tierwise.hadoop.inspect.health;

import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtil;

/** By what the active NameNode orders the replicas that it lists: asked of its web server. */
public final class NameNodeOrder {
  private NameNodeOrder() {}

  /**
   * The strategy, as its key has it; empty where replicas stand by distance, as in stock HDFS.
   *
   * @throws IOException when the NameNode does not tell
   */
  public static Optional<String> ofActive(DistributedFileSystem fs, Configuration conf)
      throws IOException {
    InetSocketAddress active = HAUtil.getAddressOfActive(fs);
    for (NameNodeTarget target : NameNodeTarget.of(fs.getUri(), conf)) {
      if (!target.highlyAvailable() || target.rpc().equals(active)) {
        return of(target, new DaemonHttp(conf).at(target.web()));
      }
    }
    throw new IOException("no NameNode says that it is active");
  }

  private static Optional<String> of(NameNodeTarget target, DaemonHttp.Daemon daemon)
      throws IOException {
    try {
      boolean orders = daemon.bean(NameNodeChecks.ORDER_BEAN).isPresent();
      return orders && ReadOrderChecks.isUsed(daemon::configured)
          ? daemon.configured(TierwiseTopology.STRATEGY).map(String::strip)
          : Optional.empty();
    } catch (IOException e) {
      throw new IOException(target.webText() + " does not tell: " + e.getMessage(), e);
    }
  }
}
