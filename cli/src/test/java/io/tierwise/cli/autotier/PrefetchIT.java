package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The daemon beside real MapReduce jobs that a real ResourceManager has accepted, and for which it
 * has no node yet. All but the prefetch of a job and of the next one is long.
 */
class PrefetchIT {
  /** For the input and the intermediate data of one job. */
  private static final long REGION_BYTES = 250_000;

  @TempDir private static Path shared;
  private static WaitingYarn yarn;
  private static AuditedHdfs hdfs;
  private static int tests;

  @TempDir private Path folder;
  private String below;

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
  void directory() {
    below = "/data" + tests++;
  }

  @AfterEach
  void killJobs() throws Exception {
    yarn.killJobs();
  }

  private DaemonThread daemon(MoverSettings moving) throws IOException {
    return yarn.daemon(below, REGION_BYTES, moving, folder.resolve("journal"));
  }

  private String input(String name) throws IOException {
    String path = below + "/" + name;
    hdfs.write(path, 1);
    return path;
  }

  private String plan(String... more) throws IOException {
    CommandRun run =
        CommandRun.of(
            yarn.deciding("plan", below, REGION_BYTES, folder.resolve("journal"), more)
                .toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.unfolded();
  }

  @Test
  void whatAWaitingJobReadsComesAndLeavesForTheNextJobWhenItsJobWasKilled() throws Exception {
    String one = input("one");
    String two = input("two");
    hdfs.read(one, 1);
    Job first = yarn.submit("count", one);

    assertThat(plan())
        .contains("job count (" + WaitingYarn.application(first))
        .contains("are prefetched for")
        .contains("between phases go to ssd")
        .contains("prefetches: 1 file to ssd: would move 1 replica");
    assertThat(yarn.isOnSsd(one)).as("a plan changes nothing").isFalse();

    try (DaemonThread daemon = daemon(MoverSettings.DEFAULT)) {
      await("its input comes", () -> yarn.isOnSsd(one));
      await("NodeManagers are told", () -> yarn.isTold(first));
      assertThat(yarn.tier(first)).isEqualTo("ssd");
      assertThat(hdfs.fs().getStoragePolicy(AuditedHdfs.hadoop(one)).getName())
          .isEqualTo("ONE_SSD");
      await(
          "the daemon tells of it",
          () -> yarn.command("status").unfolded().contains("input of 1 job of 1 was prefetched"));

      yarn.kill(first);
      await("NodeManagers are told nothing of it", () -> !yarn.isTold(first));
      assertThat(yarn.isOnSsd(one)).as("nothing needs its room").isTrue();
      Job second = yarn.submit("count", two);
      await("the next job's input comes", () -> yarn.isOnSsd(two));
      assertThat(yarn.isOnSsd(one)).isFalse();
      assertThat(hdfs.fs().getStoragePolicy(AuditedHdfs.hadoop(one)).getName()).isEqualTo("HOT");
      daemon.awaitSaid("makes room: 1 file to disk");
      assertThat(yarn.tier(second)).isEqualTo("ssd");
      await("all of it is counted", () -> yarn.told().path("prefetched").asInt() == 2);
      assertThat(yarn.told().path("looked").asInt()).isEqualTo(2);
      assertThat(yarn.told().path("prefetched_bytes").asInt()).isEqualTo(2 * AuditedHdfs.BYTES);
      assertThat(yarn.told().path("left_bytes").asInt()).isEqualTo(AuditedHdfs.BYTES);
    }
    Journal journal = new Journal(folder.resolve("journal"));
    assertThat(journal.runs()).hasSize(3);
  }

  @Tag("long")
  @Test
  void aDaemonThatBeginsAgainKnowsWhatTheOneBeforePrefetched() throws Exception {
    String one = input("one");
    String two = input("two");
    hdfs.read(one, 1);
    Job first = yarn.submit("count", one);
    try (DaemonThread daemon = daemon(MoverSettings.DEFAULT)) {
      await("its input comes", () -> yarn.isOnSsd(one));
      daemon.awaitSaid("prefetches: 1 file");
    }
    yarn.kill(first);

    try (DaemonThread daemon = daemon(MoverSettings.DEFAULT)) {
      await("what was told of it goes", () -> !yarn.isTold(first));
      yarn.submit("count", two);
      await("the next job's input comes", () -> yarn.isOnSsd(two));
      assertThat(yarn.isOnSsd(one)).isFalse();
      daemon.awaitSaid("makes room: 1 file to disk");
    }
  }

  /** Of a job that nothing is planned for, so that this daemon tells nothing of it. */
  @Tag("long")
  @Test
  void whatAnEarlierDaemonToldIsCountedAndTakenBackWhenItsJobIsOver() throws Exception {
    String one = input("one");
    hdfs.read(one, 1);
    Job job = yarn.submit("nobody ran it", one);
    yarn.tell(job, "ssd", WaitingYarn.INTERMEDIATE_BYTES);
    try (DaemonThread daemon = daemon(MoverSettings.DEFAULT)) {
      daemon.awaitCounted(yarn, WaitingYarn.INTERMEDIATE_BYTES);
      assertThat(yarn.isTold(job)).isTrue();
      yarn.kill(job);
      await("NodeManagers are told nothing of it", () -> !yarn.isTold(job));
      daemon.awaitCounted(yarn, 0);
    }
  }

  @Tag("long")
  @Test
  void whilePausedNothingComesAndAfterwardsItDoes() throws Exception {
    String one = input("one");
    hdfs.read(one, 1);
    assertThat(yarn.command("pause").exitCode()).isZero();
    try (DaemonThread daemon = daemon(MoverSettings.DEFAULT)) {
      yarn.submit("count", one);
      await("it is paused", () -> yarn.command("status").unfolded().startsWith("paused"));
      assertThat(yarn.isOnSsd(one)).isFalse();
      assertThat(yarn.command("resume").exitCode()).isZero();
      await("its input comes", () -> yarn.isOnSsd(one));
      daemon.awaitSaid("prefetches: 1 file");
    } finally {
      assertThat(yarn.command("resume").exitCode()).isZero();
    }
  }

  @Tag("long")
  @Test
  void jobsOfWhichNothingIsKnownAreLeftWithAReason() throws Exception {
    String gone = input("gone");
    String stays = input("stays");
    hdfs.read(stays, 1);
    yarn.submit("count", gone);
    yarn.submit("nobody ran it", stays);
    hdfs.fs().delete(AuditedHdfs.hadoop(gone), false);

    assertThat(plan())
        .contains("stays as it is: none of the files that it would read is there for its user")
        .contains("stays as it is: no run of \"nobody ran it\" is in the catalog");
    yarn.submit("count", stays);
    assertThat(plan("--keep-free", "99.9999")).contains("the temporary region has no room");
    assertThat(new ObjectMapper().readTree(planJson()).path("jobs")).hasSize(3);
  }

  private String planJson() throws IOException {
    return plan("--json");
  }

  @Tag("long")
  @Test
  void aResourceManagerThatIsDownIsToldOnceAndWaitedFor() throws Exception {
    String one = input("one");
    hdfs.read(one, 1);
    yarn.yarn().stopResourceManager(0);
    try (DaemonThread daemon = daemon(MoverSettings.DEFAULT)) {
      daemon.awaitSaid("the ResourceManager does not answer");
      await(
          "it is told",
          () -> yarn.command("status").unfolded().contains("the ResourceManager does not"));
      yarn.yarn().restartResourceManager(0);
      yarn.submit("count", one);
      await("its input comes", () -> yarn.isOnSsd(one));
      assertThat(daemon.said())
          .filteredOn(line -> line.contains("the ResourceManager does not answer"))
          .hasSize(1);
    }
  }
}
