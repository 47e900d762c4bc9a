package io.tierwise.hadoop.inspect.health;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Looks at all of a cluster that can be looked at from outside: the client's own configuration,
 * each NameNode, the DataNodes' keys, volumes and states, the policies of paths. A check that
 * cannot be made becomes a finding and ends no other.
 */
public final class HealthCheck {
  private final Configuration conf;
  private final TierConfiguration tiers;
  private final Listener listener;
  private final Findings findings = new Findings();

  /**
   * @param listener hears how many DataNodes were asked
   */
  public HealthCheck(Configuration conf, Listener listener) {
    this.conf = conf;
    this.tiers = TierConfiguration.load(conf);
    this.listener = listener;
  }

  /** Makes all checks, once. */
  public Findings run() {
    ClientChecks client = new ClientChecks(conf, tiers);
    client.run(findings);
    new TierChecks(tiers, findings).texts();
    for (URI uri : NameNodeTarget.fileSystems(conf)) {
      findings.check(
          "namenode",
          uri.toString(),
          NameNodeChecks.ADVICE,
          () -> {
            if (isRouter(uri)) {
              findings.add(
                  Finding.notChecked(
                      "namenode",
                      uri.toString(),
                      "a Router, behind which NameNodes decide",
                      "name a name service: --fs hdfs://NAMESERVICE"));
            } else {
              look(uri, client);
            }
          });
    }
    return findings;
  }

  private boolean isRouter(URI uri) throws IOException {
    return NameNodeTarget.of(uri, conf).stream()
        .anyMatch(target -> NameNodePlugin.isRouter(target.rpc(), conf));
  }

  private void look(URI uri, ClientChecks client) {
    DaemonHttp http = new DaemonHttp(conf);
    NameNodeKeyChecks keys = new NameNodeKeyChecks(conf, tiers, client.asksForOrder());
    NameNodeChecks nameNodes = new NameNodeChecks(conf, http, tiers, keys, findings);
    findings.check(
        "namenode",
        "the NameNodes of " + uri,
        NameNodeChecks.ADVICE,
        () -> nameNodes.run(NameNodeTarget.of(uri, conf)));
    if (nameNodes.noneIsActive(uri)) {
      // A client would try them again and again, for minutes.
      return;
    }
    findings.check(
        "namenode",
        uri.toString(),
        "check --fs or HADOOP_CONF_DIR, and that an active NameNode runs",
        () -> {
          try (DistributedFileSystem fs = ClusterConnection.connect(uri, conf)) {
            fs.getStatus();
            ask(fs, http, nameNodes, client.needsRefusals());
          }
        });
  }

  private void ask(
      DistributedFileSystem fs, DaemonHttp http, NameNodeChecks nameNodes, boolean needsRefusals) {
    findings.check(
        "datanode",
        "nodes, volumes and the DataNodes' keys",
        "run it as HDFS's superuser",
        () -> {
          DatanodeInfo[] live =
              new NodeStateChecks(fs, findings).run(nameNodes.staleness(), nameNodes.locations());
          new DomainChecks(findings).run(live, nameNodes.domainCount());
          ClusterVolumes volumes = ClusterVolumes.read(fs, tiers);
          new TierChecks(tiers, findings).volumes(volumes);
          UplinkChecks.of(conf.getTrimmed(ClientChecks.STRATEGY, ""), tiers, volumes)
              .ifPresent(findings::add);
          boolean https = DFSUtil.getHttpClientScheme(conf).equals("https");
          Listener.Step step = listener.begin("asking " + live.length + " DataNodes", live.length);
          new DataNodeChecks(http, tiers, findings, needsRefusals)
              .run(live, https, volumes, nameNodes.keptFreeBytes(), step);
        });
    findings.check(
        AttributeChecks.WHERE,
        "policies of directories",
        "run it as HDFS's superuser",
        () -> {
          NameNodePlugin plugin = new NameNodePlugin(fs, conf);
          NameNodePlugin.Answer active = plugin.ofActive();
          // The NameNode acts by its own tier table, not by this command's.
          TierConfiguration inForce = plugin.tiersInForce(active, tiers).configuration();
          if (active.runs()) {
            TierChecks.counted(inForce).ifPresent(findings::add);
          }
          new AttributeChecks(fs, inForce, findings)
              .run(
                  active.runs() ? plugin.malformedPaths(active) : List.of(),
                  nameNodes.ordersReadsAlone());
        });
  }
}
