package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A daemon that holds the lease is killed while it sends files to the secondary store, and one that
 * waited goes on.
 */
@Tag("long")
class KilledOffloadIT {
  private static final int FILES = 12;

  /** A placeholder takes its file's place. */
  private static final String SWAP = "cmd=rename (options=[OVERWRITE])\tsrc=/.res";

  @TempDir private Path folder;

  /** Before anything of a file has gone, and when it has, which nobody has written down. */
  @ParameterizedTest
  @ValueSource(strings = {"cmd=create\tsrc=/data/", SWAP})
  @Timeout(900)
  void anotherThatWaitedSendsTheRestAndNothingTwice(String call) throws Exception {
    String store = "file://" + Files.createDirectory(folder.resolve("nas"));
    List<String> options = List.of("-D", "tierwise.secondary.stores=" + store);
    AtomicReference<DaemonProcess> victim = new AtomicReference<>();
    AtCall killer = new AtCall(call, FILES / 2, () -> victim.get().kill());
    try (ColdFiles cold = new ColdFiles(folder, FILES)) {
      cold.hdfs().hear(killer);
      StoredFiles files = new StoredFiles(cold.hdfs(), store);
      assertThat(cold.hdfs().run("autotier", "pause").exitCode()).isZero();
      try (DaemonProcess first = cold.daemon(options)) {
        victim.set(first);
        cold.awaitReading(
            first,
            "it has the lease",
            () -> cold.hdfs().run("autotier", "status").unfolded().startsWith("paused ("));
        try (DaemonProcess second = cold.daemon(options)) {
          cold.awaitReading(
              second, "it waits", () -> second.said().contains("another daemon runs"));
          killer.arm();
          assertThat(cold.hdfs().run("autotier", "resume").exitCode()).isZero();
          cold.awaitReading(second, "the first one is killed", killer::isDone);
          first.awaitEnd();
          assertThat(cold.stored(files)).as("in the middle").isBetween(1L, FILES - 1L);
          cold.assertReadable(files);

          cold.awaitReading(second, "all are there", () -> cold.stored(files) == FILES);
          cold.assertReadable(files);
          assertThat(second.said()).as("but that it waited").hasLineCount(1);
        }
      }
      try (Stream<String> calls = Files.lines(folder.resolve("hdfs-audit.log"))) {
        assertThat(calls.filter(line -> line.contains(SWAP))).as("each once").hasSize(FILES);
      }
    }
  }
}
