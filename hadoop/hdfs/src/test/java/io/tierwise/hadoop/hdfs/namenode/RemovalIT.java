package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The fate of managed data after the plug-in was removed: see docs/how-to/remove.md, whose figures
 * this suite prints.
 */
@Tag("long")
class RemovalIT {
  private static final int BLOCKS = 8;
  private static final long[] VOLUME_BYTES = {
    60L * TieredCluster.BLOCK_BYTES,
    120L * TieredCluster.BLOCK_BYTES,
    60L * TieredCluster.BLOCK_BYTES
  };
  private static final List<String> LAYOUTS =
      List.of("layout:3 x fast", "layout:1 x fast + 1 x middle + 1 x slow", "layout:3 x slow");

  @Test
  void noReplicaMovesUntilRepairOrAToolTouchesItAndNoDataIsLost() throws Exception {
    String[] racks = {"/r1", "/r1", "/r2", "/r2", "/r3", "/r3"};
    StorageType[][] types = new StorageType[racks.length][];
    long[][] capacities = new long[racks.length][];
    Arrays.fill(types, new StorageType[] {StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE});
    Arrays.fill(capacities, VOLUME_BYTES);
    try (TieredCluster cluster = TieredCluster.start(settings(), racks, types, capacities)) {
      List<Path> files = write(cluster);
      String empty = cluster.addNode("/r1", VOLUME_BYTES);
      List<String> places = places(cluster, files);
      List<Map<String, Long>> written = show("as written", cluster, files);
      removePlugin(cluster);
      for (Path file : files) {
        cluster.awaitReplicas(file, 3);
      }
      show("restarted without the plug-in", cluster, files);
      assertThat(places(cluster, files)).isEqualTo(places);

      loseNode(cluster, files);
      List<Map<String, Long>> repaired = show("after repair of a lost node", cluster, files);
      assertOnlyGained("middle", written, repaired);

      balance(cluster, files, empty);
      assertThat(show("after the Balancer", cluster, files)).isEqualTo(repaired);

      replicate(cluster, files, 2);
      List<Map<String, Long>> fewer = show("after setrep 2", cluster, files);
      assertThat(count(fewer, "middle")).isEqualTo(count(repaired, "middle"));
      assertThat(count(fewer, "fast")).isLessThan(count(repaired, "fast"));
      replicate(cluster, files, 3);
      assertOnlyGained("middle", fewer, show("after setrep 3", cluster, files));

      int code = ToolRunner.run(clientConf(cluster), new Mover.Cli(), new String[] {"-p", "/data"});
      assertThat(code).isZero();
      for (Path file : files) {
        TieredCluster.await(
            file + " by its storage policy",
            () -> cluster.tiersOfBlocks(file).stream().allMatch("middle middle middle"::equals));
      }
      show("after the Mover", cluster, files);
      for (Path file : files) {
        cluster.assertWhole(file, BLOCKS);
      }
      requireKeysToGoBeforeTheJar(cluster);
    }
  }

  private static Configuration settings() throws IOException {
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS);
    // Or the restarted NameNode repairs what has only not been reported yet.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_REPLICATION_MIN_KEY, 3);
    HadoopTools.hurry(conf);
    return conf;
  }

  /** A NameNode that is told to use a class which is gone does not start. */
  private static void requireKeysToGoBeforeTheJar(TieredCluster cluster) {
    Configuration conf = cluster.mini().getConfiguration(0);
    for (String key :
        List.of(
            DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
            DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY)) {
      // A NameNode that failed to start leaves its web server to the JVM.
      conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, "127.0.0.1:0");
      conf.set(key, "io.tierwise.Gone");
      assertThatThrownBy(() -> cluster.mini().restartNameNode(0))
          .hasMessageContaining("ClassNotFoundException")
          .hasMessageContaining("io.tierwise.Gone");
      conf.unset(key);
    }
  }

  /** Stock HDFS may leave a block with one replica too many: see the page. */
  private static void replicate(TieredCluster cluster, List<Path> files, int replicas)
      throws IOException {
    for (Path file : files) {
      cluster.files().setReplication(file, (short) replicas);
    }
    FSNamesystem namesystem = cluster.mini().getNamesystem();
    for (Path file : files) {
      TieredCluster.await(
          replicas + " replicas of " + file + " or more, and none left to drop",
          () ->
              namesystem.getExcessBlocks() == 0
                  && namesystem.getPendingDeletionBlocks() == 0
                  && cluster.blocks(file).stream()
                      .allMatch(block -> block.getLocations().length >= replicas));
    }
    long tooMany = 0;
    for (Path file : files) {
      tooMany +=
          cluster.blocks(file).stream()
              .filter(block -> block.getLocations().length > replicas)
              .count();
    }
    System.out.println("blocks with a replica too many: " + tooMany);
  }

  private static long count(List<Map<String, Long>> tiers, String tier) {
    return tiers.stream().mapToLong(counts -> counts.getOrDefault(tier, 0L)).sum();
  }

  private static void assertOnlyGained(
      String tier, List<Map<String, Long>> before, List<Map<String, Long>> after) {
    for (String other : List.of("fast", "middle", "slow")) {
      if (other.equals(tier)) {
        assertThat(count(after, other)).as(other).isGreaterThan(count(before, other));
      } else {
        assertThat(count(after, other)).as(other).isLessThanOrEqualTo(count(before, other));
      }
    }
  }

  private static List<Path> write(TieredCluster cluster) throws IOException {
    Path[] files = new Path[LAYOUTS.size()];
    for (int i = 0; i < files.length; i++) {
      Path directory = cluster.directory("/data/" + i, LAYOUTS.get(i));
      files[i] = cluster.write(new Path(directory, "file"), BLOCKS, 3);
    }
    return List.of(files);
  }

  private static void removePlugin(TieredCluster cluster) throws Exception {
    Configuration conf = cluster.mini().getConfiguration(0);
    conf.unset(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY);
    conf.unset(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY);
    Outages.restartNameNode(cluster);
    // A NameNode that restarted drops no replica of a node before the node's second report.
    cluster.mini().triggerHeartbeats();
    cluster.mini().triggerBlockReports();
    assertThat(cluster.host()).isNull();
  }

  private static void loseNode(TieredCluster cluster, List<Path> files) {
    DatanodeID lost = cluster.mini().getDataNodes().get(0).getDatanodeId();
    String uuid = lost.getDatanodeUuid();
    Outages.lose(cluster, lost.getXferAddr());
    for (Path file : files) {
      Outages.awaitRepair(
          cluster,
          "three replicas of " + file + " elsewhere",
          () ->
              cluster.blocks(file).stream()
                  .allMatch(block -> block.getLocations().length == 3 && !isOn(uuid, block)));
    }
  }

  private static void balance(TieredCluster cluster, List<Path> files, String empty)
      throws Exception {
    Tool balancer = HadoopTools.balancer();
    int code = ToolRunner.run(clientConf(cluster), balancer, new String[] {"-threshold", "5"});
    assertThat(code).isZero();
    for (Path file : files) {
      cluster.awaitReplicas(file, 3);
    }
    assertThat(files)
        .anyMatch(file -> blocksOf(cluster, file).stream().anyMatch(block -> isOn(empty, block)));
  }

  private static List<LocatedBlock> blocksOf(TieredCluster cluster, Path file) {
    try {
      return cluster.blocks(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Configuration clientConf(TieredCluster cluster) throws IOException {
    Configuration conf = new Configuration(cluster.files().getConf());
    conf.unset(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY);
    conf.unset(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY);
    return conf;
  }

  private static boolean isOn(String uuid, LocatedBlock block) {
    return Arrays.stream(block.getLocations()).anyMatch(n -> n.getDatanodeUuid().equals(uuid));
  }

  private static List<String> places(TieredCluster cluster, List<Path> files) throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path file : files) {
      for (LocatedBlock block : cluster.blocks(file)) {
        String[] ids = block.getStorageIDs().clone();
        Arrays.sort(ids);
        all.append(file).append(' ').append(Arrays.toString(ids)).append('\n');
      }
    }
    return all.toString().lines().toList();
  }

  /** Prints and gives, for each file, the count of replicas in each tier. */
  private static List<Map<String, Long>> show(
      String moment, TieredCluster cluster, List<Path> files) throws IOException {
    List<Map<String, Long>> all = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      Map<String, Long> counts = new TreeMap<>();
      for (LocatedBlock block : cluster.blocks(files.get(i))) {
        for (String tier : TieredCluster.tiers(block).split(" ")) {
          counts.merge(tier, 1L, Long::sum);
        }
      }
      all.add(counts);
      System.out.println(moment + ": " + LAYOUTS.get(i) + ": " + counts);
    }
    return all;
  }
}
