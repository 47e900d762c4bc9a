package io.tierwise.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that a NameNode has not heard of for a while, as the doctor names them. */
@Tag("long")
class DoctorNodeStatesIT {
  private static final long STALE_MILLIS = 60_000;

  @TempDir private Path folder;

  /** By Hadoop's defaults the NameNode counts its stale nodes every five minutes. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void deadAndStaleNodesAreNamedBeforeTheNameNodeCountsThem(boolean avoided) throws IOException {
    HdfsConfiguration conf = new HdfsConfiguration();
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_WRITE_KEY, avoided);
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, folder.toFile()).numDataNodes(3).build()) {
      cluster.waitActive();
      DataNode stale = silenced(cluster, 1);
      DataNode dead = silenced(cluster, 2);
      BlockManager blocks = cluster.getNamesystem().getBlockManager();
      DatanodeDescriptor known = blocks.getDatanodeManager().getDatanode(stale.getDatanodeId());
      known.setLastUpdate(Time.now() - STALE_MILLIS);
      known.setLastUpdateMonotonic(Time.monotonicNow() - STALE_MILLIS);
      cluster.setDataNodeDead(dead.getDatanodeId());
      CommandRun run = doctor(cluster);
      assertThat(run.unfolded())
          .contains("2 live DataNodes")
          .contains("1 stale: 127.0.0.1:" + stale.getXferPort())
          .contains("1 dead: 127.0.0.1:" + dead.getXferPort());
      assertThat(run.unfolded().contains("blocks may still be sent to them")).isEqualTo(!avoided);
    }
  }

  /** As the NameNode knows it: this command has no key of its tree. */
  @Test
  void nodeGroupsOfOneRackAreOneRack() throws IOException {
    HdfsConfiguration conf = new HdfsConfiguration();
    conf.setBoolean(DFSConfigKeys.DFS_USE_DFS_NETWORK_TOPOLOGY_KEY, false);
    conf.set("net.topology.impl", NetworkTopologyWithNodeGroup.class.getName());
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, folder.toFile())
            .numDataNodes(2)
            .racks(new String[] {"/r1/g1", "/r1/g2"})
            .build()) {
      cluster.waitActive();
      assertThat(doctor(cluster).unfolded())
          .contains("2 live DataNodes in 1 rack")
          .contains("all DataNodes are in one rack");
    }
  }

  private static CommandRun doctor(MiniDFSCluster cluster) {
    return CommandRun.of(
        "doctor",
        "--fs",
        cluster.getURI(0).toString(),
        "-D",
        "dfs.namenode.http-address="
            + NetUtils.getHostPortString(cluster.getNameNode().getHttpAddress()));
  }

  /** The NameNode lists the volume as if it were in service, and some minutes later not at all. */
  @Test
  void devicesThatANodeGaveUpAreNamed() throws Exception {
    HdfsConfiguration conf = new HdfsConfiguration();
    conf.setInt(DFSConfigKeys.DFS_DATANODE_FAILED_VOLUMES_TOLERATED_KEY, 1);
    // By default a device is not looked at again for 15 minutes.
    conf.set(DFSConfigKeys.DFS_DATANODE_DISK_CHECK_MIN_GAP_KEY, "0");
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, folder.toFile())
            .numDataNodes(2)
            .storageTypes(
                new StorageType[][] {
                  {StorageType.SSD, StorageType.DISK}, {StorageType.DISK, StorageType.DISK}
                })
            .build()) {
      cluster.waitActive();
      String only = breakDevice(cluster, 0, 0);
      String oneOfThree = breakDevice(cluster, 1, 1);
      assertThat(doctor(cluster).unfolded())
          .containsPattern(only + ": tier ssd has no volume left")
          .containsPattern(
              "new blocks fall back to .*disk.*; replace the device and restart the node")
          .containsPattern(oneOfThree + " of tier disk, which has 2 volumes left")
          .contains("replace the device");
    }
  }

  /** Breaks a device; returns a pattern of the doctor's finding. */
  private static String breakDevice(MiniDFSCluster cluster, int index, int volume)
      throws Exception {
    DataNode node = cluster.getDataNodes().get(index);
    File broken = cluster.getInstanceStorageDir(index, volume);
    DataNodeTestUtils.injectDataDirFailure(broken);
    DataNodeTestUtils.waitForDiskError(node, DataNodeTestUtils.getVolume(node, broken));
    return node.getXferPort() + " gave up \\S*" + Pattern.quote(broken.toString());
  }

  private static DataNode silenced(MiniDFSCluster cluster, int index) {
    DataNode node = cluster.getDataNodes().get(index);
    DataNodeTestUtils.setHeartbeatsDisabledForTests(node, true);
    return node;
  }
}
