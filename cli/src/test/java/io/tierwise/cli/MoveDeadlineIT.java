package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code file move --by} says when the moves are over. */
class MoveDeadlineIT extends MoveDataCluster {
  private static final int LATE_SECONDS = 3;

  /** Until then no SSD finishes a write, as where disks do much else. */
  private static List<Thread> holdUp(Instant until) throws Exception {
    List<Thread> holders = new ArrayList<>();
    for (DataNode node : cluster.getDataNodes()) {
      try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
        for (FsVolumeSpi volume : volumes) {
          if (volume.getStorageType() == StorageType.SSD) {
            holders.add(hold(node, volume.getStorageID(), until));
          }
        }
      }
    }
    return holders;
  }

  private static Thread hold(DataNode node, String volume, Instant until)
      throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    Runnable hold =
        () -> {
          try (AutoCloseDataSetLock lock =
              node.getFSDataset()
                  .acquireDatasetLockManager()
                  .writeLock(LockLevel.VOLUME, cluster.getNamesystem().getBlockPoolId(), volume)) {
            held.countDown();
            TimeUnit.MILLISECONDS.sleep(until.toEpochMilli() - System.currentTimeMillis());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    Thread holder = new Thread(hold, "test-hold");
    holder.start();
    assertThat(held.await(1, TimeUnit.MINUTES)).isTrue();
    return holder;
  }

  /** The plan has time enough for its few bytes, and the volumes do not keep to it. */
  private static CommandRun late(String... more) throws Exception {
    Instant by = Instant.now().plusSeconds(12);
    List<Thread> holders = holdUp(by.plusSeconds(LATE_SECONDS));
    List<String> words =
        new ArrayList<>(List.of("file", "move", "/warehouse", "--to", "3 x ssd", "--by"));
    words.add(by.toString());
    words.addAll(List.of(more));
    CommandRun run = run(words.toArray(String[]::new));
    for (Thread holder : holders) {
      holder.join();
    }
    return run;
  }

  @Test
  void aRunThatEndedTooLateSaysSoAndFails() throws Exception {
    CommandRun run = late();

    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCode.FAILED);
    assertThat(run.unfolded()).startsWith("moved 9 replicas").contains("in place at 20");
    assertThat(run.unfolded()).contains(" s after --by").doesNotContain("stays:");
    assertThat(replicas()).containsExactly(9, 0);
  }

  /** Long: make test has the same delay in words. */
  @Tag("long")
  @Test
  void theAnswerAsJsonHasTheSecondsOfTheDelay() throws Exception {
    CommandRun run = late("--json");

    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCode.FAILED);
    JsonNode deadline = json(run).path("deadline");
    assertThat(deadline.path("kept").asBoolean(true)).isFalse();
    assertThat(deadline.path("seconds_late").asDouble()).isBetween((double) LATE_SECONDS, 60.0);
    assertThat(Instant.parse(deadline.path("ended").asText()))
        .isAfter(Instant.parse(deadline.path("by").asText()));
    assertThat(json(run).path("left")).isEmpty();
  }

  @Test
  void aRunThatIsInTimeSaysSoToo() throws IOException {
    String by = Instant.now().plusSeconds(3600).toString();
    CommandRun run = run("file", "move", "/warehouse", "--to", "3 x ssd", "--by", by);

    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    assertThat(run.unfolded()).contains("in place at 20", " min before --by");
  }
}
