package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.JournaledMoves;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.Control;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.policies.movement.MovementLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The other NameNode takes over under a daemon that moves popular files to the fast tier. */
class NameNodeFailoverIT {
  private static final int FILES = 20;

  /** So slow, in bytes a second, that a failover begins before the moves end. */
  private static final long SLOW_RATE = 500_000;

  @TempDir private Path folder;

  private static AutotierSettings settings() {
    return new AutotierSettings("ppa", TimeUnit.DAYS.toMillis(1), 0, 1, 0, List.of("/data"), 1_000)
        .toBuilder()
            .callsMax(1_000)
            .fastTier("ssd")
            .moving(MoverSettings.DEFAULT.with(new MovementLimits(SLOW_RATE, SLOW_RATE, 1, 0.05)))
            .build();
  }

  private Configuration conf(TwoNameNodes hdfs) throws IOException {
    Configuration conf = new Configuration(hdfs.conf());
    conf.set(
        "tierwise.tiers.file",
        Files.writeString(folder.resolve("tiers"), WaitingYarn.TIERS).toString());
    return conf;
  }

  private DaemonThread daemon(TwoNameNodes hdfs) throws IOException {
    return new DaemonThread(
        hdfs.fs().getUri(), conf(hdfs), settings(), hdfs.logs(), folder.resolve("journal"));
  }

  private static long onSsd(TwoNameNodes hdfs, List<String> paths) throws IOException {
    long there = 0;
    for (String path : paths) {
      there += hdfs.isOnSsd(path) ? 1 : 0;
    }
    return there;
  }

  @Test
  void itsMovesGoOnItsLeaseIsHeldAndReadsOfBothLogsCount() throws Exception {
    List<String> hot = IntStream.range(0, FILES).mapToObj(i -> "/data/hot-" + i).toList();
    try (TwoNameNodes hdfs = new TwoNameNodes(folder)) {
      for (String path : hot) {
        hdfs.write(path);
        hdfs.read(path, 4);
      }
      for (int i = 0; i < FILES; i++) {
        hdfs.write("/data/cold-" + i);
        hdfs.read("/data/cold-" + i, 1);
      }
      hdfs.write("/data/late");
      try (DaemonThread first = daemon(hdfs)) {
        await("some came", () -> onSsd(hdfs, hot) > 1);

        hdfs.failOver();

        assertThat(onSsd(hdfs, hot)).as("in the middle of moves").isLessThan(FILES / 2);
        try (DaemonThread second = daemon(hdfs)) {
          second.awaitSaid("another daemon runs");
          await("the others come: " + first.said(), () -> onSsd(hdfs, hot) == FILES);
          assertThat(new Control(hdfs.fs(), conf(hdfs)).status().state())
              .isEqualTo(Control.State.RUNNING);
          assertThat(second.said()).as("the lease is held").hasSize(1);
          hdfs.read("/data/late", 6);
          first.close();
          await("what the second log alone has", () -> hdfs.isOnSsd("/data/late"));
        }
      }
      assertThat(Files.readString(hdfs.logs().get(0)))
          .contains("cmd=open\tsrc=/data/hot-0")
          .doesNotContain("cmd=open\tsrc=/data/late");
      assertThat(Files.readString(hdfs.logs().get(1)))
          .contains("cmd=open\tsrc=/data/late")
          .doesNotContain("cmd=open\tsrc=/data/hot-0");
      assertThat(JournaledMoves.of(folder.resolve("journal"), "ssd"))
          .as("what had come is not moved again")
          .contains("/data/late")
          .doesNotHaveDuplicates();
      byte[] written =
          DFSTestUtil.calculateFileContentsFromSeed(AuditedHdfs.SEED, AuditedHdfs.BYTES);
      for (String path : hot) {
        assertThat(DFSTestUtil.readFileAsBytes(hdfs.fs(), AuditedHdfs.hadoop(path)))
            .as(path)
            .isEqualTo(written);
      }
    }
  }
}
