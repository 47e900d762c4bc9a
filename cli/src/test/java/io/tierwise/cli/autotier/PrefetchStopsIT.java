package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.JournaledMoves;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.policies.movement.MovementLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A prefetch in the middle of which somebody or something comes between. */
@Tag("long")
class PrefetchStopsIT {
  private static final long REGION_BYTES = 20_000_000;
  private static final long SLOW_BYTES_PER_SECOND = 500_000;

  /** That all files take at that rate. */
  private static final long SLOW_MILLIS = 1_000L * JobInput.BYTES / SLOW_BYTES_PER_SECOND;

  @TempDir private static Path shared;
  private static WaitingYarn yarn;
  private static int tests;

  @TempDir private Path folder;
  private String below;
  private JobInput input;

  @BeforeAll
  static void start() throws IOException {
    yarn = new WaitingYarn(shared, 1, new Configuration());
  }

  @AfterAll
  static void end() {
    yarn.close();
  }

  @BeforeEach
  void write() throws Exception {
    below = "/data" + tests++;
    input = new JobInput(yarn, below);
  }

  @AfterEach
  void killJobs() throws Exception {
    yarn.killJobs();
  }

  private DaemonThread slow() throws IOException {
    MoverSettings slow =
        MoverSettings.DEFAULT.with(
            new MovementLimits(SLOW_BYTES_PER_SECOND, SLOW_BYTES_PER_SECOND, 1, 0.05));
    return yarn.daemon(below, REGION_BYTES, slow, folder.resolve("journal"));
  }

  private void awaitMiddle() throws Exception {
    await("some of it came", () -> !input.onSsd().isEmpty());
  }

  private void assertMiddle() throws Exception {
    assertThat(input.onSsd().size()).isBetween(1, JobInput.FILES - 1);
  }

  @Test
  void aJobThatIsOverWhenItsTurnComesIsNotPrefetchedFor() throws Exception {
    String[] paths = input.paths();
    String[] most = Arrays.copyOf(paths, JobInput.FILES - 2);
    String second = paths[JobInput.FILES - 2];
    String third = paths[JobInput.FILES - 1];
    yarn.submit("count", most);
    Job over = yarn.submit("count", second);
    long submittedMillis = System.currentTimeMillis();
    await(
        "both have waited for longer than a prefetch takes, so that the first look finds it to pay",
        () -> System.currentTimeMillis() - submittedMillis > SLOW_MILLIS);
    try (DaemonThread daemon = slow()) {
      awaitMiddle();
      yarn.kill(over);
      await("all of it came", () -> input.onSsd().size() >= most.length);
      yarn.submit("count", third);
      await("the third one's input comes", () -> yarn.isOnSsd(third));

      assertThat(daemon.said())
          .noneMatch(line -> line.contains(WaitingYarn.application(over)))
          .hasSizeGreaterThan(1);
      assertThat(yarn.isOnSsd(second)).isFalse();
    }
  }

  @Test
  void aPauseInItsMiddleLeavesWhatCameAndCountsItWithWhatWasPromised() throws Exception {
    Job job = yarn.submit("count", input.paths());
    try (DaemonThread daemon = slow()) {
      awaitMiddle();
      assertThat(yarn.command("pause").exitCode()).isZero();
      await(
          "it is counted: " + yarn.told(),
          () -> yarn.takenBytes() == input.bytesOnSsd() + JobInput.INTERMEDIATE_BYTES);
      assertMiddle();
      assertThat(JournaledMoves.of(folder.resolve("journal"), "ssd")).containsAll(input.onSsd());

      assertThat(yarn.command("resume").exitCode()).isZero();
      await("the others come", () -> input.onSsd().size() == JobInput.FILES);
      daemon.awaitCounted(yarn, JobInput.BYTES + JobInput.INTERMEDIATE_BYTES);
      yarn.kill(job);
      daemon.awaitCounted(yarn, JobInput.BYTES);
    } finally {
      assertThat(yarn.command("resume").exitCode()).isZero();
    }
    input.assertWhole();
    assertThat(new Journal(folder.resolve("journal")).runs()).hasSize(2);
  }

  @Test
  void theInputOfAnApplicationThatIsKilledMeanwhileComesNoFurther() throws Exception {
    Job job = yarn.submit("count", input.paths());
    try (DaemonThread daemon = slow()) {
      awaitMiddle();
      assertThat(yarn.isTold(job)).isTrue();
      yarn.kill(job);
      await("NodeManagers are told nothing of it", () -> !yarn.isTold(job));
      await(
          "what came is counted, and nothing is promised: " + daemon.said(),
          () -> yarn.takenBytes() == input.bytesOnSsd());
      assertMiddle();

      yarn.submit("count", input.paths());
      await("for another job it goes on", () -> input.onSsd().size() == JobInput.FILES);
      daemon.awaitCounted(yarn, JobInput.BYTES + JobInput.INTERMEDIATE_BYTES);
    }
    input.assertWhole();
  }

  @Test
  void oneInputOfTwoJobsComesOnceAndStaysForTheSecondWhenTheFirstIsKilled() throws Exception {
    Job first = yarn.submit("count", input.paths());
    Job second = yarn.submit("count", input.paths());
    try (DaemonThread daemon = slow()) {
      awaitMiddle();
      yarn.kill(first);
      await("for the second it goes on", () -> input.onSsd().size() == JobInput.FILES);
      daemon.awaitCounted(yarn, JobInput.BYTES + JobInput.INTERMEDIATE_BYTES);
      assertThat(yarn.tier(second)).isEqualTo("ssd");
      // Room is counted at the end of the second's prefetch, and promises are taken back after it.
      await("nobody is told of the first", () -> !yarn.isTold(first));
    }
    assertThat(JournaledMoves.of(folder.resolve("journal"), "ssd"))
        .as("no file came twice, but for a copy that a stop found under way")
        .hasSizeLessThan(JobInput.FILES + JobInput.FILES / 4);
    input.assertWhole();
  }

  /** Without recovery, as by default: the job is lost, and nothing holds its input any longer. */
  @Test
  void aResourceManagerThatForgetsItsJobsMeanwhile() throws Exception {
    Job job = yarn.submit("count", input.paths());
    try (DaemonThread daemon = slow()) {
      awaitMiddle();
      yarn.yarn().stopResourceManager(0);
      daemon.awaitSaid("the ResourceManager does not answer");
      yarn.yarn().restartResourceManager(0);
      await("NodeManagers are told nothing of it", () -> !yarn.isTold(job));
      await(
          "what came is counted, and nothing is promised: " + daemon.said(),
          () -> yarn.takenBytes() == input.bytesOnSsd());

      yarn.submit("count", input.paths());
      await("for another job it goes on", () -> input.onSsd().size() == JobInput.FILES);
      daemon.awaitCounted(yarn, JobInput.BYTES + JobInput.INTERMEDIATE_BYTES);
    }
    input.assertWhole();
  }
}
