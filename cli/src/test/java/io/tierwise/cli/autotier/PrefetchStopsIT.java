package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.TierwiseCommand;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.policies.movement.MovementLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A prefetch that is killed or paused in its middle. */
@Tag("long")
class PrefetchStopsIT {
  private static final int FILES = 40;
  private static final long REGION_BYTES = 20_000_000;
  private static final long SLOW_BYTES_PER_SECOND = 500_000;

  /** That all files take at that rate. */
  private static final long SLOW_MILLIS =
      1_000L * FILES * AuditedHdfs.BYTES / SLOW_BYTES_PER_SECOND;

  @TempDir private static Path shared;
  private static WaitingYarn yarn;
  private static AuditedHdfs hdfs;
  private static int tests;

  @TempDir private Path folder;
  private String below;
  private String[] paths;

  @BeforeAll
  static void start() throws IOException {
    yarn = new WaitingYarn(shared, 1, new Configuration());
    hdfs = yarn.hdfs();
  }

  @AfterAll
  static void end() {
    yarn.close();
  }

  @BeforeEach
  void write() throws Exception {
    below = "/data" + tests++;
    paths = new String[FILES];
    for (int i = 0; i < FILES; i++) {
      paths[i] = below + "/" + i;
      // Nobody reads it: what is popular comes for other reasons, and is counted elsewhere.
      hdfs.write(paths[i], 1);
    }
  }

  @AfterEach
  void killJobs() throws Exception {
    yarn.killJobs();
  }

  private Path journal() {
    return folder.resolve("journal");
  }

  private Process process() throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                TierwiseCommand.class.getName()));
    line.addAll(yarn.deciding("run", below, REGION_BYTES, journal(), "--bandwidth-total", "1"));
    return new ProcessBuilder(line)
        .redirectOutput(folder.resolve("stdout").toFile())
        .redirectError(folder.resolve("stderr").toFile())
        .start();
  }

  private Set<String> onSsd() throws IOException {
    Set<String> there = new TreeSet<>();
    for (String path : paths) {
      if (yarn.isOnSsd(path)) {
        there.add(path);
      }
    }
    return there;
  }

  private static JsonNode jobs() throws IOException {
    return new ObjectMapper()
        .readTree(yarn.command("status", "--json").out())
        .path("daemon")
        .path("jobs");
  }

  private static long takenBytes() throws IOException {
    return jobs().path("taken_bytes").asLong(-1);
  }

  private void awaitCounted(DaemonThread daemon) throws Exception {
    try {
      await("it is counted", () -> takenBytes() == (long) onSsd().size() * AuditedHdfs.BYTES);
    } catch (AssertionError e) {
      assertThat(takenBytes())
          .as("%s, files on the SSD %s, said %s", jobs(), onSsd(), daemon.said())
          .isEqualTo((long) onSsd().size() * AuditedHdfs.BYTES);
    }
  }

  /** Files of which the journal says that they were to come. */
  private Set<String> journaled() {
    Journal journal = new Journal(journal());
    Set<String> files = new TreeSet<>();
    for (String id : journal.runs()) {
      PastRun.read(journal, id)
          .read(
              step -> {
                if (step.entry() instanceof JournalEntry.Moving move) {
                  files.add(move.file());
                }
              });
    }
    return files;
  }

  private void assertOneReplicaEach() throws Exception {
    for (String path : paths) {
      await(path + " has its one replica", () -> yarn.replicas(path) == 1);
    }
  }

  @Test
  void aDaemonThatIsKilledLeavesNothingHalfMovedAndTheNextOneGoesOn() throws Exception {
    Job job = yarn.submit("count", paths);
    Process killed = process();
    try {
      await("some of it came", () -> !onSsd().isEmpty() || !killed.isAlive());
    } finally {
      killed.destroyForcibly().waitFor();
    }
    Set<String> came = onSsd();
    assertThat(came.size()).isBetween(1, FILES - 1);
    assertOneReplicaEach();
    assertThat(journaled()).containsAll(onSsd());

    hdfs.endLeasesAtOnce(true);
    try (DaemonThread daemon = yarn.daemon(below, REGION_BYTES, MoverSettings.DEFAULT, journal())) {
      await("the others come", () -> onSsd().size() == FILES);
      daemon.awaitSaid("are prefetched");
      hdfs.endLeasesAtOnce(false);
      yarn.kill(job);
      awaitCounted(daemon);
    }
    for (String path : paths) {
      assertThat(DFSTestUtil.readFileAsBytes(hdfs.fs(), AuditedHdfs.hadoop(path)))
          .hasSize(AuditedHdfs.BYTES);
    }
    assertThat(journaled()).containsExactlyInAnyOrderElementsOf(Arrays.asList(paths));
  }

  @Test
  void aJobThatIsOverWhenItsTurnComesIsNotPrefetchedFor() throws Exception {
    String[] most = Arrays.copyOf(paths, FILES - 2);
    yarn.submit("count", most);
    Job over = yarn.submit("count", paths[FILES - 2]);
    long submittedMillis = System.currentTimeMillis();
    await(
        "both have waited for longer than a prefetch takes, so that the first look finds it to pay",
        () -> System.currentTimeMillis() - submittedMillis > SLOW_MILLIS);
    try (DaemonThread daemon = yarn.daemon(below, REGION_BYTES, slow(), journal())) {
      await("the first one's input begins to come", () -> !onSsd().isEmpty());
      yarn.kill(over);
      await("all of it came", () -> onSsd().size() >= most.length);
      yarn.submit("count", paths[FILES - 1]);
      await("the third one's input comes", () -> yarn.isOnSsd(paths[FILES - 1]));

      assertThat(daemon.said())
          .noneMatch(line -> line.contains(WaitingYarn.application(over)))
          .hasSizeGreaterThan(1);
      assertThat(yarn.isOnSsd(paths[FILES - 2])).isFalse();
    }
  }

  private static MoverSettings slow() {
    return MoverSettings.DEFAULT.with(
        new MovementLimits(SLOW_BYTES_PER_SECOND, SLOW_BYTES_PER_SECOND, 1, 0.05));
  }

  @Test
  void aPauseInItsMiddleLeavesWhatCameAndCountsIt() throws Exception {
    Job job = yarn.submit("count", paths);
    try (DaemonThread daemon = yarn.daemon(below, REGION_BYTES, slow(), journal())) {
      await("some of it came", () -> !onSsd().isEmpty());
      assertThat(yarn.command("pause").exitCode()).isZero();
      awaitCounted(daemon);
      assertThat(onSsd().size()).isBetween(1, FILES - 1);
      assertOneReplicaEach();
      assertThat(journaled()).containsAll(onSsd());

      assertThat(yarn.command("resume").exitCode()).isZero();
      await("the others come", () -> onSsd().size() == FILES);
      yarn.kill(job);
      awaitCounted(daemon);
      daemon.awaitSaid("are prefetched");
    } finally {
      assertThat(yarn.command("resume").exitCode()).isZero();
    }
    assertThat(new Journal(journal()).runs()).hasSize(2);
  }
}
