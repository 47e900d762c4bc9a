package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.lab.embedded.EmbeddedYarn;
import io.tierwise.lab.embedded.LineCount;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A MapReduce job runs on a real HDFS and YARN and is learned from. The next one waits until
 * another application has left its node, and finds its input in the fast tier; its intermediate
 * data goes there, too. Neither job sets anything of ours.
 */
@Tag("long")
class ProfiledJobIT {
  private static final int LINES = 80_000;
  private static final long REGION_BYTES = 1L << 30;

  @TempDir private Path folder;

  private static Job submit(OneNode node, String day) throws Exception {
    org.apache.hadoop.fs.Path input = new org.apache.hadoop.fs.Path("/data/" + day);
    try (FSDataOutputStream out = node.hdfs().fs().create(input, (short) 1)) {
      for (int i = 0; i < LINES; i++) {
        out.writeBytes("a rose is a rose is a rose\n");
      }
    }
    return LineCount.submit(
        node.yarn().configuration(), "word count " + day, List.of(input.toString()));
  }

  @Test
  void aProfiledJobFindsItsInputAndItsIntermediateDataInTheFastTier() throws Exception {
    try (OneNode node = new OneNode(folder)) {
      EmbeddedYarn yarn = node.yarn();
      Job first = submit(node, "2026-11-27");
      assertThat(first.waitForCompletion(false)).isTrue();
      String history = node.hdfs().fs().getUri() + EmbeddedYarn.STAGING + "/history";
      await(
          "the first job is in the catalog",
          () -> node.learn(history).out().contains("added 1 run"));
      ApplicationId other = yarn.occupy();
      Job second = submit(node, "2026-11-28");
      assertThat(node.type("/data/2026-11-28")).isEqualTo(StorageType.DISK);

      try (DaemonThread daemon = node.daemon(REGION_BYTES)) {
        await(
            "its input comes: " + daemon.said(),
            () -> node.type("/data/2026-11-28") == StorageType.SSD);
        yarn.kill(other);
        assertThat(second.waitForCompletion(false)).isTrue();
        daemon.awaitSaid("between phases go to ssd");
        await("NodeManagers are told nothing of it any more", () -> !node.tells());
      }
      ApplicationId learned = LineCount.application(first);
      ApplicationId planned = LineCount.application(second);
      assertThat(yarn.mapOutputs("ssd", planned)).hasSize(1);
      assertThat(yarn.mapOutputs("disk", planned)).isEmpty();
      assertThat(yarn.mapOutputs("ssd", learned).size() + yarn.mapOutputs("disk", learned).size())
          .isOne();
    }
  }
}
