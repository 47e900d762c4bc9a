package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.cli.TierwiseJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon in a process of its own that stands still in the middle of a round. */
class DaemonStoppedIT {
  private static final int FILES = 2_000;
  private static final long SECONDS_MAX = 120;

  /** Longer than the daemon trusts what it last knew of its lease. */
  private static final long STANDS_STILL_SECONDS = 6;

  /** A machine that stands still may let the daemon finish before it is stopped. */
  private static final int ATTEMPTS = 5;

  @TempDir private Path folder;
  private String directory;

  private List<String> words(AuditedHdfs hdfs, int replicas) throws IOException {
    Path rules =
        Files.writeString(
            folder.resolve("to-" + replicas + ".txt"),
            "path matches " + directory + "/** -> replicas " + replicas);
    return hdfs.words(
        "1 d",
        "run",
        "--below",
        directory,
        "--rules",
        rules.toString(),
        "--journal",
        folder.resolve("journal-" + replicas).toString());
  }

  private Process start(AuditedHdfs hdfs) throws IOException {
    return new ProcessBuilder(TierwiseJvm.line(words(hdfs, 2).toArray(String[]::new)))
        .redirectOutput(folder.resolve("stdout").toFile())
        .redirectError(folder.resolve("stderr").toFile())
        .start();
  }

  private Set<String> withReplicas(AuditedHdfs hdfs, int replicas) throws IOException {
    Set<String> names = new HashSet<>();
    for (FileStatus each : hdfs.fs().listStatus(AuditedHdfs.hadoop(directory))) {
      if (each.getReplication() == replicas) {
        names.add(each.getPath().getName());
      }
    }
    return names;
  }

  private String error() throws IOException {
    return Files.readString(folder.resolve("stderr"));
  }

  /** A daemon that stands still in the middle of its round; in a directory of its own. */
  private Process startAndStopInARound(AuditedHdfs hdfs) throws IOException, InterruptedException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      directory = "/data" + attempt;
      for (int i = 0; i < FILES; i++) {
        hdfs.fs().create(AuditedHdfs.hadoop(String.format("%s/%04d", directory, i))).close();
      }
      Process daemon = start(hdfs);
      boolean standsStill = false;
      try {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (hdfs.replicas(directory + "/0000") != 2) {
          assertThat(daemon.isAlive() && System.nanoTime() < end).as(error()).isTrue();
        }
        Signals.stop(daemon.pid());
        standsStill = withReplicas(hdfs, 3).size() > 100;
      } finally {
        if (!standsStill) {
          daemon.destroyForcibly().waitFor();
        }
      }
      if (standsStill) {
        return daemon;
      }
      hdfs.endLeasesAtOnce(true);
    }
    throw new AssertionError("each round was over before its daemon stood still");
  }

  @Test
  void aDaemonThatGoesOnAfterAnotherTookOverChangesNothing() throws Exception {
    try (AuditedHdfs hdfs = new AuditedHdfs(folder)) {
      hdfs.write("/other", 3);
      hdfs.read("/other", 1);
      Process first = startAndStopInARound(hdfs);
      long stopped = System.nanoTime();
      try {
        hdfs.endLeasesAtOnce(true);
        List<String> second = words(hdfs, 4);
        second.addAll(List.of("--rounds", "1"));
        CommandRun run = CommandRun.of(second.toArray(String[]::new));
        hdfs.endLeasesAtOnce(false);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(withReplicas(hdfs, 4)).isNotEmpty();
        assertThat(withReplicas(hdfs, 3))
            .as("but for one that was marked, and not changed yet: it is held")
            .hasSizeLessThanOrEqualTo(1);
        Set<String> before = withReplicas(hdfs, 2);
        TimeUnit.NANOSECONDS.sleep(
            stopped + TimeUnit.SECONDS.toNanos(STANDS_STILL_SECONDS) - System.nanoTime());

        Signals.goOn(first.pid());

        assertThat(first.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        assertThat(error()).contains("another daemon has taken the lease");
        assertThat(first.exitValue()).isEqualTo(3);
        Set<String> after = withReplicas(hdfs, 2);
        after.removeAll(before);
        assertThat(after).as("but for a call that was under way").hasSizeLessThanOrEqualTo(1);
      } finally {
        first.destroyForcibly();
      }
    }
  }
}
