package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** DataNodes, as processes, that are killed or stand still while replicas move inside them. */
@Timeout(300)
class MoveNodeFaultsIT {
  private static final String TIERS =
      """
      tiers:
        - {name: fast, match: {storage-type: SSD}}
        - {name: slow, match: {storage-type: DISK}}
      """;

  private static final int BLOCK_BYTES = 128 << 20;
  private static final int SMALL_FILES = 12;
  private static final org.apache.hadoop.fs.Path DIRECTORY = new org.apache.hadoop.fs.Path("/t");

  @TempDir private Path folder;
  private HdfsProcesses hdfs;
  private DistributedFileSystem fs;

  @BeforeEach
  void start() throws IOException {
    hdfs = new HdfsProcesses(folder);
    hdfs.startNameNode(Map.of(), TIERS);
    hdfs.startDataNode("one", Map.of(), TIERS);
    fs = (DistributedFileSystem) FileSystem.newInstance(hdfs.uri(), new Configuration());
  }

  @AfterEach
  void stop() throws IOException {
    fs.close();
    hdfs.close();
  }

  private void write(String name, byte[] content) throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(DIRECTORY, name);
    try (FSDataOutputStream out = fs.create(file, true, 4096, (short) 1, BLOCK_BYTES)) {
      out.write(content);
    }
  }

  private CommandRun move() {
    return CommandRun.of(
        "file",
        "move",
        "/t",
        "--to",
        "1 x fast",
        "--bandwidth",
        "1000",
        "--bandwidth-total",
        "1000",
        "--keep-free",
        "0",
        "--fs",
        hdfs.uri().toString(),
        "-D",
        "dfs.client.socket-timeout=2000",
        "-D",
        "tierwise.tiers.file=" + hdfs.conf(HdfsProcesses.NAME_NODE).resolve("tiers.yaml"),
        "-D",
        "tierwise.mover.journal.directory=" + folder.resolve("journal"));
  }

  /** A copy that is not whole yet, on a volume of the node. */
  private boolean isCopying() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("one"))) {
      return files.anyMatch(file -> file.toString().matches(".*/ssd\\d/.*/tmp/.*blk_\\d+"));
    } catch (java.io.UncheckedIOException e) {
      return false; // A file went away in between.
    }
  }

  @Test
  void aNodeThatIsKilledInsideAMoveInsideItLosesNothing() throws Exception {
    byte[] content = new byte[BLOCK_BYTES];
    new Random(7).nextBytes(content);
    write("large", content);

    CompletableFuture<CommandRun> moving = CompletableFuture.supplyAsync(this::move);
    while (!isCopying()) {
      assertThat(moving).as("it had to be caught in the middle").isNotDone();
    }
    hdfs.processes().kill("one");
    hdfs.startDataNode("one", Map.of(), TIERS);
    CommandRun first = moving.get();
    CommandRun second = move();

    assertThat(second.exitCode()).as(first + "\n" + second).isZero();
    assertThat(types("large")).containsExactly("SSD");
    try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(DIRECTORY, "large"))) {
      assertThat(in.readAllBytes()).isEqualTo(content);
    }
  }

  /**
   * Its kernel takes connections, and its NameNode holds it for alive for ten minutes. Long:
   * SilentNodeIT has a node that takes moves and does not answer.
   */
  @Tag("long")
  @Test
  void aNodeThatStandsStillIsNamedAndHoldsUpNobodyElse() throws Exception {
    for (int i = 0; i < SMALL_FILES; i++) {
      write("first" + i, new byte[1000]);
    }
    hdfs.startDataNode("two", Map.of(), TIERS);
    List<Integer> own = new ArrayList<>();
    for (int i = 0; own.size() < SMALL_FILES; i++) {
      write("second" + i, new byte[1000]);
      if (portOf("second" + i) != portOf("first0")) {
        own.add(i);
      } else {
        fs.delete(new org.apache.hadoop.fs.Path(DIRECTORY, "second" + i), false);
      }
    }
    hdfs.processes().signal("one", "STOP");

    CommandRun stood;
    try {
      stood = move();
    } finally {
      hdfs.processes().signal("one", "CONT");
    }

    assertThat(stood.exitCode()).as(stood.toString()).isEqualTo(1);
    assertThat(stood.unfolded()).contains("moved " + SMALL_FILES + " replicas", "stays:");
    String port = ":" + portOf("first0");
    assertThat(stood.err().lines().filter(line -> line.contains(port)))
        .as("of two of its volumes, and then of all")
        .hasSizeBetween(1, 2)
        .allMatch(line -> line.contains("took a move and did not answer"))
        .allMatch(line -> line.contains("see whether a disk of it hangs"));
    for (int i : own) {
      assertThat(types("second" + i)).containsExactly("SSD");
    }
    CommandRun after = move();
    assertThat(after.exitCode()).as(after.toString()).isZero();
  }

  private LocatedBlock block(String name) throws IOException {
    return DFSTestUtil.getAllBlocks(fs, new org.apache.hadoop.fs.Path(DIRECTORY, name)).get(0);
  }

  private int portOf(String name) throws IOException {
    return block(name).getLocations()[0].getXferPort();
  }

  private List<String> types(String name) throws IOException {
    return Stream.of(block(name).getStorageTypes()).map(StorageType::name).toList();
  }
}
