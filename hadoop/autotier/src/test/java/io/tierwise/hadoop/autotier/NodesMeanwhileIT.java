package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules that want a replica on each node, while one of the nodes is decommissioned. */
class NodesMeanwhileIT {
  private static final String FILE = "/data/file";

  @TempDir private java.nio.file.Path folder;
  private final List<Round> rounds = new ArrayList<>();
  private MiniDFSCluster hdfs;

  @BeforeEach
  void start() throws IOException {
    HdfsConfiguration conf = new HdfsConfiguration();
    conf.setInt("dfs.replication", 1);
    hdfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile()).numDataNodes(2).build();
    hdfs.waitActive();
    DFSTestUtil.createFile(hdfs.getFileSystem(), new Path(FILE), 1_000, (short) 1, 1);
  }

  @AfterEach
  void stop() {
    hdfs.shutdown();
  }

  private DatanodeManager nodes() {
    return hdfs.getNamesystem().getBlockManager().getDatanodeManager();
  }

  private DatanodeDescriptor nodeWithoutTheFile() throws IOException {
    String holder =
        hdfs.getFileSystem()
            .getClient()
            .getLocatedBlocks(FILE, 0)
            .get(0)
            .getLocations()[0]
            .getDatanodeUuid();
    return nodes().getDatanodes().stream()
        .filter(node -> !node.getDatanodeUuid().equals(holder))
        .findFirst()
        .orElseThrow();
  }

  private Autotier daemon(String rule) throws IOException {
    return RuledAutotier.of(
        hdfs.getFileSystem(), hdfs.getConfiguration(0), folder, rule, line -> {});
  }

  private Round round() throws Exception {
    daemon("path matches /data/** -> replicas 2").run(1, rounds::add, new OpenGate());
    return rounds.get(rounds.size() - 1);
  }

  @Test
  @Timeout(180)
  void theRuleWaitsUntilTheNodeIsBack() throws Exception {
    DatanodeDescriptor node = nodeWithoutTheFile();
    nodes().getDatanodeAdminManager().startDecommission(node);
    assertThat(node.isInService()).isFalse();

    Round waits = round();
    assertThat(waits.changed()).isZero();
    assertThat(waits.left())
        .extracting(RoundPlan.Left::reason)
        .containsExactly(
            "rules:1: wants 2 replicas, and a file can have 1 while nodes are out of service: none"
                + " of its files is changed");

    nodes().getDatanodeAdminManager().stopDecommission(node);
    assertThat(round().changed()).isOne();
  }

  @Test
  @Timeout(180)
  void oneThatNoNodeComingBackCouldServeIsRefusedAtOnce() {
    assertThatThrownBy(() -> daemon("path matches /data/** -> replicas 3"))
        .isInstanceOf(OperatorException.class)
        .hasMessage("rules:1: replicas 3 is more than a file can have here, which is 2");
  }
}
