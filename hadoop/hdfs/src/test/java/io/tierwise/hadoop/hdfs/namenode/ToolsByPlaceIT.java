package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mover and Balancer where tiers are told apart by where their nodes are. */
class ToolsByPlaceIT {
  private static final int BLOCKS = 4;

  /** Hadoop's own rule takes no replica out of a rack where fewer racks would be left. */
  private static final String[] RACKS = {"/f1", "/f2", "/f3", "/s1", "/s1", "/s2"};

  private TieredCluster cluster;

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static Configuration settings(String tiers) throws IOException {
    return HadoopTools.hurry(TieredCluster.settings(tiers));
  }

  /** Whether a replica is on a node in a rack of that kind. */
  private static boolean isIn(String kind, LocatedBlock block) {
    return Arrays.stream(block.getLocations())
        .anyMatch(node -> node.getNetworkLocation().startsWith("/" + kind));
  }

  /** Long: ToolsIT has a Mover in make test. */
  @Tag("long")
  @Test
  void theMoverBringsFilesUnderNoPolicyToNodesOfAnotherTier() throws Exception {
    StorageType[][] types = new StorageType[RACKS.length][];
    Arrays.fill(types, 0, 3, new StorageType[] {StorageType.SSD});
    Arrays.fill(types, 3, 6, new StorageType[] {StorageType.DISK});
    String tiers =
        """
        tiers:
          - {name: ssd, match: {storage-type: SSD, racks: ["/f*"]}}
          - {name: disk, match: {storage-type: DISK, racks: ["/s*"]}}
        """;
    cluster = TieredCluster.start(settings(tiers), RACKS, types, null);
    Path file = cluster.write(new Path(cluster.directory("/plain", null), "f"), BLOCKS, 3);
    assertThat(cluster.blocks(file)).noneMatch(block -> isIn("f", block));
    cluster.files().setStoragePolicy(file, "ALL_SSD");

    int code =
        ToolRunner.run(
            new Configuration(cluster.files().getConf()),
            new Mover.Cli(),
            new String[] {"-p", "/plain"});

    assertThat(code).isZero();
    TieredCluster.await(
        "all on SSDs", () -> cluster.blocks(file).stream().noneMatch(block -> isIn("s", block)));
    cluster.assertWhole(file, BLOCKS);
  }

  @Test
  void theBalancerStaysWithinTiersUnlessItsKeySaysOtherwise() throws Exception {
    StorageType[][] types = new StorageType[RACKS.length][];
    long[][] capacities = new long[RACKS.length][];
    Arrays.fill(types, new StorageType[] {StorageType.DISK});
    Arrays.fill(capacities, new long[] {40L * TieredCluster.BLOCK_BYTES});
    String tiers =
        """
        tiers:
          - {name: quick, match: {storage-type: DISK, racks: ["/f*"]}}
          - {name: slow, match: {storage-type: DISK, racks: ["/s*"]}}
        """;
    cluster = TieredCluster.start(settings(tiers), RACKS, types, capacities);
    Path slow = cluster.directory("/slow", "layout:3 x slow");
    Path file = cluster.write(new Path(slow, "f"), 25, 3);
    cluster.files().removeXAttr(slow, TieredCluster.ATTRIBUTE);
    assertThat(cluster.blocks(file)).noneMatch(block -> isIn("f", block));
    // The Balancer goes by what nodes have told of their use.
    cluster.mini().triggerHeartbeats();

    balance(true);
    cluster.awaitReplicas(file, 3);
    assertThat(cluster.blocks(file)).noneMatch(block -> isIn("f", block));

    balance(false);
    cluster.awaitReplicas(file, 3);
    assertThat(cluster.blocks(file)).anyMatch(block -> isIn("f", block));
    cluster.assertWhole(file, 25);
  }

  private void balance(boolean withinTiers) throws Exception {
    Configuration conf = new Configuration(cluster.files().getConf());
    conf.setBoolean(MovesWithinTiers.KEY, withinTiers);
    ToolRunner.run(conf, HadoopTools.balancer(), new String[] {"-threshold", "10"});
  }
}
