package io.tierwise.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.cli.ReportedReplicas;
import io.tierwise.core.view.ClusterView;
import io.tierwise.hadoop.hdfs.namenode.NameNodeDecisions;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.lab.demo.DemoKeys;
import io.tierwise.lab.embedded.EmbeddedCluster;
import io.tierwise.lab.embedded.EmbeddedNode;
import io.tierwise.lab.embedded.EmbeddedPlan;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** A running HDFS of nine nodes with the plug-ins, whose decisions are heard, and its scenario. */
final class LiveHdfs implements AutoCloseable {
  private static final Pattern REGION = Pattern.compile("region: [^,}\\n]+");
  static final int BLOCK_BYTES = 64 << 10;
  static final int OUTSIDE = ClusterView.NONE;

  private static final EmbeddedPlan PLAN =
      new EmbeddedPlan(3, 3, 1, 1, EmbeddedPlan.TEN_GIGABIT_BYTES_PER_SECOND);

  private final Path folder;
  private final EmbeddedCluster cluster;
  private final TierConfiguration tiers;
  private final NameNodeDecisions decisions;
  private final List<DatanodeInfo> nodes;
  private final Map<Integer, DistributedFileSystem> clients = new HashMap<>();

  /** A file to write: as many blocks, with as many replicas, by a client on that node. */
  record Write(int blocks, int replication, int writerNode) {}

  private LiveHdfs(Path folder, EmbeddedCluster cluster) throws IOException {
    this.folder = folder;
    this.cluster = cluster;
    this.tiers = TierConfiguration.load(cluster.configuration());
    this.decisions = new NameNodeDecisions(cluster.daemons().getNameNode());
    this.nodes =
        Stream.of(client(OUTSIDE).getDataNodeStats())
            .sorted(
                Comparator.comparing(DatanodeInfo::getNetworkLocation)
                    .thenComparing(node -> node.getXferAddr()))
            .toList();
  }

  static LiveHdfs start(Path folder) throws Exception {
    return start(folder, Map.of());
  }

  /** The same, with more keys for all daemons. */
  static LiveHdfs start(Path folder, Map<String, String> keys) throws Exception {
    Configuration conf = DemoKeys.daemons(PLAN.nodes());
    keys.forEach(conf::set);
    // The simulator has no busy nodes that refuse blocks: this is about equal views.
    conf.set("dfs.namenode.redundancy.considerLoad", "false");
    return new LiveHdfs(folder, EmbeddedCluster.start(PLAN, conf, folder));
  }

  @Override
  public void close() throws IOException {
    for (DistributedFileSystem client : clients.values()) {
      client.close();
    }
    cluster.close();
  }

  EmbeddedCluster cluster() {
    return cluster;
  }

  TierConfiguration tiers() {
    return tiers;
  }

  NameNodeDecisions decisions() {
    return decisions;
  }

  DistributedFileSystem client(int node) throws IOException {
    if (clients.containsKey(node)) {
      return clients.get(node);
    }
    Configuration conf =
        node == OUTSIDE ? cluster.configuration() : cluster.configurationOn(embedded(node));
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    DistributedFileSystem client =
        (DistributedFileSystem) FileSystem.newInstance(cluster.uri(), conf);
    clients.put(node, client);
    return client;
  }

  /** The node of that number: sorted by rack and address, in the cluster as in its scenario. */
  EmbeddedNode embedded(int node) {
    String address = nodes.get(node).getIpAddr();
    return cluster.nodes().stream()
        .filter(each -> each.address().getHostAddress().equals(address))
        .findFirst()
        .orElseThrow();
  }

  DatanodeInfo node(int node) {
    return nodes.get(node);
  }

  /**
   * The cluster as {@code tierwise capture} writes it down now.
   *
   * @param regions whether with the NameNode's regions, of which clients know nothing: they count
   *     hops in HDFS's tree
   */
  SimulatedHost captured(boolean regions) {
    return captured(regions, BLOCK_BYTES);
  }

  /** The same, with blocks of another length. */
  SimulatedHost captured(boolean regions, long blockBytes) {
    CommandRun run =
        CommandRun.of(
            "capture",
            "--fs=" + cluster.uri(),
            "-D",
            "tierwise.tiers.file=" + folder.resolve("tiers.yaml"));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).containsPattern(REGION);
    String text = regions ? run.out() : REGION.matcher(run.out()).replaceAll("region: one");
    return new SimulatedHost(ScenarioFiles.parse(text, "captured").scenario(), blockBytes);
  }

  /** Writes a file in a directory under the policy; its inode id. */
  long write(String path, String policy, Write write) throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    DistributedFileSystem client = client(write.writerNode());
    client.mkdirs(file.getParent());
    client.setXAttr(
        file.getParent(), "user.tierwise.placement", policy.getBytes(StandardCharsets.UTF_8));
    try (FSDataOutputStream out =
        client.create(file, true, 4096, (short) write.replication(), BLOCK_BYTES)) {
      out.write(new byte[write.blocks() * BLOCK_BYTES]);
    }
    return client.getClient().getFileInfo(path).getFileId();
  }

  /** The blocks of a file as the reader is told, once all replicas are known. */
  LocatedBlocks located(String path, int replication, int reader) throws IOException {
    ReportedReplicas.await(cluster.daemons().getNameNode(), path, replication);
    return client(reader).getClient().getLocatedBlocks(path, 0);
  }

  /** The nodes of a block's replicas, in their order. */
  List<Integer> numbers(LocatedBlock block) {
    return Arrays.stream(block.getLocations()).map(nodes::indexOf).toList();
  }

  /** All that a policy is told, but for the cluster; replicas alike in views of any numbering. */
  static String text(PlacementRequest request, ClusterView view) {
    return request.file()
        + " bytes "
        + request.blockBytes()
        + " replicas "
        + request.replicaCount()
        + " writer "
        + request.writerNode()
        + " in rack "
        + request.writerRack()
        + " existing "
        + Arrays.stream(request.existingVolumes()).mapToObj(v -> Replica.of(v, view)).toList()
        + " "
        + request.avoid();
  }
}
