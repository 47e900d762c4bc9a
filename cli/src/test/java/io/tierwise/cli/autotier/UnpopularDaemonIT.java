package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.secondary.SecondaryTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A daemon sends unpopular files away, in several rounds, and is killed at it. Long: {@link
 * UnpopularFilesIT} has single rounds.
 */
@Tag("long")
class UnpopularDaemonIT {
  private static final StorageType[] DISK = {StorageType.DISK};
  private static final int READERS = 12;
  private static final long SECONDS_MAX = 240;
  private static final String STORES = "tierwise.secondary.stores";
  private static final Duration UNREAD_FOR = Duration.ofSeconds(8);
  private static final String HOT = "/data/hot";
  private static final List<String> COLD = List.of("/data/cold", "/data/old");

  @TempDir private Path folder;
  private AuditedHdfs hdfs;
  private String store;
  private StoredFiles files;
  private byte[] written;
  private int newFiles;

  @BeforeEach
  void start() throws Exception {
    hdfs = new AuditedHdfs(folder, new HdfsConfiguration(), DISK, DISK, DISK);
    store = "file://" + Files.createDirectory(folder.resolve("nas"));
    files = new StoredFiles(hdfs, store);
    for (String path : COLD) {
      hdfs.write(path, 3);
      hdfs.read(path, 1);
    }
    hdfs.write(HOT, 3);
    written = files.content("writer", HOT);
  }

  @AfterEach
  void stop() {
    hdfs.close();
  }

  private DaemonThread daemon() throws IOException {
    AutotierSettings settings =
        new AutotierSettings("ppa", TimeUnit.SECONDS.toMillis(1), 0, 1, 0, List.of("/data"), 1_000)
            .toBuilder().callsMax(1_000).unreadFor(UNREAD_FOR).build();
    Configuration conf = new Configuration(hdfs.fs().getConf());
    conf.set(STORES, store);
    SecondaryTier.prepare(conf);
    return new DaemonThread(
        hdfs, conf, settings, folder.resolve("hdfs-audit.log"), folder.resolve("journal"));
  }

  /** Has people read all the time. */
  private void awaitReading(
      DaemonThread daemon, AuditedHdfs.Doing reads, String what, DaemonThread.Question question)
      throws Exception {
    try {
      await(
          what,
          SECONDS_MAX,
          () -> {
            reads.run();
            return question.holds();
          });
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; said " + daemon.said(), e);
    }
  }

  private void readHot() throws Exception {
    hdfs.read(HOT, READERS);
  }

  /** The predictor takes from files that nobody reads what others gain, on the average. */
  private void readNew() throws Exception {
    String path = "/data/new-" + newFiles++;
    hdfs.write(path, 3);
    hdfs.read(path, READERS);
  }

  private void readCold() throws Exception {
    for (String path : COLD) {
      files.read(path, READERS);
    }
  }

  private boolean areStored() throws IOException {
    return files.isStored(COLD.get(0)) && files.isStored(COLD.get(1));
  }

  private void byHand(String verb, String path) throws IOException {
    CommandRun run = hdfs.run("secondary", verb, path, "-D", STORES + "=" + store);
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  private int rounds() throws IOException {
    String status = hdfs.run("autotier", "status", "--json").out();
    return new ObjectMapper().readTree(status).path("daemon").path("rounds").asInt();
  }

  @Test
  @Timeout(600)
  void filesGoAndComeOverRoundsButForThoseThatAPersonMoves() throws Exception {
    try (DaemonThread daemon = daemon()) {
      awaitReading(daemon, this::readHot, "both go", this::areStored);
      byHand("recall", "/data/old");
      byHand("offload", "/data/old");
      awaitReading(daemon, this::readCold, "one comes", () -> !files.isStored("/data/cold"));
      int then = rounds();
      awaitReading(daemon, this::readCold, "two more rounds", () -> rounds() > then + 2);
      assertThat(files.isStored("/data/old")).as("a person sent it").isTrue();

      awaitReading(daemon, this::readNew, "it goes again", () -> files.isStored("/data/cold"));
      byHand("recall", "/data/cold");
      int now = rounds();
      awaitReading(daemon, this::readNew, "more rounds", () -> rounds() > now + 20);
      assertThat(files.isStored("/data/cold")).as("a person brought it back").isFalse();
    }
    for (String path : COLD) {
      assertThat(files.content("reader", path)).as(path).isEqualTo(written);
    }
  }

  private DaemonProcess process() throws IOException {
    return new DaemonProcess(
        folder,
        hdfs.words(
            "1 s",
            "run",
            "--below",
            "/data",
            "--hold",
            "1",
            "--extra",
            "0",
            "--secondary",
            UNREAD_FOR.toSeconds() + " s",
            "-D",
            STORES + "=" + store));
  }

  /** Before anything of a file has gone, and when it has, which nobody has written down. */
  @ParameterizedTest
  @ValueSource(strings = {"cmd=create\tsrc=/data/", "cmd=rename (options=[OVERWRITE])\tsrc=/.res"})
  @Timeout(600)
  void whatADaemonLeavesThatIsKilledTheNextOneGoesOnWith(String call) throws Exception {
    AtomicReference<DaemonProcess> victim = new AtomicReference<>();
    AtCall killer = new AtCall(call, 1, () -> victim.get().kill());
    hdfs.hear(killer);
    try (DaemonProcess process = process()) {
      victim.set(process);
      killer.arm();
      await(
          call,
          SECONDS_MAX,
          () -> {
            readHot();
            assertThat(process.isAlive() || killer.isDone()).as("%s", process.said()).isTrue();
            return killer.isDone();
          });
      process.awaitEnd();
    }
    for (String path : COLD) {
      assertThat(files.content("somebody", path)).as(path).isEqualTo(written);
    }

    hdfs.endLeasesAtOnce(true);
    try (DaemonThread daemon = daemon()) {
      awaitReading(daemon, this::readHot, "both are there", this::areStored);
      for (String path : COLD) {
        assertThat(files.content("somebody", path)).as(path).isEqualTo(written);
      }
      awaitReading(
          daemon,
          this::readCold,
          "both come",
          () -> !files.isStored("/data/cold") && !files.isStored("/data/old"));
    }
    for (String path : COLD) {
      assertThat(files.content("reader", path)).as(path).isEqualTo(written);
      assertThat(hdfs.replicas(path)).isEqualTo(3);
    }
  }
}
