package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.GuideCommands.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/how-to/secondary-store.md as they stand there, and what they answer. */
class SecondaryGuideIT {
  private static final java.nio.file.Path GUIDE =
      java.nio.file.Path.of(
          System.getProperty("tierwise.root"), "docs", "how-to", "secondary-store.md");
  private static final int BYTES = 100_000;

  @TempDir static java.nio.file.Path folder;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), folder.resolve("hdfs").toFile())
            .numDataNodes(1)
            .build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    for (int i = 0; i < 3; i++) {
      DFSTestUtil.createFile(fs, new Path("/warehouse/part-" + i), BYTES, (short) 1, i);
    }
    Files.createDirectory(folder.resolve("nas"));
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  private static CommandRun run(String... arguments) {
    Stream<String> where =
        Stream.of(
            "--fs",
            fs.getUri().toString(),
            "-D",
            "tierwise.secondary.stores=file://" + folder.resolve("nas"),
            "-D",
            "tierwise.mover.journal.directory=" + folder.resolve("journal"));
    return CommandRun.of(Stream.concat(Stream.of(arguments), where).toArray(String[]::new));
  }

  @Test
  void everyCommandOfTheGuideRuns() throws IOException {
    assertThat(GuideCommands.unsaid(GUIDE)).isEmpty();
    List<String> answers = new ArrayList<>();
    for (Line line : GuideCommands.of(GUIDE, "secondary")) {
      assertThat(line.words().get(0)).isEqualTo("bin/tierwise");
      CommandRun run = run(line.arguments(1));
      assertThat(run.exitCode()).as("%s: %s %s", line, run.out(), run.err()).isZero();
      answers.add(run.unfolded());
    }

    assertThat(answers).hasSize(13);
    assertThat(answers.get(1)).startsWith("would offload 3 files, 293.0 KiB");
    assertThat(answers.get(2)).startsWith("offloaded 3 files, 293.0 KiB");
    assertThat(answers.get(3)).containsPattern("secondary +3 +293.0 KiB");
    assertThat(answers.get(4)).startsWith("verified 3 files");
    assertThat(answers.get(5)).startsWith("would recall 3 files");
    assertThat(answers.get(6)).startsWith("recalled 3 files");
    assertThat(answers.get(7)).contains("/warehouse/part-0", "secondary -> both", "done");
    assertThat(answers.get(8)).startsWith("would clean 3 files");
    assertThat(answers.get(9)).startsWith("cleaned 3 files");
    assertThat(answers.get(11)).startsWith("cleaned 0 files");
    assertThat(answers.get(12)).contains("3 replicas", "any 6 of 9", "any 3 of 5");
    for (int i = 0; i < 3; i++) {
      assertThat(DFSTestUtil.readFileAsBytes(fs, new Path("/warehouse/part-" + i))).hasSize(BYTES);
    }
  }

  @Test
  void answersAsJsonAndWrongInputInOneLine() {
    CommandRun status = run("secondary", "status", "/warehouse", "--json");
    assertThat(status.exitCode()).as(status.err()).isZero();
    CommandRun dry = run("secondary", "offload", "/warehouse", "--dry-run", "--json");
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    assertThat(run("secondary", "verify", "/warehouse", "--json").exitCode()).isZero();
    assertThat(run("secondary", "clean", "/warehouse", "--dry-run", "--json").exitCode()).isZero();
    assertThat(run("secondary", "recall", "/warehouse", "--dry-run", "--json").exitCode()).isZero();
    CommandRun unknown =
        CommandRun.of("secondary", "status", "/warehouse", "--fs", fs.getUri().toString());
    assertThat(unknown.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(unknown.err())
        .hasLineCount(1)
        .contains("tierwise.secondary.stores names no secondary store");
    CommandRun away = run("secondary", "offload", "/nowhere");
    assertThat(away.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(away.err()).hasLineCount(1).contains("/nowhere");
    assertThat(run("secondary", "offload", "/warehouse", "--bandwidth", "0").err())
        .contains("--bandwidth 0");
  }
}
