package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A secondary store that hangs while a daemon sends files there, or before: it takes what it is
 * asked and answers nothing.
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

  /** HDFS's client warns of a DataNode that it gives up, in lines of its own. */
  private static List<String> saidItself(DaemonProcess daemon) throws IOException {
    return daemon
        .said()
        .lines()
        .filter(line -> line.startsWith("tierwise "))
        .map(line -> line.replaceAll(" for [0-9.]+ (s|min)", " for some time"))
        .toList();
  }

  /**
   * @param isBegun whether a daemon has begun by then, and sends a file there
   */
  @ParameterizedTest
  @CsvSource({
    "HDFS, true",
    "DATANODE, true",
    "OBJECTS, true",
    "MOUNT, true",
    "HDFS, false",
    "UNOPENED, false"
  })
  @Timeout(1_200)
  void allElseGoesOnAndTheStoreIsNamed(StoreProcess.Kind kind, boolean isBegun) throws Exception {
    Path rules =
        Files.writeString(folder.resolve("rules"), "path matches /data/log/** -> replicas 2\n");
    try (StoreProcess store = StoreProcess.start(kind, folder);
        ColdFiles cold = new ColdFiles(folder, 2)) {
      AuditedHdfs hdfs = cold.hdfs();
      StoredFiles files = new StoredFiles(hdfs.fs(), store.with(new HdfsConfiguration()));
      AtCall stopper = new AtCall("cmd=create\tsrc=/data/", 1, store::stop);
      hdfs.hear(stopper);
      if (!isBegun) {
        store.stop();
      }
      try (DaemonProcess daemon = cold.daemon(store.options(), "--rules", rules.toString())) {
        if (isBegun) {
          stopper.arm();
          cold.awaitReading(daemon, "one is on its way", stopper::isDone);
        }

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

        store.goOn();

        cold.awaitReading(daemon, "both go", () -> cold.stored(files) == 2);
        cold.assertReadable(files);
        String name = "tierwise autotier run: the secondary store " + store.uri();
        List<String> once =
            List.of(
                name
                    + " has not answered for some time: files stay where they are, and all else"
                    + " goes on",
                name + " answers again");
        // The client of HDFS ends such a call by itself; the daemon then has an answer.
        List<String> wanted = isBegun && isOfHdfs(kind) ? List.of() : once;
        // It says so after the run, whose last file has gone by now.
        cold.awaitReading(
            daemon, "it says all of it", () -> saidItself(daemon).size() >= wanted.size());
        assertThat(saidItself(daemon)).isEqualTo(wanted);
        assertThat(daemon.end(SECONDS_MAX)).as("it ends").isTrue();
      }
      assertThat(store.names()).as("of each a copy, and what it is of").hasSize(4);
    }
  }

  private static boolean isOfHdfs(StoreProcess.Kind kind) {
    return kind == StoreProcess.Kind.HDFS || kind == StoreProcess.Kind.DATANODE;
  }

  @ParameterizedTest
  @EnumSource(value = StoreProcess.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "UNOPENED")
  @Timeout(600)
  void aDaemonEndsAllTheSame(StoreProcess.Kind kind) throws Exception {
    try (StoreProcess store = StoreProcess.start(kind, folder);
        ColdFiles cold = new ColdFiles(folder, 1)) {
      AtCall stopper = new AtCall("cmd=create\tsrc=/data/", 1, store::stop);
      cold.hdfs().hear(stopper);
      try (DaemonProcess daemon = cold.daemon(store.options())) {
        stopper.arm();
        cold.awaitReading(daemon, "it is on its way", stopper::isDone);

        assertThat(daemon.end(SECONDS_MAX)).as(daemon.said()).isTrue();
      }
      assertThat(cold.inHdfs("/data/cold-0")).isEqualTo(cold.written());
      CommandRun run = CommandRun.of(cold.words("plan", store.options()).toArray(String[]::new));
      assertThat(run.exitCode()).as("a plan needs no store").isZero();
      if (kind == StoreProcess.Kind.DATANODE) {
        assertThat(run.err()).as("its NameNode answers").isEmpty();
      } else {
        assertThat(run.err())
            .hasLineCount(1)
            .contains("the secondary store " + store.uri() + " has not answered for ");
      }
    }
  }
}
