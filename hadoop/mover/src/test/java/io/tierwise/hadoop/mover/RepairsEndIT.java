package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The end of repairs beside a NameNode that keeps connections and answers nothing. */
@ExtendWith(MixedCluster.class)
class RepairsEndIT {
  private static final int BLOCKS = 13;

  /** Ten for what it has to tell, ten for the lock, and what a busy machine adds. */
  private static final int SECONDS_MAX = 30;

  @TempDir private java.nio.file.Path folder;
  private final LiveCluster cluster;
  private final List<String> said = new CopyOnWriteArrayList<>();

  RepairsEndIT(LiveCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void aStopIsHeededWithinSecondsWhileThereIsNothingToDo() throws Exception {
    assertIsHeededWithinSeconds(false);
  }

  /** Long: JobRunIT has such a NameNode in the middle of moves. */
  @Tag("long")
  @Test
  void aStopIsHeededWithinSecondsInTheMiddleOfMoves() throws Exception {
    assertIsHeededWithinSeconds(true);
  }

  /** As Ctrl-C ends it. */
  private void assertIsHeededWithinSeconds(boolean moving) throws Exception {
    Path file = cluster.write("/t/file", BLOCKS, 3);
    if (moving) {
      cluster.setPolicy("/t", "layout:3 x ssd");
      new SeenMonitor(cluster).walk();
    }
    try (HaltedRelay relay = new HaltedRelay(cluster.mini().getNameNodePort());
        DistributedFileSystem fs = connect(relay.port())) {
      Repairs running = repairs(fs);
      Thread thread = new Thread(() -> running.run(1_000, round -> {}), "test-repairs");
      thread.start();
      if (moving) {
        LiveCluster.await(
            "the first moves", () -> cluster.typesOf(file).toString().contains("SSD"));
      }
      relay.halt();

      long begun = System.nanoTime();
      thread.interrupt();
      running.stop();
      thread.join(TimeUnit.MINUTES.toMillis(5));
      double seconds = (System.nanoTime() - begun) / 1e9;

      assertThat(thread.isAlive()).isFalse();
      assertThat(seconds).isLessThan(SECONDS_MAX);
      assertThat(said).hasSize(moving ? 1 : 0).allMatch(line -> line.contains("does not answer"));
    }
    cluster.assertWhole(file, BLOCKS);
    giveLockBack();
  }

  /** Nobody could, and HDFS would wait for a minute. */
  private void giveLockBack() throws IOException {
    DistributedFileSystem fs = cluster.fs();
    LiveCluster.await(
        "the lock is closed",
        () -> !fs.exists(MoverConnection.LOCK) || fs.recoverLease(MoverConnection.LOCK));
    fs.delete(MoverConnection.LOCK, false);
  }

  private DistributedFileSystem connect(int port) throws IOException {
    return (DistributedFileSystem)
        FileSystem.newInstance(URI.create("hdfs://localhost:" + port), cluster.clientConf());
  }

  /** After the first moves none starts for minutes. */
  private Repairs repairs(DistributedFileSystem fs) throws IOException {
    Journal journal = new Journal(folder);
    return new Repairs(
        fs,
        cluster.clientConf(),
        LiveCluster.quick().atRates(LiveCluster.BLOCK_BYTES / 256, 1L << 40),
        () -> journal.begin("monitor run", "me", "here", List.of(), "policies", null),
        said::add);
  }
}
