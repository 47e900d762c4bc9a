package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A secondary store that is stopped while a daemon sends files there: it takes connections and
 * answers nothing.
 */
@Tag("long")
class SilentStoreIT {
  private static final long SECONDS_MAX = 60;

  @TempDir private Path folder;

  private String status(AuditedHdfs hdfs) throws IOException {
    CommandRun run = hdfs.run("autotier", "status");
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.unfolded();
  }

  /** HDFS's client ends a call by itself, which is no silence to the daemon. */
  private static void assertSaidOnce(StoreProcess.Kind kind, StoreProcess store, String said) {
    String name = "tierwise autotier run: the secondary store " + store.uri();
    if (kind == StoreProcess.Kind.HDFS) {
      assertThat(said).isEmpty();
    } else {
      assertThat(said.lines().map(line -> line.replaceAll(" for [0-9]+ min", " for some time")))
          .containsExactly(
              name
                  + " has not answered for some time: files stay where they are, and all else goes"
                  + " on",
              name + " answers again");
    }
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(1_200)
  void allElseGoesOnAndTheStoreIsNamed(StoreProcess.Kind kind) throws Exception {
    Path rules =
        Files.writeString(folder.resolve("rules"), "path matches /data/log/** -> replicas 2\n");
    try (StoreProcess store = StoreProcess.start(kind, folder);
        ColdFiles cold = new ColdFiles(folder, 2)) {
      AuditedHdfs hdfs = cold.hdfs();
      StoredFiles files = new StoredFiles(hdfs.fs(), store.with(new HdfsConfiguration()));
      AtCall stopper = new AtCall("cmd=create\tsrc=/data/", 1, () -> Signals.stop(store.pid()));
      hdfs.hear(stopper);
      try (DaemonProcess daemon = cold.daemon(store.options(), "--rules", rules.toString())) {
        stopper.arm();
        cold.awaitReading(daemon, "one is on its way", stopper::isDone);

        hdfs.write("/data/log/new", 3);
        hdfs.read("/data/log/new", 1);
        cold.awaitReading(daemon, "rules go on", () -> hdfs.replicas("/data/log/new") == 2);
        cold.awaitReading(
            daemon,
            "the last round names it",
            () -> status(hdfs).contains("the secondary store " + store.uri()));
        assertThat(status(hdfs)).startsWith("running (");
        for (String path : cold.paths()) {
          assertThat(cold.inHdfs(path)).as(path).isEqualTo(cold.written());
        }
        assertThat(hdfs.run("autotier", "pause").exitCode()).isZero();
        cold.awaitReading(daemon, "it is paused", () -> status(hdfs).startsWith("paused ("));
        assertThat(hdfs.run("autotier", "resume").exitCode()).isZero();
        assertThat(cold.stored(files)).isZero();

        Signals.goOn(store.pid());

        cold.awaitReading(daemon, "both go", () -> cold.stored(files) == 2);
        cold.assertReadable(files);
        assertSaidOnce(kind, store, daemon.said());
        assertThat(daemon.end(SECONDS_MAX)).as("it ends").isTrue();
      }
      assertThat(store.names()).as("of each a copy, and what it is of").hasSize(4);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(600)
  void aDaemonEndsAllTheSame(StoreProcess.Kind kind) throws Exception {
    try (StoreProcess store = StoreProcess.start(kind, folder);
        ColdFiles cold = new ColdFiles(folder, 1)) {
      AtCall stopper = new AtCall("cmd=create\tsrc=/data/", 1, () -> Signals.stop(store.pid()));
      cold.hdfs().hear(stopper);
      try (DaemonProcess daemon = cold.daemon(store.options())) {
        stopper.arm();
        cold.awaitReading(daemon, "it is on its way", stopper::isDone);

        assertThat(daemon.end(SECONDS_MAX)).as(daemon.said()).isTrue();
      }
      assertThat(cold.inHdfs("/data/cold-0")).isEqualTo(cold.written());
      CommandRun run = CommandRun.of(cold.words("plan", store.options()).toArray(String[]::new));
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err())
          .hasLineCount(1)
          .contains("--secondary: the secondary store " + store.uri());
    }
  }
}
