package io.tierwise.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.cli.ManagedHdfs;
import io.tierwise.policies.cost.DataLoss;
import io.tierwise.policies.cost.KeptBlocks;
import io.tierwise.policies.cost.NodeCopies;
import io.tierwise.policies.cost.NodePool;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code risk} of what a stock HDFS of six nodes stores. */
class RiskIT {
  private static final int NODES = 6;
  private static final long BLOCK_BYTES = 1 << 20;
  private static final double A_DAY = DataLoss.failureProbability(1, 3 * 365);
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);

  @TempDir static java.nio.file.Path folder;
  private static ManagedHdfs hdfs;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void store() throws Exception {
    hdfs =
        ManagedHdfs.start(
            folder, null, new HdfsConfiguration(), nodes -> nodes.numDataNodes(NODES));
    fs = hdfs.fs();
    write("/safe/file", 4 * BLOCK_BYTES, 3);
    write("/risky/file", 2 * BLOCK_BYTES, 1);
    fs.setPermission(new Path("/risky/file"), OWNER_ONLY);
    fs.mkdirs(new Path("/locked"), OWNER_ONLY);
    fs.enableErasureCodingPolicy("RS-3-2-1024k");
    fs.mkdirs(new Path("/coded"));
    fs.setErasureCodingPolicy(new Path("/coded"), "RS-3-2-1024k");
    DFSTestUtil.createFile(fs, new Path("/coded/full"), 3 * BLOCK_BYTES, (short) 1, 7);
    // One cell of data and two of parity: any of three nodes is enough.
    DFSTestUtil.createFile(fs, new Path("/coded/small"), 1000, (short) 1, 7);
    hdfs.awaitParts("/coded/full", 5);
    hdfs.awaitParts("/coded/small", 3);
  }

  private static void write(String path, long bytes, int replicas) throws Exception {
    DFSTestUtil.createFile(fs, new Path(path), 4096, bytes, BLOCK_BYTES, (short) replicas, 7);
    hdfs.awaitReplicas(path, replicas);
  }

  @AfterAll
  static void stop() {
    hdfs.cluster().shutdown();
  }

  private static CommandRun run(String... words) {
    List<String> all = new ArrayList<>(List.of("risk"));
    all.addAll(List.of(words));
    return hdfs.run(all.toArray(String[]::new));
  }

  private static CommandRun runAs(String user, String... words) throws Exception {
    return UserGroupInformation.createRemoteUser(user)
        .doAs((PrivilegedExceptionAction<CommandRun>) () -> run(words));
  }

  private static JsonNode json(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(words));
    all.add("--json");
    CommandRun run = run(all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  void aPathIsToldByTheReplicasThatItHas() throws IOException {
    JsonNode answer = json("/safe");
    assertThat(answer.get("pools").get(0).get("nodes").asInt()).isEqualTo(NODES);
    assertThat(answer.get("rows")).hasSize(1);
    JsonNode row = answer.get("rows").get(0);
    assertThat(row.get("copies").asText()).isEqualTo("3 replicas");
    assertThat(row.get("blocks").asLong()).isEqualTo(4);
    assertThat(row.get("bytes").asLong()).isEqualTo(4 * BLOCK_BYTES);
    double expected = DataLoss.probability(NODES, 3, 4, A_DAY);
    assertThat(row.get("probability").asDouble() / expected).isCloseTo(1, within(1e-9));
    JsonNode stored = answer.get("stored");
    assertThat(stored.get("probability").asDouble()).isEqualTo(row.get("probability").asDouble());
    assertThat(stored.get("watts").asDouble())
        .isCloseTo(4 * BLOCK_BYTES / 1e12 * 25, within(1e-12));
  }

  @Test
  void aClusterIsToldWithTheRiskiestFirst() throws IOException {
    JsonNode answer = json("/");
    JsonNode rows = answer.get("rows");
    assertThat(rows.findValuesAsText("copies"))
        .containsExactly("1 replica", "any 3 of 5", "3 replicas", "any 1 of 3");
    assertThat(rows.findValuesAsText("blocks")).containsExactly("2", "1", "4", "1");
    assertThat(rows.get(3).get("watts_per_terabyte").asDouble()).isCloseTo(25, within(1e-9));
    assertThat(rows.get(1).get("watts_per_terabyte").asDouble())
        .isCloseTo(5.0 / 3 * 200 / 24, within(1e-9));
    double all =
        DataLoss.probability(
            List.of(new NodePool(NODES, A_DAY)),
            List.of(
                new KeptBlocks(2, List.of(NodeCopies.replicas(0, 1))),
                new KeptBlocks(1, List.of(new NodeCopies(0, 5, 3))),
                new KeptBlocks(5, List.of(NodeCopies.replicas(0, 3)))));
    assertThat(answer.get("stored").get("probability").asDouble() / all).isCloseTo(1, within(1e-9));
    double watts = 0;
    for (JsonNode row : rows) {
      watts += row.get("bytes").asLong() / 1e12 * row.get("watts_per_terabyte").asDouble();
    }
    assertThat(answer.get("stored").get("watts").asDouble() / watts).isCloseTo(1, within(1e-9));
    assertThat(run("/").out()).contains("risk that any of these blocks is lost");
  }

  /** A full group of RS-3-2 has five parts of a cell, a small one three of its bytes. */
  @Test
  void fileWhereCountsPartsOfGroupsByTheirOwnBytes() throws IOException {
    CommandRun run = hdfs.run("file", "where", "/coded", "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    List<JsonNode> disks = new ArrayList<>();
    new ObjectMapper()
        .readTree(run.out())
        .path("tiers")
        .forEach(
            tier -> {
              if (tier.path("tier").asText().equals("disk")) {
                disks.add(tier);
              }
            });

    assertThat(disks).hasSize(1);
    assertThat(disks.get(0).path("blocks").asInt()).isEqualTo(2);
    assertThat(disks.get(0).path("replicas").asInt()).isEqualTo(5 + 3);
    assertThat(disks.get(0).path("bytes").asLong()).isEqualTo(5 * BLOCK_BYTES + 3 * 1000);
  }

  @Test
  void aPathThatIsNotThereIsNamed() {
    CommandRun run = run("/absent");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("no such path: /absent").hasLineCount(1);
  }

  @Test
  void aDirectoryThatMayNotBeListedIsNamedAndNothingIsToldOfTheRest() throws Exception {
    CommandRun run = runAs("eve", "/", "--nodes", "6");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err()).contains("no permission to read /locked: the risk").hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void whoIsNoSuperuserSaysHowManyNodesThereAre() throws Exception {
    CommandRun refused = runAs("eve", "/risky");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).contains("give --nodes N").hasLineCount(1);
    CommandRun told = runAs("eve", "/risky", "--nodes", "6");
    assertThat(told.exitCode()).as(told.err()).isZero();
    assertThat(told.out()).isEqualTo(run("/risky").out()).contains("1 replica");
  }

  @Test
  void anEmptyDirectoryHasNothingToLose() {
    CommandRun run = run("/locked");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("nothing is stored there");
  }

  @Test
  void pathsThatOverlapCountOnce() throws IOException {
    assertThat(json("/safe", "/safe/file").get("rows").findValuesAsText("blocks"))
        .containsExactly("4");
  }

  @Test
  void moreReplicasThanToldNodesAreRefused() {
    CommandRun run = run("/safe", "--nodes", "2");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--nodes 2 is too little").hasLineCount(1);
  }

  /** The NameNode's list has the second block only once it knows a byte of it. */
  @Test
  void ofAFileThatIsBeingWrittenTheFinishedBlocksCount() throws Exception {
    Path file = new Path("/open/file");
    try (FSDataOutputStream out = fs.create(file, true, 4096, (short) 1, BLOCK_BYTES)) {
      out.write(new byte[10]);
      out.hflush();
      assertThat(run("/open").out())
          .contains("1 block being written")
          .doesNotContain("nothing is stored");
      out.write(new byte[(int) BLOCK_BYTES]);
      out.hflush();
      assertThat(json("/open").get("rows").findValuesAsText("blocks")).containsExactly("1");
      ((HdfsDataOutputStream) out).hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
      assertThat(json("/open").get("rows").findValuesAsText("blocks")).containsExactly("1");
    } finally {
      fs.delete(file.getParent(), true);
    }
  }

  @Test
  void whatStandsOnADecommissionedNodeCountsOnlyWhereNothingElseDoes() throws Exception {
    write("/leaving/one", BLOCK_BYTES, 1);
    write("/leaving/all", BLOCK_BYTES, NODES);
    String uuid =
        fs.getClient()
            .getLocatedBlocks("/leaving/one", 0)
            .get(0)
            .getLocations()[0]
            .getDatanodeUuid();
    DatanodeDescriptor node =
        hdfs.cluster().getNamesystem().getBlockManager().getDatanodeManager().getDatanode(uuid);
    node.setDecommissioned();
    try {
      JsonNode answer = json("/leaving");
      assertThat(answer.get("pools").get(0).get("nodes").asInt()).isEqualTo(NODES - 1);
      assertThat(answer.get("rows").findValuesAsText("copies"))
          .containsExactly("1 replica", "5 replicas");
    } finally {
      node.stopDecommission();
      fs.delete(new Path("/leaving"), true);
    }
  }

  @Test
  void aBlockThatSnapshotsHoldTooCountsOnce() throws Exception {
    Path folder = new Path("/snap");
    write("/snap/kept", BLOCK_BYTES, 2);
    write("/snap/gone", BLOCK_BYTES, 2);
    fs.allowSnapshot(folder);
    fs.createSnapshot(folder, "s1");
    fs.createSnapshot(folder, "s2");
    try {
      fs.delete(new Path("/snap/gone"), false);
      assertThat(json("/snap").get("rows").findValuesAsText("blocks")).containsExactly("1");
      assertThat(
              json("/snap", "/snap/.snapshot/s1", "/snap/.snapshot/s2")
                  .get("rows")
                  .findValuesAsText("blocks"))
          .containsExactly("2");
    } finally {
      fs.deleteSnapshot(folder, "s1");
      fs.deleteSnapshot(folder, "s2");
      fs.disallowSnapshot(folder);
      fs.delete(folder, true);
    }
  }

  @Test
  void aBlockThatIsLostAlreadyIsCountedApartAndExitCodeOne() throws Exception {
    write("/broken/file", 2 * BLOCK_BYTES, 1);
    try {
      LocatedBlock first = fs.getClient().getLocatedBlocks("/broken/file", 0).get(0);
      fs.getClient().reportBadBlocks(new LocatedBlock[] {first});
      CommandRun run = run("/broken", "--json");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("1 block cannot be read already").hasLineCount(1);
      JsonNode answer = new ObjectMapper().readTree(run.out());
      assertThat(answer.get("stored").get("unreadable_blocks").asLong()).isEqualTo(1);
      assertThat(answer.get("rows").get(0).get("blocks").asLong()).isEqualTo(1);
      write("/broken/alone", BLOCK_BYTES, 1);
      LocatedBlock alone = fs.getClient().getLocatedBlocks("/broken/alone", 0).get(0);
      fs.getClient().reportBadBlocks(new LocatedBlock[] {alone});
      assertThat(run("/broken/alone").out())
          .contains("1 block cannot be read already")
          .doesNotContain("nothing is stored");
    } finally {
      fs.delete(new Path("/broken"), true);
    }
  }
}
