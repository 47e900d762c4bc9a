package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.autotier.jobs.JobList;
import io.tierwise.hadoop.autotier.jobs.SubmittedJob;
import io.tierwise.history.RunRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class KnownJobsTest {
  private static final int FILES_MAX = 100;

  private final KnownJobs jobs = jobs(FILES_MAX);

  private static KnownJobs jobs(int filesMax) {
    return new KnownJobs(
        new TemporaryRegion(new PlacedFiles(null, null, "ssd"), new LastChanges()), filesMax);
  }

  private static void reads(KnownJobs jobs, String job, Set<Long> files) {
    jobs.reads(job, files, true, 0, 0);
  }

  private static Set<Long> files(long from, long count) {
    return LongStream.range(from, from + count).boxed().collect(Collectors.toSet());
  }

  /** Only these are not over. */
  private void stay(String... applications) {
    Map<String, SubmittedJob> running = new HashMap<>();
    for (String each : applications) {
      running.put(each, new SubmittedJob(RunRecord.Engine.MAPREDUCE, each, "ann", "job", 0));
    }
    jobs.over(new JobList(Map.of(), running, 0));
  }

  @Test
  void aFileIsNeededUntilTheLastJobThatReadsItIsOver() {
    reads(jobs, "a", Set.of(1L, 2L));
    reads(jobs, "b", Set.of(2L, 3L));
    assertThat(LongStream.of(1, 2, 3).allMatch(jobs::needs)).isTrue();
    assertThat(jobs.needs(4)).isFalse();

    stay("b");
    assertThat(jobs.needs(1)).isFalse();
    assertThat(jobs.needs(2)).isTrue();
    stay();
    assertThat(LongStream.of(1, 2, 3).anyMatch(jobs::needs)).isFalse();
  }

  @Test
  void aJobThatIsLookedAtAgainNeedsItsFilesUntilItIsKnownToReadOthers() {
    reads(jobs, "a", Set.of(1L));
    jobs.looksAt("a", 1);
    assertThat(jobs.needs(1)).isTrue();
    reads(jobs, "a", Set.of(2L));
    assertThat(jobs.needs(1)).isFalse();
    assertThat(jobs.needs(2)).isTrue();

    jobs.failed("a", 2);
    assertThat(jobs.needs(2)).isFalse();
  }

  @Test
  void moreFilesThanAreKeptMayBeAny() {
    reads(jobs, "a", files(0, FILES_MAX));
    assertThat(jobs.needs(FILES_MAX)).isFalse();

    reads(jobs, "b", Set.of(1_000L));
    assertThat(jobs.leftOut())
        .isEqualTo(
            "jobs read more than 100 files together: any file may be one of 1 job, so that none"
                + " loses a replica or its place in the fast tier until jobs are over");
    assertThat(jobs.needs(FILES_MAX)).isTrue();
    stay("b");
    assertThat(jobs.needs(FILES_MAX)).as("it was looked at once").isTrue();

    reads(jobs, "b", Set.of(1_000L));
    assertThat(jobs.leftOut()).isEmpty();
    assertThat(jobs.needs(FILES_MAX)).isFalse();
    assertThat(jobs.needs(1_000)).isTrue();
    stay();
    reads(jobs, "c", files(0, FILES_MAX));
    assertThat(jobs.leftOut()).as("each gave back what it had").isEmpty();
  }

  @Test
  void whatAJobReadBeforeTakesNoRoomFromWhatItReadsNow() {
    reads(jobs, "a", files(0, FILES_MAX - 10));
    jobs.looksAt("a", 1);
    reads(jobs, "a", files(5, FILES_MAX));
    assertThat(jobs.leftOut()).isEmpty();
    assertThat(jobs.needs(0)).isFalse();
    assertThat(jobs.needs(5)).isTrue();

    reads(jobs, "b", Set.of(1_000L));
    assertThat(jobs.leftOut()).as("no more is kept than may be").isNotEmpty();
  }

  /** A union of all files for each job would take a thousand times as many steps: minutes. */
  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aJobCostsWhatItsOwnFilesCost() {
    int count = 1_000;
    int each = 2_000;
    KnownJobs many = jobs(count * each);
    for (int job = 0; job < count; job++) {
      reads(many, "job" + job, files((long) job * each, each));
      assertThat(many.needs((long) job * each)).isTrue();
    }
    assertThat(many.needs((long) count * each)).isFalse();
    assertThat(many.leftOut()).isEmpty();
  }

  /** As a Spark application that does not say what it reads. */
  @Test
  void aJobOfWhichNothingIsKnownIsLookedAtEachTimeThatItsWaitHasDoubled() {
    SubmittedJob job = new SubmittedJob(RunRecord.Engine.SPARK, "a", "ann", "job", 0);
    List<Integer> looks = new ArrayList<>();
    for (int second = 0; second <= TimeUnit.HOURS.toSeconds(12); second++) {
      JobList list = new JobList(Map.of("a", job), Map.of(), 0);
      if (!jobs.due(list, second).isEmpty()) {
        looks.add(second);
        jobs.reads("a", Set.of(), false, KnownJobs.waitSeconds(job, list, second), second);
      }
    }

    assertThat(looks).startsWith(0, 11, 23, 47).hasSize(13);
    JobList began = new JobList(Map.of(), Map.of("a", job), 0);
    assertThat(jobs.due(began, 1e6)).as("when it runs").isEmpty();
  }
}
