package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.secondary.SecondaryTier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The other NameNode takes over under a daemon that sends files to the secondary store. */
@Tag("long")
class OffloadFailoverIT {
  private static final int FILES = 30;
  private static final int READERS = 12;
  private static final long SECONDS_MAX = 300;

  /** There and back; after each, reads have to be known for some seconds again. */
  private static final int FAILOVERS_MAX = 2;

  @TempDir private Path folder;

  private static AutotierSettings settings() {
    return new AutotierSettings(
        "ppa",
        TimeUnit.SECONDS.toMillis(1),
        0,
        1,
        0,
        List.of("/data"),
        1_000,
        Optional.empty(),
        1_000,
        Optional.empty(),
        Optional.empty(),
        MoverSettings.DEFAULT,
        List.of(),
        false,
        Optional.of(Duration.ofSeconds(8)));
  }

  private static long stored(StoredFiles files, List<String> paths) throws Exception {
    long stored = 0;
    for (String path : paths) {
      stored += files.isStored(path) ? 1 : 0;
    }
    return stored;
  }

  /** Reads all files until it is told to end, and returns how many were read. */
  private static int readAll(
      StoredFiles files, List<String> paths, byte[] written, AtomicBoolean ended) {
    int read = 0;
    while (!ended.get()) {
      for (String path : paths) {
        try {
          assertThat(files.content(TwoNameNodes.UNHEARD, path)).as(path).isEqualTo(written);
        } catch (Exception e) {
          throw new AssertionError(path + " cannot be read", e);
        }
        read++;
      }
    }
    return read;
  }

  @Test
  @Timeout(900)
  void eachFileIsReadableAllTheTimeAndAllGo() throws Exception {
    List<String> cold = IntStream.range(0, FILES).mapToObj(i -> "/data/cold-" + i).toList();
    Configuration given = new Configuration();
    given.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 2);
    try (TwoNameNodes hdfs = new TwoNameNodes(folder, given)) {
      for (String path : cold) {
        hdfs.write(path);
        hdfs.read(path, 1);
      }
      byte[] written =
          DFSTestUtil.calculateFileContentsFromSeed(AuditedHdfs.SEED, AuditedHdfs.BYTES);
      Configuration conf = new Configuration(hdfs.conf());
      conf.set(
          "tierwise.secondary.stores", "file://" + Files.createDirectory(folder.resolve("nas")));
      StoredFiles files = new StoredFiles(hdfs.fs(), new Configuration(conf));
      SecondaryTier.prepare(conf);
      AtomicBoolean ended = new AtomicBoolean();
      CompletableFuture<Integer> reader =
          CompletableFuture.supplyAsync(() -> readAll(files, cold, written, ended));
      try (DaemonThread daemon =
          new DaemonThread(
              hdfs.fs().getUri(), conf, settings(), hdfs.logs(), folder.resolve("journal"))) {
        Deque<Long> failovers = new ArrayDeque<>();
        await(
            "all go, said " + daemon.said(),
            SECONDS_MAX,
            () -> {
              // The predictor takes from files that nobody reads what others gain.
              String gains = "/data/new-" + System.nanoTime();
              hdfs.write(gains);
              hdfs.read(gains, READERS);
              assertThat(reader.isDone()).as(() -> "read: " + reader.join()).isFalse();
              long there = stored(files, cold);
              if (failovers.size() < FAILOVERS_MAX
                  && there > (failovers.isEmpty() ? 0 : failovers.getLast())
                  && there < FILES) {
                hdfs.failOver();
                failovers.add(there);
              }
              return there == FILES;
            });
        assertThat(failovers).as("in the middle of offloads").isNotEmpty();
      } finally {
        ended.set(true);
      }
      assertThat(reader.get()).isGreaterThan(FILES);
      for (String path : cold) {
        assertThat(files.content("somebody", path)).as(path).isEqualTo(written);
      }
    }
  }
}
