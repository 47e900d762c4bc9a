package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.namenode.OtherTools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which tool is said to have moved a replica back, by the files that the tools hold open. */
class OtherToolsIT {
  private static final Path MOVER = new Path("/system/mover.id");
  private static final Path BALANCER = new Path("/system/balancer.id");

  private static MiniDFSCluster cluster;

  private final OtherTools tools = new OtherTools(cluster.getNamesystem());

  @BeforeAll
  static void start() throws IOException {
    java.nio.file.Path folder = Files.createTempDirectory("tierwise-mini");
    cluster = new MiniDFSCluster.Builder(new HdfsConfiguration(), folder.toFile()).build();
    cluster.waitActive();
  }

  @AfterAll
  static void end() {
    cluster.shutdown();
  }

  private void lookWhile(Path lock, double seconds) throws IOException {
    try (FSDataOutputStream held = cluster.getFileSystem().create(lock)) {
      assertThat(held).isNotNull();
      tools.look(seconds);
    }
  }

  @Test
  void theToolThatWasSeenLastSinceAMinuteBeforeTheRepairIsNamed() throws IOException {
    tools.look(10);
    assertThat(tools.since(0)).isEqualTo(Tool.UNKNOWN);
    assertThat(tools.text(Tool.UNKNOWN)).doesNotContain("(on");

    lookWhile(MOVER, 1_000);
    assertThat(tools.since(1_059)).isEqualTo(Tool.MOVER);
    assertThat(tools.since(1_061)).as("it was over long before").isEqualTo(Tool.UNKNOWN);
    assertThat(tools.text(Tool.MOVER)).endsWith("(on 127.0.0.1)");

    lookWhile(BALANCER, 1_010);
    assertThat(tools.since(900)).isEqualTo(Tool.BALANCER);
    lookWhile(MOVER, 1_020);
    assertThat(tools.since(900)).isEqualTo(Tool.MOVER);
  }

  /** A tool that was killed leaves its file, which HDFS closes after an hour. */
  @Test
  void aToolThatOnlyLeftItsFileDoesNotRun() throws IOException {
    for (Path left : new Path[] {MOVER, BALANCER}) {
      cluster.getFileSystem().create(left).close();
    }
    tools.look(1_000);

    assertThat(tools.since(1_000)).isEqualTo(Tool.UNKNOWN);
  }
}
