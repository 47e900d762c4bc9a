package io.tierwise.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.SubRacks.Host;
import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNodeGroup;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What docs/how-to/localized-storage.md says of stock HDFS, and of managed paths with node groups:
 * where replicas of clients are put and found that run beside no DataNode.
 */
class LocalizedStorageIT {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int BLOCKS = 4;

  @TempDir private java.nio.file.Path folder;

  private static Configuration hurrying(Configuration conf) {
    ManagedHdfs.haveHdfsHurry(conf);
    // Stock HDFS passes over a writer's storage node that has twice as many transfers as the mean,
    // which one writer can make of four nodes.
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
    return conf;
  }

  @Test
  void subRacksThatAreRacksOfHdfs() throws Exception {
    try (SubRacks hdfs = new SubRacks(folder)) {
      hdfs.start(hurrying(new HdfsConfiguration()));
      assertNearReplicas(hdfs);
      Host lost = hdfs.named("lsn-1-1");
      hdfs.lose(lost);
      try (DistributedFileSystem fs = hdfs.on(hdfs.named("compute-1-1-1"))) {
        write(fs, "/after", 3);
        hdfs.awaitReplicas("/after", 3);
        assertThat(SubRacks.locations(fs, "/after"))
            .allSatisfy(block -> assertThat(block).doesNotContain(lost.location()));
        for (Host writer : hdfs.computeNodes()) {
          hdfs.awaitReplicas(file(writer), 3);
          DFSTestUtil.readFileBuffer(fs, new Path(file(writer)));
        }
      }
    }
  }

  /** Two replicas stand in two racks then, however many storage nodes a rack has. */
  @Test
  void subRacksThatAreNodeGroups() throws Exception {
    Configuration conf = hurrying(new HdfsConfiguration());
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
        BlockPlacementPolicyWithNodeGroup.class.getName());
    assertSpreadByGroups(conf);
  }

  @Test
  void managedSubRacksThatAreNodeGroups() throws Exception {
    Configuration conf = hurrying(ManagedHdfs.configuration());
    conf.set(
        "tierwise.placement.unmanaged.classname",
        BlockPlacementPolicyWithNodeGroup.class.getName());
    conf.set("tierwise.tiers.file", SubRacks.EXAMPLE.resolve("tiers.yaml").toString());
    assertSpreadByGroups(conf);
  }

  /** A command's own configuration need not have the keys of the NameNode's tree. */
  @Test
  void theNameNodeTellsThatItHasNodeGroups() throws Exception {
    Configuration conf = ManagedHdfs.configuration();
    haveGroups(conf);
    try (MiniDFSCluster hdfs =
        new MiniDFSCluster.Builder(conf, folder.toFile()).numDataNodes(0).build()) {
      Configuration plain = new Configuration(false);
      NameNodePlugin plugin = new NameNodePlugin(hdfs.getFileSystem(), plain);
      RegionNames regions = plugin.ofActive().regions(plain);
      assertThat(regions.rackOf("/r1/lsn1")).isEqualTo("/r1");
      assertThat(regions.regionOf("/r1/lsn1")).isEqualTo("default");
    }
  }

  private static void haveGroups(Configuration conf) {
    conf.set("net.topology.impl", NetworkTopologyWithNodeGroup.class.getName());
    conf.setBoolean(DFSConfigKeys.DFS_USE_DFS_NETWORK_TOPOLOGY_KEY, false);
  }

  private void assertSpreadByGroups(Configuration conf) throws Exception {
    haveGroups(conf);
    try (SubRacks hdfs = new SubRacks(folder)) {
      hdfs.start(conf);
      // Without the plug-ins an attribute without a meaning.
      hdfs.cluster()
          .getFileSystem()
          .setXAttr(new Path("/"), "user.tierwise.placement", "network-aware".getBytes(UTF_8));
      assertNearReplicas(hdfs);
      for (Host writer : hdfs.computeNodes()) {
        try (DistributedFileSystem fs = hdfs.on(writer)) {
          write(fs, "/two", 2);
          hdfs.awaitReplicas("/two", 2);
          assertThat(SubRacks.locations(fs, "/two"))
              .allSatisfy(
                  block -> {
                    assertThat(block).contains(writer.location());
                    assertThat(block.stream().map(SubRacks::rackOf)).doesNotHaveDuplicates();
                  });
        }
      }
    }
  }

  /** Each writes a file; then each asks where all files are. */
  private static void assertNearReplicas(SubRacks hdfs) throws Exception {
    List<String> files = new ArrayList<>();
    for (Host writer : hdfs.computeNodes()) {
      try (DistributedFileSystem fs = hdfs.on(writer)) {
        write(fs, file(writer), 3);
        hdfs.awaitReplicas(file(writer), 3);
        assertThat(SubRacks.locations(fs, file(writer)))
            .hasSize(BLOCKS)
            .allSatisfy(
                block ->
                    assertThat(block)
                        .as("of %s", writer)
                        .hasSize(3)
                        .doesNotHaveDuplicates()
                        .contains(writer.location()));
        assertThat(hdfs.isSpreadAsHdfsWants(fs, file(writer))).as("of %s", writer).isTrue();
        files.add(file(writer));
      }
    }
    for (Host reader : hdfs.computeNodes()) {
      try (DistributedFileSystem fs = hdfs.on(reader)) {
        for (String file : files) {
          SubRacks.locations(fs, file).forEach(block -> assertNearestFirst(reader, block));
        }
      }
    }
  }

  /** Its own storage node, else another of its rack. */
  static void assertNearestFirst(Host reader, List<String> block) {
    boolean own = block.contains(reader.location());
    boolean inRack = block.stream().map(SubRacks::rackOf).anyMatch(reader.rack()::equals);
    if (own) {
      assertThat(block.get(0)).as("for %s: %s", reader, block).isEqualTo(reader.location());
    } else if (inRack) {
      assertThat(SubRacks.rackOf(block.get(0))).as("for %s", reader).isEqualTo(reader.rack());
    }
  }

  private static String file(Host writer) {
    return "/of-" + writer.name();
  }

  private static void write(DistributedFileSystem fs, String file, int replicas)
      throws IOException {
    DFSTestUtil.createFile(
        fs, new Path(file), 4096, (long) BLOCKS * BLOCK_BYTES, BLOCK_BYTES, (short) replicas, 7);
  }
}
