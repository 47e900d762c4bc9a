package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Files keep their regions when their NameNode, their place in the tree or their blocks change:
 * decision 24's claims. Each test loses a node of another region. Long: RegionsIT has losses and
 * restarts in make test, and HighAvailabilityIT a failover.
 */
@Tag("long")
class RegionTrailIT {
  private static final int BLOCKS = 2;
  private static final int FILES = 6;

  private static TieredCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS);
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    cluster = TieredCluster.startPair(conf, "/A/r1", "/A/r2", "/B/r1", "/B/r2", "/C/r1", "/C/r2");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Files of two replicas and where their blocks stand. */
  private static Map<Path, List<Map<String, Integer>>> write(String directory) throws IOException {
    Path parent = cluster.directory(directory, "region-aware");
    Map<Path, List<Map<String, Integer>>> written = new LinkedHashMap<>();
    for (int i = 0; i < FILES; i++) {
      Path file = cluster.write(new Path(parent, "f" + i), BLOCKS, 2);
      written.put(file, FileRegions.of(cluster, file));
    }
    assertThat(written.values().stream().distinct()).hasSizeGreaterThan(1);
    return written;
  }

  /** The node in that region that holds the first block of the file, or null. */
  private static String holderIn(String region, Path file) throws IOException {
    for (DatanodeInfo node : cluster.blocks(file).get(0).getLocations()) {
      if (FileRegions.of(node).equals(region)) {
        return node.getXferAddr();
      }
    }
    return null;
  }

  /** The first of these files that has the region. */
  private static Path fileIn(String region, List<Path> files) throws IOException {
    for (Path file : files) {
      if (holderIn(region, file) != null) {
        return file;
      }
    }
    throw new AssertionError("no file in " + region);
  }

  private static void awaitRegions(Path file, List<Map<String, Integer>> wanted) {
    Outages.awaitRepair(
        cluster, file + " in " + wanted, () -> FileRegions.of(cluster, file).equals(wanted));
  }

  @Test
  void anotherNameNodeRepairsInTheSameRegions() throws IOException {
    Map<Path, List<Map<String, Integer>>> written = write("/failover");
    Outages.failOver(cluster);
    Outages.lose(cluster, holderIn("A", fileIn("A", List.copyOf(written.keySet()))));
    for (Map.Entry<Path, List<Map<String, Integer>>> file : written.entrySet()) {
      awaitRegions(file.getKey(), file.getValue());
      cluster.assertWhole(file.getKey(), BLOCKS);
    }
  }

  @Test
  void filesInASnapshotKeepTheirRegionsWhileTheyLiveUnderAnyName() throws IOException {
    Map<Path, List<Map<String, Integer>>> written = write("/snapshots");
    List<Path> files = new ArrayList<>(written.keySet());
    Path directory = files.get(0).getParent();
    cluster.files().allowSnapshot(directory);
    Path snapshot = cluster.files().createSnapshot(directory, "s");
    Path renamed = new Path(directory, "renamed");
    assertThat(cluster.files().rename(files.get(0), renamed)).isTrue();
    Path appended = files.get(1);
    try (FSDataOutputStream out = cluster.files().append(appended)) {
      out.write(TieredCluster.blocksOf(appended, 1));
    }
    cluster.awaitReplicas(appended, 2);
    Path deleted = fileIn("B", files.subList(2, FILES));
    String lost = holderIn("B", deleted);
    cluster.files().delete(deleted, false);
    long unknown = cluster.counters().stockCount(StockReason.FILE_UNKNOWN);
    Outages.lose(cluster, lost);

    awaitRegions(renamed, written.get(files.get(0)));
    awaitRegions(appended, Collections.nCopies(BLOCKS + 1, written.get(appended).get(0)));
    files.subList(2, FILES).stream()
        .filter(live -> !live.equals(deleted))
        .forEach(live -> awaitRegions(live, written.get(live)));
    // A file of the snapshot alone has no path that a policy could be found by.
    Path kept = new Path(snapshot, deleted.getName());
    Outages.awaitRepair(
        cluster, "two replicas of " + kept, () -> hasReplicas(kept) && holds(lost, kept).isEmpty());
    assertThat(cluster.read(kept)).isEqualTo(TieredCluster.blocksOf(deleted, BLOCKS));
    assertThat(cluster.counters().stockCount(StockReason.FILE_UNKNOWN)).isGreaterThan(unknown);
  }

  private static boolean hasReplicas(Path file) throws IOException {
    return cluster.blocks(file).stream().allMatch(block -> block.getLocations().length == 2);
  }

  /** The indexes of the file's blocks that have a replica on that node. */
  private static List<Integer> holds(String address, Path file) throws IOException {
    List<LocatedBlock> blocks = cluster.blocks(file);
    List<Integer> held = new ArrayList<>();
    for (int block = 0; block < blocks.size(); block++) {
      for (DatanodeInfo node : blocks.get(block).getLocations()) {
        if (node.getXferAddr().equals(address)) {
          held.add(block);
        }
      }
    }
    return held;
  }

  @Test
  void blocksOfConcatenatedFilesStayAndComeBackInTheRegionsOfTheTarget() throws IOException {
    Map<Path, List<Map<String, Integer>>> written = write("/concat");
    List<Path> files = new ArrayList<>(written.keySet());
    Path target = files.get(0);
    Map<String, Integer> home = written.get(target).get(0);
    List<Map<String, Integer>> before = new ArrayList<>();
    written.values().forEach(before::addAll);
    Path source = fileIn("C", files.subList(1, FILES));
    String lost = holderIn("C", source);
    cluster.files().concat(target, files.subList(1, FILES).toArray(new Path[0]));
    assertThat(FileRegions.of(cluster, target)).as("nothing is moved").isEqualTo(before);

    List<Integer> had = holds(lost, target);
    Outages.lose(cluster, lost);
    Outages.awaitRepair(cluster, "two replicas of each block", () -> hasReplicas(target));
    List<Map<String, Integer>> after = FileRegions.of(cluster, target);
    for (int block = 0; block < after.size(); block++) {
      String seen = "block " + block + " of " + before + " became " + after + ", home is " + home;
      if (had.contains(block)) {
        Set<String> stayed = new TreeSet<>(before.get(block).keySet());
        stayed.remove("C");
        assertThat(after.get(block).keySet()).as(seen).hasSize(2).containsAll(stayed);
        Set<String> came = new TreeSet<>(after.get(block).keySet());
        came.removeAll(stayed);
        assertThat(home.keySet()).as(seen).containsAll(came);
      } else {
        assertThat(after.get(block)).as(seen).isEqualTo(before.get(block));
      }
    }
  }
}
