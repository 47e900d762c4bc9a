package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code explain} and {@code doctor} say of a cluster that places by policy. */
class ExplainIT {
  private static final long BLOCK_BYTES = 1 << 20;

  @TempDir static java.nio.file.Path folder;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;
  private static java.nio.file.Path tiers;

  @BeforeAll
  static void start() throws IOException {
    tiers =
        Files.writeString(
            folder.resolve("tiers.yaml"),
            """
            tiers:
              - name: ssd
                match: {storage-type: SSD}
                class: {read-megabytes-per-second: 500}
              - {name: disk, match: {storage-type: DISK}}
            rules: [{path: /ruled, access: greedy}]
            """);
    Configuration conf = new HdfsConfiguration();
    conf.set("tierwise.tiers.file", tiers.toString());
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    cluster =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(4)
            .racks(new String[] {"/r1", "/r1", "/r2", "/r2"})
            .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK})
            .build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    fs.mkdirs(new Path("/hot"));
    run("policy", "set", "/hot", "--placement", "hybrid", "--access", "greedy");
    DFSTestUtil.createFile(
        fs, new Path("/hot/file"), 4096, 3 * BLOCK_BYTES, BLOCK_BYTES, (short) 2, 7);
    DFSTestUtil.createFile(fs, new Path("/plain"), 10, (short) 2, 7);
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  private static CommandRun run(String... arguments) {
    Stream<String> where =
        Stream.of("--fs", fs.getUri().toString(), "-D", "tierwise.tiers.file=" + tiers);
    return CommandRun.of(Stream.concat(Stream.of(arguments), where).toArray(String[]::new));
  }

  private static JsonNode json(String... arguments) throws IOException {
    CommandRun run = run(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  void everyReplicaIsShownWithTierAndRule() throws IOException {
    JsonNode file = json("explain", "/hot/file", "--json");
    assertThat(file.path("placement").path("specification").asText()).isEqualTo("hybrid");
    assertThat(file.path("placement").path("origin").asText()).contains("/hot");
    assertThat(file.path("blocks")).hasSize(3);
    for (JsonNode block : file.path("blocks")) {
      List<String> tierNames = new ArrayList<>();
      block.path("replicas").forEach(r -> tierNames.add(r.path("tier").asText()));
      assertThat(tierNames).containsExactly("ssd", "disk");
      assertThat(block.path("reason").asText()).isEqualTo("fastest tier");
    }
  }

  @Test
  void theTableNamesTheRuleAndWhyTheFirstIsFirst() {
    CommandRun run = run("explain", "/hot/file");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("placed by: hybrid (attribute user.tierwise.placement of /hot)")
        .contains("read by: greedy")
        .contains("Mover obeys the storage policy HOT and would move 3 of these replicas")
        .contains("fastest tier");
  }

  @Test
  void anotherStrategyAndAnotherReaderCanBeTried() throws IOException {
    JsonNode disk = json("explain", "/plain", "--json", "--access", "dld");
    String node = disk.path("blocks").path(0).path("replicas").path(1).path("node").asText();
    String rack = disk.path("blocks").path(0).path("replicas").path(1).path("rack").asText();
    String host = node.substring(0, node.indexOf(':'));
    JsonNode moved =
        json("explain", "/plain", "--json", "--access", "dld", "--reader", rack + "/" + host);
    assertThat(moved.path("blocks").path(0).path("reason").asText()).contains("local");
    assertThat(moved.path("placement").isNull()).isTrue();
  }

  @Test
  void aDirectoryIsRefusedWithTheCommandToUse() {
    CommandRun run = run("explain", "/hot");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("is a directory").contains("tierwise policy get");
  }

  private static CommandRun doctor(String... more) {
    String http = NetUtils.getHostPortString(cluster.getNameNode().getHttpAddress());
    String[] arguments = Arrays.copyOf(more, more.length + 3);
    arguments[more.length] = "doctor";
    arguments[more.length + 1] = "-D";
    arguments[more.length + 2] = "dfs.namenode.http-address=" + http;
    Collections.rotate(Arrays.asList(arguments), 3);
    return run(arguments);
  }

  @Test
  void theDoctorSeesTheNameNodesPluginAndWhatDataNodesLack() {
    CommandRun run = doctor();
    assertThat(run.out())
        .contains("the plug-in runs and publishes its counters")
        .contains("fs.hdfs.impl is not set")
        .contains("tier disk has no measured figures")
        .doesNotContain("dfs.datanode.fsdataset")
        .doesNotContain("FAILURE");
    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(doctor("-D", "tierwise.access.strategy=nbd").out())
        .contains("dfs.datanode.fsdataset.factory is not ours on host0.foo.com:");
  }

  @Test
  void theDoctorLooksBehindAMountTable() {
    CommandRun run =
        doctor(
            "-D",
            "fs.defaultFS=viewfs://home/",
            "-D",
            "fs.viewfs.mounttable.home.link./data=" + fs.getUri() + "/hot");
    assertThat(run.out()).contains("the plug-in runs and publishes its counters");
    assertThat(run.exitCode()).as(run.out()).isZero();
  }

  @Test
  void theDoctorFailsAClusterInSafeMode() throws IOException {
    fs.setSafeMode(org.apache.hadoop.fs.SafeModeAction.ENTER);
    try {
      CommandRun run = doctor();
      assertThat(run.out()).contains("FAILURE").contains("safe mode");
      assertThat(run.exitCode()).isEqualTo(3);
    } finally {
      fs.setSafeMode(org.apache.hadoop.fs.SafeModeAction.LEAVE);
    }
  }

  @Test
  void theDoctorNamesNodesOutOfService() throws IOException {
    DatanodeManager nodes = cluster.getNamesystem().getBlockManager().getDatanodeManager();
    DatanodeDescriptor node = nodes.getDatanode(cluster.getDataNodes().get(3).getDatanodeId());
    nodes.getDatanodeAdminManager().startDecommission(node);
    try {
      assertThat(doctor().out())
          .containsPattern("1 decommission[a-z ]*: host3.foo.com:" + node.getXferPort());
    } finally {
      nodes.getDatanodeAdminManager().stopDecommission(node);
    }
  }
}
