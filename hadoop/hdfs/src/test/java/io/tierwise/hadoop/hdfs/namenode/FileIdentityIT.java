package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A file that is being written is known by its id: renames and other files do not confuse it. */
class FileIdentityIT {
  private static final String RULES =
      """
      rules:
        - {path: /ruled/**, placement: "layout:2 x slow"}
      """;

  private static TieredCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS + RULES);
    // With one handler each call runs on the thread of the one before, and would find what it left.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_KEY, 1);
    cluster = TieredCluster.start(conf, "/r1", "/r1", "/r2", "/r2", "/r3");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** An open file of two blocks under a policy of its own, whatever its directory says. */
  private static FSDataOutputStream begin(Path file, String policy) throws IOException {
    FSDataOutputStream out =
        cluster.files().create(file, true, 4096, (short) 2, TieredCluster.BLOCK_BYTES);
    if (policy != null) {
      cluster.setPolicy(file, policy);
    }
    writeBlock(out, file, 0);
    return out;
  }

  private static void writeBlock(FSDataOutputStream out, Path file, int block) throws IOException {
    byte[] content = TieredCluster.blocksOf(file, block + 1);
    out.write(content, block * TieredCluster.BLOCK_BYTES, TieredCluster.BLOCK_BYTES);
    out.hflush();
  }

  /** When all replicas are reported: a closed file may wait for some. */
  private static List<String> tiers(Path file) throws IOException {
    cluster.awaitReplicas(file, 2);
    return cluster.tiersOfBlocks(file);
  }

  @Test
  void laterBlocksOfARenamedFileAreNotPlacedByTheFileThatTookItsName() throws IOException {
    Path directory = cluster.directory("/taken", null);
    Path file = new Path(directory, "f");
    Path renamed = new Path(new Path(directory, "elsewhere"), "f");
    cluster.files().mkdirs(renamed.getParent());
    try (FSDataOutputStream out = begin(file, "layout:2 x fast")) {
      assertThat(cluster.files().rename(file, renamed)).isTrue();
      begin(file, "layout:2 x slow").close();
      writeBlock(out, file, 1);
      writeBlock(out, file, 2);
    }
    assertThat(tiers(renamed)).containsOnly("fast fast").hasSize(3);
    assertThat(tiers(file)).containsOnly("slow slow");
    cluster.assertWhole(renamed, 3);
  }

  @Test
  void nodeThatReplacesAFailedOneIsChosenByTheRenamedFilesOwnPolicy() throws IOException {
    Path directory = cluster.directory("/replaced", null);
    Path file = new Path(directory, "f");
    try (FSDataOutputStream out = begin(file, "layout:3 x fast")) {
      long id = cluster.files().getClient().getFileInfo(file.toUri().getPath()).getFileId();
      assertThat(cluster.files().rename(file, new Path(directory, "g"))).isTrue();
      begin(file, "layout:3 x slow").close();
      LocatedBlock more = oneMore(file, id, last(new Path(directory, "g")));
      assertThat(more.getStorageTypes()).hasSize(3).containsOnly(StorageType.SSD);
    }
  }

  /** As a client asks that replaces a failed node of its pipeline. */
  private static LocatedBlock oneMore(Path file, long id, LocatedBlock last) throws IOException {
    DFSClient client = cluster.files().getClient();
    return client
        .getNamenode()
        .getAdditionalDatanode(
            file.toUri().getPath(),
            id,
            last.getBlock(),
            last.getLocations(),
            last.getStorageIDs(),
            new DatanodeInfo[0],
            1,
            client.getClientName());
  }

  /** A ratio between zones goes by the block's number in its file. */
  @Test
  void nodeThatReplacesAFailedOneIsChosenForTheNumberOfTheLastBlock() throws IOException {
    Path file = new Path(cluster.directory("/numbered", null), "f");
    List<Long> numbers = Collections.synchronizedList(new ArrayList<>());
    try (FSDataOutputStream out = begin(file, "layout:3 x fast")) {
      writeBlock(out, file, 1);
      writeBlock(out, file, 2);
      long id = cluster.files().getClient().getFileInfo(file.toUri().getPath()).getFileId();
      cluster
          .host()
          .listen((asked, request, view, made) -> numbers.add(request.file().dataSetBlockIndex()));
      oneMore(file, id, last(file));
    } finally {
      cluster.host().listen(null);
    }
    assertThat(numbers).containsExactly(2L);
  }

  private static LocatedBlock last(Path file) throws IOException {
    List<LocatedBlock> blocks = cluster.blocks(file);
    return blocks.get(blocks.size() - 1);
  }

  @Test
  void openFileFollowsThePolicyOfTheDirectoryThatItIsMovedTo() throws IOException {
    Path fast = cluster.directory("/from", "layout:2 x fast");
    Path slow = cluster.directory("/to", "layout:2 x slow");
    long unknown = cluster.counters().stockCount(StockReason.FILE_UNKNOWN);
    Path file = new Path(fast, "f");
    Path moved = new Path(slow, "f");
    try (FSDataOutputStream out = begin(file, null)) {
      assertThat(cluster.files().rename(file, moved)).isTrue();
      writeBlock(out, file, 1);
    }
    assertThat(tiers(moved)).containsExactly("fast fast", "slow slow");
    assertThat(cluster.counters().stockCount(StockReason.FILE_UNKNOWN)).isEqualTo(unknown);
    cluster.assertWhole(moved, 2);
  }

  @Test
  void openFileThatIsMovedFromAnUnmanagedPathBelowAPolicyOrARuleIsManagedFromThere()
      throws IOException {
    cluster.directory("/ruled", null);
    cluster.directory("/attributed", "layout:2 x slow");
    for (String target : List.of("/ruled/f", "/attributed/f")) {
      Path file = new Path(cluster.directory("/unmanaged", null), "f");
      try (FSDataOutputStream out = begin(file, null)) {
        assertThat(cluster.files().rename(file, new Path(target))).isTrue();
        // The old name is a file again, and no policy holds for it.
        begin(file, null).close();
        writeBlock(out, file, 1);
      }
      assertThat(tiers(new Path(target))).as(target).containsExactly("middle middle", "slow slow");
    }
  }

  @Test
  void attributeThatIsRemovedWhileItsFileIsWrittenHoldsForTheBlocksBefore() throws IOException {
    Path directory = cluster.directory("/removed", "layout:2 x slow");
    Path ofDirectory = new Path(directory, "f");
    Path ofFile = new Path(cluster.directory("/plain", null), "g");
    for (Path file : Arrays.asList(ofDirectory, ofFile)) {
      try (FSDataOutputStream out = begin(file, file.equals(ofFile) ? "layout:2 x fast" : null)) {
        cluster
            .files()
            .removeXAttr(file.equals(ofFile) ? file : directory, TieredCluster.ATTRIBUTE);
        writeBlock(out, file, 1);
        cluster.setPolicy(file, "layout:1 x fast + 1 x slow");
        writeBlock(out, file, 2);
      }
      String before = file.equals(ofFile) ? "fast fast" : "slow slow";
      // Stock HDFS's own choice under the storage policy HOT is DISK.
      assertThat(tiers(file)).containsExactly(before, "middle middle", "fast slow");
      cluster.assertWhole(file, 3);
    }
  }

  @Test
  void limitOfAPathHoldsForAnOpenFileThatIsMovedThere() throws IOException {
    String limits =
        """
        limits:
          - paths: [/frugal]
            tiers: [slow]
        """;
    try (TieredCluster limited =
        TieredCluster.start(
            TieredCluster.settings(TieredCluster.THREE_TIERS + limits), "/r1", "/r2")) {
      Path free = limited.directory("/free", "layout:2 x fast");
      Path frugal = limited.directory("/frugal", "layout:2 x fast");
      for (List<Path> way : List.of(List.of(free, frugal), List.of(frugal, free))) {
        Path file = new Path(way.get(0), "f");
        Path moved = new Path(way.get(1), "f-from-elsewhere");
        try (FSDataOutputStream out =
            limited.files().create(file, true, 4096, (short) 2, TieredCluster.BLOCK_BYTES)) {
          out.write(TieredCluster.blocksOf(file, 1));
          out.hflush();
          assertThat(limited.files().rename(file, moved)).isTrue();
          out.write(TieredCluster.blocksOf(file, 1));
        }
        limited.awaitReplicas(moved, 2);
        // Stock HDFS places the file that the limit refuses, on DISK.
        assertThat(limited.tiersOfBlocks(moved))
            .as("%s, then %s; fallbacks %s", file, moved, limited.counters().fallbacks())
            .containsExactlyElementsOf(
                way.get(0).equals(free)
                    ? List.of("fast fast", "middle middle")
                    : List.of("middle middle", "fast fast"));
      }
    }
  }
}
