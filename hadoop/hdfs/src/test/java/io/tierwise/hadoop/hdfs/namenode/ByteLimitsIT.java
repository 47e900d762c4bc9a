package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Limits in bytes of what stands below a directory on a tier. */
class ByteLimitsIT {
  private static final String ON_FAST = "layout:3 x fast";

  private static final int BLOCKS = 10;
  private static final int LIMIT_BLOCKS = 4;
  private static final int LIMIT = 3 * LIMIT_BLOCKS * TieredCluster.BLOCK_BYTES;

  private static TieredCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    String limits =
        "byte-limits:\n"
            + "  - {path: /limited, tier: fast, bytes: %d B}\n".formatted(LIMIT)
            + "  - {path: /again, tier: fast, bytes: %d B}\n".formatted(LIMIT)
            + "  - {path: /kept, tier: fast, bytes: %d B}\n".formatted(LIMIT)
            + "  - {path: /leaving, tier: fast, bytes: %d B}\n".formatted(LIMIT);
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS + limits);
    cluster = TieredCluster.start(conf, "/r1", "/r1", "/r2", "/r2");
    // A test that decommissions a node says itself when HDFS looks for what is to be copied. The
    // mini cluster has NameNodes look every 3 s, whatever its configuration says before it starts.
    cluster
        .mini()
        .getConfiguration(0)
        .setInt(DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_INTERVAL_KEY, 3600);
    Outages.restartNameNode(cluster);
    cluster.mini().waitActive();
    String[] limited = {"/limited", "/again", "/kept", "/leaving"};
    for (String directory : limited) {
      cluster.directory(directory, ON_FAST);
    }
    cluster.directory("/free", ON_FAST);
    // A directory is known from the next count on: only then a test may fill it.
    FSDirectory tree = cluster.mini().getNamesystem().getFSDirectory();
    TierBytes bytes = ((NamespacePolicies) cluster.host().paths()).tierBytes();
    for (String directory : limited) {
      INode[] inodes = {tree.getINode(directory)};
      TieredCluster.await(directory + " is known", () -> !bytes.above(inodes).isEmpty());
    }
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static long onFast(Path file) throws IOException {
    return cluster.tiersOfBlocks(file).stream().filter("fast fast fast"::equals).count();
  }

  private static boolean isNextBlockOnFast(Path directory) throws IOException {
    Path file = new Path(directory, "next" + System.nanoTime());
    cluster.write(file, 1, 3);
    return onFast(file) == 1;
  }

  /** A count may take a block twice that is placed while it goes on, or miss a late report. */
  private static Path fill(Path directory) throws IOException {
    Path file = new Path(directory, "filling");
    cluster.write(file, BLOCKS, 3);
    cluster.assertWhole(file, BLOCKS);
    assertThat(onFast(file)).isBetween(LIMIT_BLOCKS / 2L, LIMIT_BLOCKS + 1L);
    return file;
  }

  @Test
  void aTierThatFillsInTheMiddleOfAWriteIsLeftAndTheWriteGoesOn() throws IOException {
    long before = cluster.counters().fallbacks().getOrDefault("fast/quota", 0L);
    Path file = fill(new Path("/limited"));
    List<String> tiers = cluster.tiersOfBlocks(file);
    assertThat(tiers.get(0)).isEqualTo("fast fast fast");
    assertThat(tiers).contains("middle middle middle");
    assertThat(cluster.counters().fallbacks().getOrDefault("fast/quota", 0L)).isGreaterThan(before);
  }

  @Test
  void whatIsDeletedIsFreeAfterTheNextCount() throws IOException {
    Path directory = new Path("/again");
    Path file = fill(directory);
    TieredCluster.await("the tier is used up", () -> !isNextBlockOnFast(directory));
    cluster.files().delete(file, false);
    for (FileStatus status : cluster.files().listStatus(directory)) {
      cluster.files().delete(status.getPath(), false);
    }
    TieredCluster.await("the tier is used again", () -> isNextBlockOnFast(directory));
  }

  @Test
  void replicasOfANodeThatIsDecommissionedAreCopiedWithinATierThatIsUsedUp() throws Exception {
    Path file = new Path("/leaving/file");
    // Again where a count took a block twice that was placed meanwhile.
    TieredCluster.await(
        "a file that just fits",
        () -> onFast(cluster.write(file, LIMIT_BLOCKS, 3)) == LIMIT_BLOCKS);
    INode[] inodes = {cluster.mini().getNamesystem().getFSDirectory().getINode("/leaving")};
    TierBytes bytes = ((NamespacePolicies) cluster.host().paths()).tierBytes();
    TieredCluster.await("the tier is used up", () -> bytes.above(inodes).get(0).bytes() == LIMIT);
    DatanodeManager nodes = cluster.mini().getNamesystem().getBlockManager().getDatanodeManager();
    DatanodeDescriptor leaving =
        nodes.getDatanode(cluster.blocks(file).get(0).getLocations()[0].getDatanodeUuid());
    TieredCluster.await(
        "a count with the file",
        () -> {
          var counted = bytes.above(inodes).get(0).bytesOfNodes().values();
          return counted.stream().mapToLong(Long::longValue).sum() == LIMIT;
        });
    // The next count may be minutes away where the directory is large: nothing waits for it.
    cluster.changeNodes(admin -> admin.startDecommission(leaving));
    Outages.awaitRepair(
        cluster,
        "decommissioned",
        () -> {
          lookForCopies(nodes);
          return leaving.isDecommissioned();
        });
    assertThat(cluster.tiersOfBlocks(file))
        .allSatisfy(tiers -> assertThat(tiers.split(" ")).containsOnly("fast"));
    cluster.changeNodes(admin -> admin.stopDecommission(leaving));
  }

  private static void lookForCopies(DatanodeManager nodes) throws IOException {
    try {
      BlockManagerTestUtil.recheckDecommissionState(nodes);
    } catch (ExecutionException | InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void aRestartedNameNodeCountsAnew() throws Exception {
    Path directory = new Path("/kept");
    fill(directory);
    TieredCluster.await("the tier is used up", () -> !isNextBlockOnFast(directory));
    Outages.restartNameNode(cluster);
    cluster.mini().waitActive();
    TieredCluster.await("the tier is known as used up", () -> !isNextBlockOnFast(directory));
  }

  @Test
  void aBlockThatIsBeingWrittenCountsWholeWhereItIsExpected() throws IOException {
    Path file = new Path(cluster.directory("/open", ON_FAST), "file");
    try (FSDataOutputStream out =
        cluster.files().create(file, true, 4096, (short) 3, TieredCluster.BLOCK_BYTES)) {
      out.write(new byte[100]);
      out.hflush();
      assertThat(countedOnFast("/open")).isEqualTo(3L * TieredCluster.BLOCK_BYTES);
    }
    TieredCluster.await("its length counts", () -> countedOnFast("/open") == 3 * 100);
  }

  /** A placeholder's block size tells how long its file is, and is no room that a writer takes. */
  @Test
  void aPlaceholderThatSomebodyAppendsToCountsWhatItHolds() throws IOException {
    Path directory = cluster.directory("/placeholders", ON_FAST);
    Path placeholder = new Path(directory, "placeholder");
    Path body = new Path(directory, "body");
    byte[] held = Placeholder.body(5000);
    cluster
        .files()
        .create(placeholder, true, 4096, (short) 3, Placeholder.blockBytes(5000))
        .close();
    try (FSDataOutputStream out =
        cluster.files().create(body, true, 4096, (short) 3, TieredCluster.BLOCK_BYTES)) {
      out.write(held);
    }
    cluster.awaitReplicas(body, 3);
    cluster.files().concat(placeholder, new Path[] {body});
    FSDataOutputStream appended = cluster.files().append(placeholder);
    assertThat(countedOnFast("/placeholders")).isEqualTo(3L * held.length);
    cluster.files().delete(directory, true);
    assertThatThrownBy(appended::close).isInstanceOf(IOException.class);
  }

  private static long countedOnFast(String directory) throws IOException {
    FSNamesystem namesystem = cluster.mini().getNamesystem();
    long id = namesystem.getFSDirectory().getINode(directory).getId();
    TierBytesWalk walk = new TierBytesWalk(namesystem, id, 0);
    assertThat(walk.step(1000, cluster.host().views().current())).isTrue();
    return walk.bytes();
  }

  @Test
  void aCountInSmallStepsFindsEveryReplicaOnTheTierOnce() throws IOException {
    Path directory = cluster.directory("/free/a/b", null);
    for (int i = 0; i < 5; i++) {
      Path file = new Path(directory, "file" + i);
      cluster.write(file, BLOCKS, 3);
      cluster.awaitReplicas(file, 3);
      assertThat(onFast(file)).isEqualTo(BLOCKS);
    }
    FSNamesystem namesystem = cluster.mini().getNamesystem();
    long id = namesystem.getFSDirectory().getINode("/free").getId();
    for (int units : new int[] {1, 7, 1000}) {
      TierBytesWalk onFast = new TierBytesWalk(namesystem, id, 0);
      TierBytesWalk onMiddle = new TierBytesWalk(namesystem, id, 1);
      int steps = 1;
      while (!onFast.step(units, cluster.host().views().current())) {
        steps++;
      }
      while (!onMiddle.step(units, cluster.host().views().current())) {
        steps++;
      }
      assertThat(onFast.bytes()).isEqualTo(5L * BLOCKS * 3 * TieredCluster.BLOCK_BYTES);
      assertThat(onMiddle.bytes()).isZero();
      assertThat(steps).isGreaterThanOrEqualTo(5 * BLOCKS * 3 / (units + 3));
    }
  }
}
