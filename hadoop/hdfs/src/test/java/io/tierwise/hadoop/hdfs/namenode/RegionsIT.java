package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Files under {@code region-aware} stay in their regions over restarts and losses: the trail is
 * watched, not only its end. Two replicas in three regions, and four.
 */
class RegionsIT {
  private static final String[] RACKS = {"/A/r1", "/A/r2", "/B/r1", "/B/r2", "/C/r1", "/C/r2"};
  private static final int BLOCKS = 6;
  private static final int FILES = 6;

  private static TieredCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS);
    // Two nodes a rack: a region that lost a node can take its replicas in both racks.
    String[] racks = new String[2 * RACKS.length];
    Arrays.setAll(racks, i -> RACKS[i % RACKS.length]);
    cluster = TieredCluster.start(conf, racks);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /**
   * Whether all replicas are there again. Fails when one stands where none of the file belongs, or
   * too many in one region while another lacks one: a block may only have one too many for a
   * moment, when a replica was reported late.
   */
  private static boolean isBack(Map<Path, Map<String, Integer>> wanted) throws IOException {
    boolean back = true;
    for (Map.Entry<Path, Map<String, Integer>> file : wanted.entrySet()) {
      Map<String, Integer> regions = file.getValue();
      for (Map<String, Integer> now : FileRegions.of(cluster, file.getKey())) {
        String seen = file.getKey() + ": " + now + ", wanted " + regions;
        assertThat(regions.keySet()).as(seen).containsAll(now.keySet());
        if (count(now) <= count(regions)) {
          now.forEach(
              (region, n) -> assertThat(n).as(seen).isLessThanOrEqualTo(regions.get(region)));
        }
        back &= now.equals(regions);
      }
    }
    return back;
  }

  /** A failure says where each block stood in the end. */
  private static void awaitBack(String what, String lost, Map<Path, Map<String, Integer>> wanted)
      throws IOException {
    try {
      Outages.awaitRepair(
          cluster,
          what + " is back in its regions",
          () -> !holdsOne(lost, wanted.keySet()) && isBack(wanted));
    } catch (AssertionError e) {
      StringBuilder seen = new StringBuilder(e.getMessage());
      for (Map.Entry<Path, Map<String, Integer>> file : wanted.entrySet()) {
        seen.append("\n").append(file).append(" wanted, blocks: ");
        seen.append(FileRegions.of(cluster, file.getKey()));
      }
      throw new AssertionError(seen.toString(), e);
    }
  }

  private static int count(Map<String, Integer> regions) {
    return regions.values().stream().mapToInt(Integer::intValue).sum();
  }

  @Test
  void regionsOfAFileAreTheSameAfterEachLossAndRestart() throws IOException {
    Path directory = cluster.directory("/regions", "region-aware");
    Map<Path, Map<String, Integer>> wanted = new HashMap<>();
    for (int i = 0; i < FILES; i++) {
      int replication = i % 2 == 0 ? 2 : 4;
      Path file = cluster.write(new Path(directory, "f" + i), BLOCKS, replication);
      assertThat(FileRegions.of(cluster, file).stream().distinct())
          .as("%s: whole copies", file)
          .hasSize(1);
      wanted.put(file, FileRegions.of(cluster, file).get(0));
    }
    assertThat(wanted.values().stream().distinct()).as("files are spread").hasSizeGreaterThan(2);

    for (String lossIn : List.of("A", "C")) {
      Outages.restartNameNode(cluster);
      assertThat(isBack(wanted)).as("all replicas are where they were").isTrue();
      String address = FileRegions.nodeIn(lossIn, cluster);
      Outages.lose(cluster, address);
      awaitBack("what " + address + " in " + lossIn + " lost", address, wanted);
    }
    for (Path file : wanted.keySet()) {
      cluster.assertWhole(file, BLOCKS);
    }
  }

  private static boolean holdsOne(String address, Iterable<Path> files) throws IOException {
    List<String> holders = new ArrayList<>();
    for (Path file : files) {
      for (LocatedBlock block : cluster.blocks(file)) {
        Arrays.stream(block.getLocations()).forEach(node -> holders.add(node.getXferAddr()));
      }
    }
    return holders.contains(address);
  }
}
