package io.tierwise.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.hdfs.audit.TierwiseAuditLogger;
import io.tierwise.hadoop.hdfs.datanode.KeptFree;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyRackFaultTolerant;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doctor at three NameNodes: an active one, a standby without the plug-in, an observer. */
@Tag("long")
class DoctorHighAvailabilityIT {
  private static final String NAMESERVICE = "warehouse";
  private static final String UNMANAGED = "tierwise.placement.unmanaged.classname";

  @TempDir static Path folder;

  /** The folder of other suites of this JVM. */
  private static String data;

  private static MiniQJMHACluster quorum;
  private static MiniDFSCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    data = System.setProperty(MiniDFSCluster.PROP_TEST_BUILD_DATA, folder.toString());
    Configuration conf = new HdfsConfiguration();
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    conf.set("dfs.namenode.audit.loggers", "default," + TierwiseAuditLogger.class.getName());
    conf.set("tierwise.namenode.regions", "/default-rack=home");
    conf.set(UNMANAGED, BlockPlacementPolicyRackFaultTolerant.class.getName());
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_STATE_CONTEXT_ENABLED_KEY, true);
    quorum = new MiniQJMHACluster.Builder(conf).setNumNameNodes(3).build();
    cluster = quorum.getDfsCluster();
    cluster.getConfiguration(1).unset(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY);
    cluster.getConfiguration(1).unset("tierwise.namenode.regions");
    cluster.getConfiguration(1).unset(DFSConfigKeys.DFS_NAMENODE_STATE_CONTEXT_ENABLED_KEY);
    cluster.getConfiguration(1).unset(UNMANAGED);
    cluster.getConfiguration(1).set("tierwise.namenode.load.floor-transfers", "8");
    cluster.restartNameNode(1);
    cluster.getConfiguration(2).set(KeptFree.DATA_NODE_KEY, "7000");
    cluster.restartNameNode(2);
    cluster.transitionToActive(0);
    cluster.transitionToObserver(2);
  }

  @AfterAll
  static void stop() throws IOException {
    quorum.shutdown();
    System.setProperty(MiniDFSCluster.PROP_TEST_BUILD_DATA, data);
  }

  /** As an administrator's hdfs-site.xml names them. */
  private static CommandRun doctor() {
    return doctor(
        NetUtils.getHostPortString(cluster.getNameNode(0).getNameNodeAddress()), List.of());
  }

  private static CommandRun doctor(String firstAddress, List<String> more) {
    return run(List.of("doctor"), firstAddress, more);
  }

  private static CommandRun run(List<String> command, String firstAddress, List<String> more) {
    List<String> arguments = new ArrayList<>(command);
    arguments.addAll(List.of("--fs", "hdfs://" + NAMESERVICE));
    set(arguments, "dfs.nameservices", NAMESERVICE);
    set(arguments, "dfs.ha.namenodes." + NAMESERVICE, "nn1,nn2,nn3");
    set(
        arguments,
        "dfs.client.failover.proxy.provider." + NAMESERVICE,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    for (int i = 0; i < 3; i++) {
      String id = "." + NAMESERVICE + ".nn" + (i + 1);
      set(
          arguments,
          "dfs.namenode.rpc-address" + id,
          i == 0
              ? firstAddress
              : NetUtils.getHostPortString(cluster.getNameNode(i).getNameNodeAddress()));
      set(
          arguments,
          "dfs.namenode.http-address" + id,
          NetUtils.getHostPortString(cluster.getNameNode(i).getHttpAddress()));
    }
    arguments.addAll(more);
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  private static void set(List<String> arguments, String key, String value) {
    arguments.add("-D");
    arguments.add(key + "=" + value);
  }

  /** What observers serve is counted by them, and the active NameNode's few reads are not all. */
  @Test
  void heatOfTheActiveNameNodeNamesTheObserverWhoseReadsItLacks() throws IOException {
    cluster.getFileSystem(0).create(new org.apache.hadoop.fs.Path("/heat"), (short) 1).close();
    String active = NetUtils.getHostPortString(cluster.getNameNode(0).getNameNodeAddress());
    CommandRun run = run(List.of("heat", "top"), active, List.of());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(CommandRun.unfolded(run.err()))
        .contains("reads that observers serve are not counted here")
        .contains(NetUtils.getHostPortString(cluster.getNameNode(2).getNameNodeAddress()))
        .doesNotContain(NetUtils.getHostPortString(cluster.getNameNode(1).getNameNodeAddress()))
        .contains("--audit-log");
    assertThat(run.unfolded()).contains("counted by the active NameNode since 20");
    assertThat(doctor().unfolded())
        .containsPattern("ok +namenode nn1: counts accesses: \\d+ since")
        .contains("whether it writes a file is not seen from here");
  }

  @Test
  void eachNameNodeIsLookedAtByItself() {
    CommandRun run = doctor();
    assertThat(run.unfolded())
        .containsPattern("ok +namenode nn1: is active")
        .containsPattern("ok +namenode nn2: is standby")
        .containsPattern("ok +namenode nn3: is observer")
        .containsPattern("ok +namenode nn1: dfs.namenode.plugins brings")
        .containsPattern("FAILURE +namenode nn2: dfs.namenode.plugins is not set")
        .containsPattern("ok +namenode nn3: dfs.namenode.plugins brings")
        .contains(
            "tierwise.namenode.regions differs:"
                + " {nn1=/default-rack=home, nn2=not set, nn3=/default-rack=home}");
    String rackFaultTolerant = BlockPlacementPolicyRackFaultTolerant.class.getName();
    assertThat(run.out())
        .containsIgnoringWhitespaces(
            UNMANAGED
                + " differs: {nn1="
                + rackFaultTolerant
                + ", nn2=not set, nn3="
                + rackFaultTolerant
                + "}")
        .containsIgnoringWhitespaces(
            "tierwise.namenode.load.floor-transfers differs:"
                + " {nn1=not set, nn2=8, nn3=not set}")
        .containsIgnoringWhitespaces(KeptFree.KEY + " differs: {nn1=0, nn3=7000}")
        .containsIgnoringWhitespaces(
            "FAILURE namenode: dfs.namenode.state.context.enabled is not true on nn2: clients");
    assertThat(run.exitCode()).as(run.out()).isEqualTo(3);
  }

  /** Like a process that is stopped, swaps, or collects garbage: the kernel takes connections. */
  @Test
  void aNameNodeThatHangsIsSaidAndTheOthersAreLookedAt() throws Exception {
    cluster.transitionToStandby(0);
    cluster.transitionToActive(1);
    try (ServerSocket hung = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      List<String> patience = new ArrayList<>();
      set(patience, "ipc.client.rpc-timeout.ms", "500");
      CommandRun run = doctor("127.0.0.1:" + hung.getLocalPort(), patience);
      assertThat(run.unfolded())
          .containsPattern("not checked namenode nn1: its state at \\S+: no answer in time")
          .containsPattern("ok +namenode nn2: is active")
          .containsPattern("ok +paths: ");
      assertThat(run.exitCode()).isEqualTo(3);
    } finally {
      cluster.transitionToStandby(1);
      cluster.transitionToActive(0);
    }
  }

  @Test
  void noActiveNameNodeIsAFailureAndNoClientRetriesForMinutes() throws Exception {
    cluster.transitionToStandby(0);
    try {
      CommandRun run = doctor();
      assertThat(run.unfolded())
          .containsPattern("FAILURE +namenode: hdfs://" + NAMESERVICE + ": no NameNode is active")
          .containsPattern("not checked datanode: nodes, volumes and paths: no NameNode is known")
          .containsPattern("FAILURE +namenode nn2: dfs.namenode.plugins is not set");
      assertThat(run.exitCode()).isEqualTo(3);
    } finally {
      cluster.transitionToActive(0);
    }
  }
}
