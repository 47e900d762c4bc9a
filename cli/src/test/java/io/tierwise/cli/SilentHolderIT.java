package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Test;

/** A node of which the NameNode has heard nothing for a minute, while replicas are to go. */
class SilentHolderIT extends MoveDataCluster {
  private static final long SILENT_MILLIS = 60_000;
  private static final Path FILE = new Path(WAREHOUSE, "part-0");

  private static LocatedBlock block() throws Exception {
    return DFSTestUtil.getAllBlocks(fs, FILE).get(0);
  }

  private static List<StorageType> types() throws Exception {
    return List.of(block().getStorageTypes());
  }

  /** The mini cluster's number of a node that has a replica on a disk. */
  private static int holderOnDisk() throws Exception {
    LocatedBlock block = block();
    int replica = Arrays.asList(block.getStorageTypes()).indexOf(StorageType.DISK);
    String holder = block.getLocations()[replica].getDatanodeUuid();
    List<DataNode> nodes = cluster.getDataNodes();
    return IntStream.range(0, nodes.size())
        .filter(node -> nodes.get(node).getDatanodeUuid().equals(holder))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatItHoldsGoesFirstAndAMoveBringsTheRestToItsTier() throws Exception {
    run("policy", "set", "/warehouse", "--placement", "layout:1 x ssd + 2 x disk", "--apply");
    assertThat(replicas()).containsExactly(3, 6);
    int node = holderOnDisk();
    DatanodeDescriptor silent =
        cluster
            .getNamesystem()
            .getBlockManager()
            .getDatanodeManager()
            .getDatanode(cluster.getDataNodes().get(node).getDatanodeId());
    DataNodeProperties stopped = cluster.stopDataNode(node);
    DFSTestUtil.resetLastUpdatesWithOffset(silent, -SILENT_MILLIS);

    CommandRun run = run("file", "drop-from", "/warehouse", "--tier", "ssd");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(cluster.restartDataNode(stopped, true)).isTrue();
    cluster.waitActive();
    DFSTestUtil.waitReplication(fs, FILE, (short) 2);
    assertThat(types())
        .as("the layout wants two on disks")
        .containsExactlyInAnyOrder(StorageType.DISK, StorageType.SSD);
    CommandRun move = run("file", "move", "/warehouse", "--to", "policy");
    assertThat(move.exitCode()).as("%s %s", move.out(), move.err()).isZero();
    assertThat(replicas()).containsExactly(0, 6);
  }
}
