package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.ManagedHdfs;
import io.tierwise.cli.TierwiseJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that move, as processes that are asked to end: what they answer then. */
class MoveInterruptedIT {
  private static final int MB = 1 << 20;
  private static final int FILES = 40;
  private static final org.apache.hadoop.fs.Path DIRECTORY = new org.apache.hadoop.fs.Path("/t");

  @TempDir private Path folder;
  private ManagedHdfs hdfs;

  @BeforeEach
  void start() throws Exception {
    hdfs =
        ManagedHdfs.start(
            folder,
            ManagedHdfs.SSD_AND_DISK,
            ManagedHdfs.configuration(),
            nodes ->
                nodes
                    .numDataNodes(1)
                    .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK}));
    for (int i = 0; i < FILES; i++) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(DIRECTORY, "f" + i);
      DFSTestUtil.createFile(hdfs.fs(), file, 4096, MB, MB, (short) 1, i);
      hdfs.awaitReplicas(file.toString(), 1);
    }
  }

  @AfterEach
  void stop() {
    hdfs.cluster().shutdown();
  }

  @Test
  void theAnswerIsWholeAndSaysWhatToDo() throws Exception {
    assertIsWholeAndSaysWhatToDo("file move /t --to|1 x ssd");
  }

  /** Long: make test has the other command that moves. */
  @Tag("long")
  @Test
  void theAnswerToPolicySetIsWholeAndSaysWhatToDo() throws Exception {
    assertIsWholeAndSaysWhatToDo("policy set /t --apply --placement|layout:1 x ssd");
  }

  /** What stays, and by which id the run is found, is what a person needs then. */
  private void assertIsWholeAndSaysWhatToDo(String command) throws Exception {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(line(command))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      GenericTestUtils.waitFor(() -> isMoving() || !process.isAlive(), 20, 120_000);
      process.destroy();
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }

    String said = Files.readString(err);
    assertThat(process.exitValue()).as(said).isEqualTo(143);
    JsonNode answer = new ObjectMapper().readTree(out.toFile());
    assertThat(answer.path("id").asText()).as(said).isNotEmpty();
    assertThat(said.lines().filter(line -> line.startsWith("tierwise ")))
        .singleElement()
        .asString()
        .contains("stopped: the same command does the rest");
  }

  private List<String> line(String command) {
    List<String> line = TierwiseJvm.line();
    int last = command.indexOf('|');
    line.addAll(List.of(command.substring(0, last).split(" ")));
    line.add(command.substring(last + 1));
    line.addAll(List.of("--json", "--bandwidth", "1", "--fs", hdfs.fs().getUri().toString()));
    line.addAll(List.of("-D", "tierwise.tiers.file=" + hdfs.tiers()));
    line.addAll(List.of("-D", "tierwise.mover.journal.directory=" + folder.resolve("journal")));
    return line;
  }

  private boolean isMoving() {
    try {
      for (int i = 0; i < FILES; i++) {
        for (LocatedBlock block :
            DFSTestUtil.getAllBlocks(
                hdfs.fs(), new org.apache.hadoop.fs.Path(DIRECTORY, "f" + i))) {
          if (List.of(block.getStorageTypes()).contains(StorageType.SSD)) {
            return true;
          }
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
