package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.GuideCommands.Line;
import io.tierwise.cli.SubRacks.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of docs/how-to/localized-storage.md as they stand there, with the configuration of
 * its example, and what the page says of writes, reads and the loss of a storage node.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LocalizedStorageGuideIT {
  private static final Path GUIDE =
      Path.of(System.getProperty("tierwise.root"), "docs", "how-to", "localized-storage.md");
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int BLOCKS = 12;
  private static final String WAREHOUSE = "/warehouse";

  @TempDir static Path folder;
  private static SubRacks hdfs;
  private static Path tiers;
  private static DistributedFileSystem admin;

  @BeforeAll
  static void start() throws IOException {
    hdfs = new SubRacks(folder);
    Configuration conf = new HdfsConfiguration();
    conf.addResource(new org.apache.hadoop.fs.Path(site("hdfs-site.xml").toUri()));
    Path nodes = Files.writeString(folder.resolve("hosts.json"), "[]");
    conf.set(DFSConfigKeys.DFS_HOSTS, nodes.toString());
    tiers = site("tiers.yaml");
    conf.set("tierwise.tiers.file", tiers.toString());
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    ManagedHdfs.haveHdfsHurry(conf);
    hdfs.start(conf);
    Files.writeString(nodes, domains());
    hdfs.cluster().getNamesystem().getBlockManager().getDatanodeManager().refreshNodes(conf);
    admin = hdfs.cluster().getFileSystem();
    Files.write(folder.resolve("part-0"), new byte[BLOCKS * BLOCK_BYTES]);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static Path site(String name) {
    return SubRacks.EXAMPLE.resolve(name);
  }

  /** The example's, of which all nodes have the address of this machine and a port of their own. */
  private static String domains() throws IOException {
    JsonNode example = new ObjectMapper().readTree(site("hosts.json").toFile());
    List<String> lines = new ArrayList<>();
    for (JsonNode node : example) {
      Host host = hdfs.named(node.path("hostName").asText());
      lines.add(
          "{\"hostName\": \"127.0.0.1\", \"port\": %d, \"upgradeDomain\": \"%s\"}"
              .formatted(hdfs.dataNodeOf(host).getXferPort(), node.path("upgradeDomain").asText()));
    }
    assertThat(lines).hasSameSizeAs(hdfs.storageNodes());
    return "[" + String.join(",\n", lines) + "]";
  }

  @Test
  @Order(1)
  void everyBlockOfCommandsSaysWhereItRan() throws IOException {
    assertThat(GuideCommands.unsaid(GUIDE)).isEmpty();
  }

  /** Before anybody has read: what the NameNode has told a reader counts as load. */
  @Test
  @Order(2)
  void autoSendsAReaderToItsOwnStorageNodeWhileThatIsIdle() throws IOException {
    String file = "/idle";
    DFSTestUtil.createFile(admin, new org.apache.hadoop.fs.Path(file), 1000, (short) 3, 7);
    hdfs.awaitReplicas(file, 3);
    hdfs.awaitIdle();
    for (String holder : hdfs.holders(file)) {
      Host reader =
          hdfs.computeNodes().stream()
              .filter(host -> host.location().equals(holder))
              .findFirst()
              .orElseThrow();
      try (DistributedFileSystem fs = hdfs.on(reader)) {
        assertThat(SubRacks.locations(fs, file).get(0))
            .as("for %s", reader)
            .hasSize(3)
            .startsWith(holder);
      }
    }
  }

  @Test
  @Order(3)
  void theCommandsRunAndSayWhatIs() throws Exception {
    List<String> answers = answers("hdfs");
    assertThat(answers).hasSize(9);
    assertThat(answers.get(0))
        .contains(
            "4 live DataNodes in 4 racks",
            "auto is told the uplinks of all 4 racks",
            "0 failures, 0 not checked")
        .doesNotContain("FAILURE", "in one rack", "upgrade domains, and ");
    assertThat(answers.get(4)).contains("new blocks placed by: stock HDFS", "reader: this machine");
    assertThat(answers.get(7))
        .contains(
            "replicas where the policy wants them: 36 of 36",
            "reader: /r1/lsn-1-2/compute-1-2-1.example.com");
    assertThat(Files.readString(folder.resolve("mine.yaml"))).contains("lsn-1-1", "lsn-1-2");
    assertSpread("/data/part-0", 3, null);
    assertSpread(WAREHOUSE + "/part-0", 3, hdfs.named("compute-1-1-1"));
  }

  /**
   * One replica on a storage node, in two racks.
   *
   * @param writer whose storage node holds one; null where that may have been too busy for stock
   *     HDFS
   */
  private static void assertSpread(String file, int replicas, Host writer) throws IOException {
    hdfs.awaitReplicas(file, replicas);
    assertThat(SubRacks.locations(admin, file))
        .as("%s of %s", file, writer)
        .hasSize(BLOCKS)
        .allSatisfy(
            block -> {
              assertThat(block).hasSize(replicas).doesNotHaveDuplicates();
              assertThat(block.stream().map(SubRacks::rackOf).distinct()).hasSize(2);
              assertThat(writer == null || block.contains(writer.location())).isTrue();
            });
  }

  /** Drawn from all other storage nodes, the second would be in the same rack in a third of all. */
  @Test
  @Order(4)
  void twoReplicasStandInTwoRacksAndOneOnTheWritersOwnStorageNode() throws IOException {
    for (Host writer : hdfs.computeNodes()) {
      write(writer, "/data/two", 2);
      assertSpread("/data/two", 2, null);
      write(writer, WAREHOUSE + "/two", 2);
      assertSpread(WAREHOUSE + "/two", 2, writer);
    }
  }

  private static void write(Host writer, String file, int replicas) throws IOException {
    try (DistributedFileSystem fs = hdfs.on(writer)) {
      DFSTestUtil.createFile(
          fs,
          new org.apache.hadoop.fs.Path(file),
          4096,
          (long) BLOCKS * BLOCK_BYTES,
          BLOCK_BYTES,
          (short) replicas,
          7);
    }
    hdfs.awaitReplicas(file, replicas);
  }

  @Test
  @Order(5)
  void explainIsRightForReadersBesideNoDataNode() throws IOException {
    String file = WAREHOUSE + "/part-0";
    for (Host reader : hdfs.computeNodes()) {
      JsonNode there = json(run(null, "explain", file, "--json", "--reader", reader.place()));
      for (JsonNode block : there.path("blocks")) {
        assertDistances(reader, block);
        List<String> racks = new ArrayList<>();
        block.path("replicas").forEach(replica -> racks.add(replica.path("rack").asText()));
        LocalizedStorageIT.assertNearestFirst(reader, racks);
      }
    }
  }

  private static void assertDistances(Host reader, JsonNode block) {
    for (JsonNode replica : block.path("replicas")) {
      String location = replica.path("rack").asText();
      int hops =
          location.equals(reader.location())
              ? 2
              : SubRacks.rackOf(location).equals(reader.rack()) ? 4 : 6;
      assertThat(replica.path("distance").asInt(-1))
          .as("%s from %s", replica, reader)
          .isEqualTo(hops);
    }
  }

  @Test
  @Order(6)
  void aStorageNodeDies() throws Exception {
    Host lost = hdfs.named("lsn-1-1");
    List<String> files =
        List.of("/data/part-0", WAREHOUSE + "/part-0", "/data/two", WAREHOUSE + "/two");
    hdfs.lose(lost);
    try (DistributedFileSystem fs = hdfs.on(hdfs.named("compute-1-1-1"))) {
      for (String file : files) {
        byte[] read = DFSTestUtil.readFileAsBytes(fs, new org.apache.hadoop.fs.Path(file));
        assertThat(read).as(file).hasSize(BLOCKS * BLOCK_BYTES);
      }
    }
    write(hdfs.named("compute-1-1-1"), WAREHOUSE + "/after", 3);
    for (String file : files) {
      assertSpread(file, file.endsWith("two") ? 2 : 3, null);
      assertThat(hdfs.holders(file)).as(file).doesNotContain(lost.location());
    }
    List<String> answers = answers("lost");
    assertThat(answers).hasSize(2);
    assertThat(answers.get(0))
        .contains("1 dead: lsn-1-1.example.com", "0 failures, 0 not checked")
        .doesNotContain("upgrade domains, and ");
    assertThat(answers.get(1)).contains("replicas where the policy wants them: 36 of 36");
  }

  private static List<String> answers(String where) throws Exception {
    List<String> answers = new ArrayList<>();
    for (Line line : GuideCommands.of(GUIDE, where)) {
      Host host = line.comment().isEmpty() ? null : hdfs.named(line.comment().replace("on ", ""));
      if (host != null) {
        SubRacks.beOn(host);
      }
      if (line.startsWith("bin/tierwise")) {
        CommandRun run = run(host, line.arguments(1));
        assertThat(run.exitCode()).as("%s: %s %s", line, run.out(), run.err()).isZero();
        answers.add(run.unfolded());
      } else {
        boolean isShell = line.startsWith("hdfs", "dfs");
        Tool tool = isShell ? new FsShell() : new DFSAdmin();
        assertThat(line.startsWith("hdfs", "dfsadmin") || isShell).as("%s", line).isTrue();
        assertThat(runTool(tool, host, line.arguments(2))).as("%s", line).isZero();
        if (line.startsWith("hdfs", "dfs", "-put")) {
          hdfs.awaitReplicas(line.words().get(4), 3);
        }
        answers.add("");
      }
    }
    return answers;
  }

  private static int runTool(Tool tool, Host host, String... arguments) throws Exception {
    Configuration conf = new Configuration(hdfs.cluster().getConfiguration(0));
    conf.set("fs.defaultFS", admin.getUri().toString());
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    keys(host).forEach(conf::set);
    return ToolRunner.run(conf, tool, here(arguments));
  }

  /** Files of the guide's reader are in the test's folder. */
  private static String[] here(String... arguments) {
    return Arrays.stream(arguments)
        .map(
            word ->
                List.of("part-0", "mine.yaml").contains(word)
                    ? folder.resolve(word).toString()
                    : word)
        .toArray(String[]::new);
  }

  /** Runs a command of this project, on a host or, without one, where nobody is a client. */
  private static CommandRun run(Host host, String... arguments) {
    List<String> words = new ArrayList<>(List.of("--fs", admin.getUri().toString()));
    keys(host).forEach((key, value) -> words.addAll(List.of("-D", key + "=" + value)));
    words.addAll(0, List.of(here(arguments)));
    return CommandRun.of(words.toArray(String[]::new));
  }

  /** The example's for all machines, but that a table in memory takes the place of the script. */
  private static Map<String, String> keys(Host host) {
    Configuration example = new Configuration(false);
    example.addResource(new org.apache.hadoop.fs.Path(site("core-site.xml").toUri()));
    Map<String, String> keys = new TreeMap<>();
    example.forEach(key -> keys.put(key.getKey(), key.getValue()));
    assertThat(keys.remove("net.topology.script.file.name")).isNotNull();
    keys.put("net.topology.node.switch.mapping.impl", StaticMapping.class.getName());
    keys.put("tierwise.tiers.file", tiers.toString());
    String web = NetUtils.getHostPortString(hdfs.cluster().getNameNode().getHttpAddress());
    keys.put("dfs.namenode.http-address", web);
    keys.putAll(host == null ? Map.of() : SubRacks.keysOf(host));
    return keys;
  }

  private static JsonNode json(CommandRun run) throws IOException {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }
}
