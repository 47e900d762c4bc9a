package io.tierwise.cli;

import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.net.NetUtils;

/**
 * A mini cluster whose NameNode runs the plug-ins, and commands that speak to it.
 *
 * @param tiers the tier table of NameNode and commands; null for none
 */
public record ManagedHdfs(MiniDFSCluster cluster, DistributedFileSystem fs, Path tiers) {
  /** A tier for each storage type of the nodes of most tests. */
  public static final String SSD_AND_DISK =
      """
      tiers:
        - {name: ssd, match: {storage-type: SSD}}
        - {name: disk, match: {storage-type: DISK}}
      """;

  /** Keys of a NameNode with the plug-ins. */
  public static Configuration configuration() {
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.block.replicator.classname", TierwisePlacementPolicy.class.getName());
    conf.set("dfs.namenode.plugins", TierwiseNameNodePlugin.class.getName());
    return conf;
  }

  /** HDFS copies, drops and deletes at heartbeats: within a second, not three. */
  public static void haveHdfsHurry(Configuration conf) {
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    // Silent after 12 s, as by default: what silent nodes hold goes first, whatever a layout wants.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_TOLERATE_HEARTBEAT_MULTIPLIER_KEY, 12);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
  }

  /** Starts one with these keys; {@code nodes} says how many DataNodes it has, and which. */
  public static ManagedHdfs start(
      Path folder, String tiers, Configuration conf, UnaryOperator<MiniDFSCluster.Builder> nodes)
      throws IOException {
    Path file = tiers == null ? null : Files.writeString(folder.resolve("tiers.yaml"), tiers);
    if (file != null) {
      conf.set("tierwise.tiers.file", file.toString());
    }
    MiniDFSCluster cluster =
        nodes.apply(new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())).build();
    cluster.waitActive();
    return new ManagedHdfs(cluster, cluster.getFileSystem(), file);
  }

  /** Runs a command on it. */
  public CommandRun run(String... arguments) {
    return runWith(tiers, arguments);
  }

  /** Runs a command that has a tier table of its own. */
  public CommandRun runWith(Path tierFile, String... arguments) {
    List<String> words = new ArrayList<>(List.of(arguments));
    words.addAll(List.of("--fs", fs.getUri().toString()));
    if (tierFile != null) {
      words.addAll(List.of("-D", "tierwise.tiers.file=" + tierFile));
    }
    return CommandRun.of(words.toArray(String[]::new));
  }

  /** Waits until the NameNode has heard of so many replicas of each block. */
  public void awaitReplicas(String path, int replicas) throws IOException {
    ReportedReplicas.await(cluster.getNameNode(), path, replicas);
  }

  /** Waits until the NameNode has heard of so many parts of each coded block, and of none more. */
  public void awaitParts(String path, int parts) throws IOException {
    ReportedReplicas.awaitParts(cluster.getNameNode(), path, parts);
  }

  /** The key of the NameNode's web address, as a command's {@code -D} takes it. */
  public String webKey() {
    return "dfs.namenode.http-address="
        + NetUtils.getHostPortString(cluster.getNameNode().getHttpAddress());
  }
}
