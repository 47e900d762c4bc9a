package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.secondary.SecondaryTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
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
  private static final String STORES = "tierwise.secondary.stores";
  private static final String COLD = "/data/cold-0";
  private static final String OLD = "/data/cold-1";

  @TempDir private Path folder;
  private ColdFiles cold;
  private AuditedHdfs hdfs;
  private String store;
  private StoredFiles files;

  @BeforeEach
  void start() throws Exception {
    cold = new ColdFiles(folder, 2);
    hdfs = cold.hdfs();
    store = "file://" + Files.createDirectory(folder.resolve("nas"));
    files = new StoredFiles(hdfs, store);
  }

  @AfterEach
  void stop() {
    cold.close();
  }

  private DaemonThread daemon() throws IOException {
    AutotierSettings settings =
        new AutotierSettings(
                cold.predictor(), TimeUnit.SECONDS.toMillis(1), 0, 1, 0, List.of("/data"), 1_000)
            .toBuilder().callsMax(1_000).unreadFor(ColdFiles.UNREAD_FOR).build();
    Configuration conf = new Configuration(hdfs.fs().getConf());
    conf.set(STORES, store);
    SecondaryTier.prepare(conf);
    return new DaemonThread(
        hdfs, conf, settings, folder.resolve("hdfs-audit.log"), folder.resolve("journal"));
  }

  private void readCold() throws Exception {
    for (String path : cold.paths()) {
      files.read(path, ColdFiles.READERS);
    }
  }

  private boolean areStored() throws IOException {
    return cold.stored(files) == 2;
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
      cold.awaitReading(cold::readHot, "both go", this::areStored, daemon::said);
      byHand("recall", OLD);
      byHand("offload", OLD);
      cold.awaitReading(this::readCold, "one comes", () -> !files.isStored(COLD), daemon::said);
      int then = rounds();
      cold.awaitReading(this::readCold, "two more rounds", () -> rounds() > then + 2, daemon::said);
      assertThat(files.isStored(OLD)).as("a person sent it").isTrue();

      cold.awaitReading(cold::readHot, "it goes again", () -> files.isStored(COLD), daemon::said);
      byHand("recall", COLD);
      int now = rounds();
      cold.awaitReading(cold::readHot, "more rounds", () -> rounds() > now + 20, daemon::said);
      assertThat(files.isStored(COLD)).as("a person brought it back").isFalse();
    }
    cold.assertReadable(files);
  }

  /** Before anything of a file has gone, and when it has, which nobody has written down. */
  @ParameterizedTest
  @ValueSource(strings = {"cmd=create\tsrc=/data/", "cmd=rename (options=[OVERWRITE])\tsrc=/.res"})
  @Timeout(600)
  void whatADaemonLeavesThatIsKilledTheNextOneGoesOnWith(String call) throws Exception {
    AtomicReference<DaemonProcess> victim = new AtomicReference<>();
    AtCall killer = new AtCall(call, 1, () -> victim.get().kill());
    hdfs.hear(killer);
    try (DaemonProcess process = cold.daemon(List.of("-D", STORES + "=" + store))) {
      victim.set(process);
      killer.arm();
      cold.awaitReading(cold::readHot, call, killer::isDone, process::said);
      process.awaitEnd();
    }
    cold.assertReadable(files);

    hdfs.endLeasesAtOnce(true);
    try (DaemonThread daemon = daemon()) {
      cold.awaitReading(cold::readHot, "both are there", this::areStored, daemon::said);
      cold.assertReadable(files);
      cold.awaitReading(this::readCold, "both come", () -> cold.stored(files) == 0, daemon::said);
    }
    cold.assertReadable(files);
    for (String path : cold.paths()) {
      assertThat(hdfs.replicas(path)).isEqualTo(3);
    }
  }
}
