package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.autotier.Autotier;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.Control;
import io.tierwise.hadoop.autotier.Daemon;
import io.tierwise.hadoop.autotier.Round;
import io.tierwise.hadoop.inspect.audit.NameNodeLogs;
import io.tierwise.hadoop.mover.Mover;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two daemons, a pause, and a mover beside them, on a stock HDFS. */
class DaemonIT {
  private static final String HOT = "/data/hot";
  private static final long WINDOW_MILLIS = 3_000;
  private static final long SECONDS_MAX = 120;
  private static final int ROUNDS_MAX = 20;
  private static final int NODES = 5;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);

  @TempDir private Path folder;

  /** A daemon in a thread, with a connection of its own. */
  private final class Running implements AutoCloseable {
    private final BlockingQueue<Round> rounds = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final DistributedFileSystem fs;
    private final Thread thread;
    private Exception failure;

    Running(AuditedHdfs hdfs) throws IOException {
      this(hdfs, "journal", 1);
    }

    Running(AuditedHdfs hdfs, String journal, int holdWindows) throws IOException {
      this(
          hdfs,
          journal,
          new AutotierSettings("ppa", WINDOW_MILLIS, 50, holdWindows, 0, List.of("/data"), 1_000));
    }

    Running(AuditedHdfs hdfs, String journal, AutotierSettings settings) throws IOException {
      Configuration conf = new Configuration(hdfs.fs().getConf());
      fs = (DistributedFileSystem) FileSystem.newInstance(hdfs.fs().getUri(), conf);
      Daemon daemon =
          new Daemon(
              MoverCluster.of(fs, conf),
              new Control(fs, conf),
              settings,
              new Autotier.Logs(NameNodeLogs.Source.of(List.of(log()), List.of()), ZoneOffset.UTC),
              new Journal(folder.resolve(journal)),
              said::add);
      thread =
          new Thread(
              () -> {
                try {
                  daemon.run(0, rounds::add, stopped::get);
                } catch (IOException | InterruptedException | RuntimeException e) {
                  failure = e;
                }
              },
              "daemon");
      thread.start();
    }

    Round round() throws InterruptedException {
      Round round = rounds.poll(SECONDS_MAX, TimeUnit.SECONDS);
      assertThat(round).as("%s %s", said, failure).isNotNull();
      return round;
    }

    void awaitChange() throws InterruptedException {
      long changed = 0;
      for (int i = 0; i < ROUNDS_MAX && changed == 0; i++) {
        changed = round().changed();
      }
      assertThat(changed).as("%s", said).isOne();
    }

    @Override
    public void close() throws IOException, InterruptedException {
      stopped.set(true);
      thread.join(TimeUnit.SECONDS.toMillis(SECONDS_MAX));
      fs.close();
      assertThat(thread.isAlive()).isFalse();
    }
  }

  private Path log() {
    return folder.resolve("made-audit.log");
  }

  /** Lines as the NameNode writes them, each another reader's. */
  private void read(String path, int readers) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < readers; i++) {
      lines.append(
          String.format(
              "%s INFO FSNamesystem.audit: allowed=true\tugi=ann%d (auth:SIMPLE)\tip=/10.0.0.%d"
                  + "\tcmd=open\tsrc=%s\tdst=null\tperm=null\tproto=rpc%n",
              TIME.format(Instant.now()), System.nanoTime(), i, path));
    }
    Files.writeString(log(), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Reads go on until it is closed. */
  private AutoCloseable readers(String... paths) {
    AtomicBoolean done = new AtomicBoolean();
    Thread thread =
        new Thread(
            () -> {
              while (!done.get()) {
                try {
                  for (String path : paths) {
                    read(path, 12);
                  }
                  Thread.sleep(100);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                } catch (InterruptedException e) {
                  return;
                }
              }
            },
            "readers");
    thread.start();
    return () -> {
      done.set(true);
      thread.join();
    };
  }

  private static String state(CommandRun run) throws IOException {
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode status = new ObjectMapper().readTree(run.out());
    return status.path("state").asText();
  }

  @Test
  void oneDaemonRunsIsPausedAndIsFollowedByTheNext() throws Exception {
    int hold = 200; // What the first one changed is held when the second one begins.
    try (AuditedHdfs hdfs = new AuditedHdfs(folder)) {
      aHotFileAmongColdOnes(hdfs);
      assertThat(state(hdfs.run("autotier", "status", "--json"))).isEqualTo("stopped");
      try (Running first = new Running(hdfs, "journal", hold)) {
        assertThat(first.round().changed()).as("nothing is hot yet").isZero();
        assertThat(state(hdfs.run("autotier", "pause", "--json"))).isEqualTo("paused");
        first.rounds.clear();
        try (Running second = new Running(hdfs, "journal", hold);
            AutoCloseable readers = readers(HOT);
            DistributedFileSystem fs =
                (DistributedFileSystem)
                    FileSystem.newInstance(hdfs.fs().getUri(), new HdfsConfiguration())) {
          assertThat(second.said.poll(SECONDS_MAX, TimeUnit.SECONDS))
              .contains("another daemon runs");
          // Two windows of a hot file, and a grace.
          long end = System.currentTimeMillis() + 3 * WINDOW_MILLIS;
          while (System.currentTimeMillis() < end) {
            assertThat(hdfs.replicas(HOT)).isEqualTo(3);
            Thread.sleep(100);
          }
          assertThat(first.rounds)
              .as("one may have been under way")
              .hasSizeLessThanOrEqualTo(1)
              .allMatch(round -> round.changed() == 0);
          first.rounds.clear();
          try (Mover mover =
              Mover.open(MoverCluster.of(fs, hdfs.fs().getConf()), MoverSettings.DEFAULT)) {
            assertThat(mover).as("a daemon holds no lock of the mover").isNotNull();
          }

          assertThat(state(hdfs.run("autotier", "resume", "--json"))).isEqualTo("running");

          first.awaitChange();
          // By how many reads the window has caught.
          assertThat(hdfs.replicas(HOT)).isBetween(4, 5);
          assertThat(second.rounds).isEmpty();
          assertThat(hdfs.run("autotier", "status").unfolded()).startsWith("running (");
          first.stopped.set(true);
          assertThat(second.round().changed()).as("its number is known from the journal").isZero();
        }
      }
      assertThat(state(hdfs.run("autotier", "status", "--json"))).isEqualTo("stopped");
    }
  }

  private void aHotFileAmongColdOnes(AuditedHdfs hdfs) throws IOException {
    hdfs.write(HOT, 3);
    for (int i = 0; i < 9; i++) {
      hdfs.write("/data/cold-" + i, 3);
      read("/data/cold-" + i, 1);
    }
  }

  @Test
  void aDaemonWithAnotherJournalKnowsTheNumbersOfTheOneBefore() throws Exception {
    try (AuditedHdfs hdfs = new AuditedHdfs(folder)) {
      aHotFileAmongColdOnes(hdfs);
      try (Running first = new Running(hdfs, "journal", 1);
          AutoCloseable readers = readers(HOT)) {
        first.awaitChange();
        assertThat(hdfs.replicas(HOT)).isGreaterThan(3);
      }
      // The others are popular now: what the predictor takes from a file is their average gain.
      String[] others =
          IntStream.range(0, 9).mapToObj(i -> "/data/cold-" + i).toArray(String[]::new);
      try (Running second = new Running(hdfs, "another", 1);
          AutoCloseable readers = readers(others)) {
        for (int i = 0; i < ROUNDS_MAX && hdfs.replicas(HOT) > 3; i++) {
          second.round();
        }
        assertThat(hdfs.replicas(HOT)).as("%s", second.said).isEqualTo(3);
      }
    }
  }

  @Test
  void whatIsTakenBackBesideADaemonStaysSo() throws Exception {
    int hold = 2;
    try (AuditedHdfs hdfs = new AuditedHdfs(folder)) {
      aHotFileAmongColdOnes(hdfs);
      try (Running daemon = new Running(hdfs, "journal", hold);
          AutoCloseable readers = readers(HOT)) {
        daemon.awaitChange();
        for (int i = 0; i <= hold || (i < ROUNDS_MAX && hdfs.replicas(HOT) < NODES); i++) {
          daemon.round(); // The change itself is not held any more, and no other one is to come.
        }
        long heldUntil = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(hold * WINDOW_MILLIS);

        assertThat(hdfs.run("undo", "last").exitCode()).isZero();

        // By how many reads the first window has caught there is one run or two.
        int takenBack = hdfs.replicas(HOT);
        assertThat(takenBack).isLessThan(NODES);
        while (System.nanoTime() - heldUntil < 0) {
          daemon.round();
          int now = hdfs.replicas(HOT);
          assertThat(System.nanoTime() - heldUntil > 0 || now == takenBack)
              .as("%d after %d", now, takenBack)
              .isTrue();
        }
      }
    }
  }

  @Test
  void rulesGoOnWhereTheLastRoundStopped() throws Exception {
    Path rules =
        Files.writeString(folder.resolve("rules.txt"), "path matches /data/** -> replicas 2");
    try (AuditedHdfs hdfs = new AuditedHdfs(folder)) {
      aHotFileAmongColdOnes(hdfs); // Eleven paths with their directory.
      AutotierSettings settings =
          new AutotierSettings("ppa", WINDOW_MILLIS, 50, 1, 0, List.of("/data"), 1_000)
              .toBuilder().rules(rules).callsMax(4).build();
      try (Running daemon = new Running(hdfs, "journal", settings)) {
        long changed = 0;
        int rounds = 0;
        while (changed == 0 && rounds < ROUNDS_MAX) {
          changed = daemon.round().changed();
          rounds++;
        }
        // A turn has four paths at most, and fewer where they take longer than half a window.
        assertThat(rounds).as("%s", daemon.said).isGreaterThanOrEqualTo(3);
        assertThat(changed).isEqualTo(10);
        assertThat(daemon.said.poll(SECONDS_MAX, TimeUnit.SECONDS))
            .containsPattern("rules have looked at [1-4] path");
        assertThat(hdfs.replicas(HOT)).isEqualTo(2);
      }
    }
  }

  /** Long: LeaseIT and NameNodeFailoverIT have such NameNodes. */
  @Tag("long")
  @Test
  void aNameNodeThatStartsAgainIsWaitedForAndKnowsTheLease() throws Exception {
    try (AuditedHdfs hdfs = new AuditedHdfs(folder)) {
      aHotFileAmongColdOnes(hdfs);
      Running daemon = new Running(hdfs);
      try (Running waiting = afterItsFirstRound(hdfs, daemon)) {
        hdfs.restartNameNode();

        try (AutoCloseable readers = readers(HOT)) {
          daemon.awaitChange();
          // By how many reads the window has caught.
          assertThat(hdfs.replicas(HOT)).isBetween(4, 5);
          assertThat(state(hdfs.run("autotier", "status", "--json"))).isEqualTo("running");
        } finally {
          daemon.close();
        }
        waiting.round();
      }
    }
  }

  /** One that waits for its end. */
  private Running afterItsFirstRound(AuditedHdfs hdfs, Running daemon) throws Exception {
    assertThat(daemon.round().changed()).isZero();
    Running waiting = new Running(hdfs, "other", 1);
    assertThat(waiting.said.poll(SECONDS_MAX, TimeUnit.SECONDS)).contains("another daemon runs");
    return waiting;
  }
}
