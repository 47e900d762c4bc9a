package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.autotier.jobs.JobList;
import io.tierwise.hadoop.autotier.jobs.SubmittedJob;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.jupiter.api.Test;

/**
 * Room in the fast tier that NodeManagers were told a job's intermediate data may take: counted
 * until the job is over, whatever became of its input.
 */
class PromisedRoomIT extends PlannedJobs {
  /** Two inputs fit with the intermediate data of one of them, but not of both. */
  @Override
  long ssdBytes() {
    return 37 * BYTES / 10;
  }

  /** More than there is. */
  @Override
  long regionBytes() {
    return 100 * BYTES;
  }

  private static SubmittedJob sort(int number) throws IOException {
    return job(number, "sort");
  }

  private JobPlan told(int number) throws IOException {
    JobPlan plan = plan(number, sort(number));
    assertThat(plan.intermediateTier()).as(plan.reason()).isEqualTo("ssd");
    assertThat(plan.intermediateBytes()).isEqualTo(SPILLED_BYTES);
    planner.told(plan);
    return plan;
  }

  private static JobList running(SubmittedJob job) {
    return new JobList(Map.of(), Map.of(job.application(), job), 60);
  }

  @Test
  void itIsCountedWhenThePrefetchWasStoppedAndOnceWhenItIsPlannedAnew() throws Exception {
    stage(1, "/data/a");
    told(1);
    planner.failed(sort(1), NOW);
    assertThat(planner.temporaryBytes()).isEqualTo(SPILLED_BYTES);

    prefetch(told(1));
    assertThat(planner.temporaryBytes()).isEqualTo(BYTES + SPILLED_BYTES);
    over();
    assertThat(planner.temporaryBytes()).as("its input stays").isEqualTo(BYTES);
  }

  @Test
  void itIsCountedWhenTheJobBeganAfterItsPrefetchWasStopped() throws Exception {
    stage(1, "/data/a");
    told(1);
    planner.failed(sort(1), NOW);
    planner.learn(sort(1), NOW);
    planner.jobs().over(running(sort(1)));
    assertThat(planner.temporaryBytes()).isEqualTo(SPILLED_BYTES);

    over();
    assertThat(planner.temporaryBytes()).isZero();
  }

  @Test
  void itIsCountedWhileNobodyCanPlanAnew() throws Exception {
    stage(1, "/data/a");
    told(1);
    planner.failed(sort(1), NOW);
    hdfs.delete("/data/a");
    JobPlan nothing = plan(1, sort(1));
    assertThat(nothing.reason()).contains("none of the files");
    assertThat(planner.temporaryBytes()).isEqualTo(SPILLED_BYTES);
  }

  @Test
  void aDaemonThatBeginsAgainCountsWhatTheOneBeforePromised() throws Exception {
    stage(1, "/data/a");
    IntermediateTiers tiers = new IntermediateTiers(hdfs.fs(), hdfs.cluster().conf());
    JobPlan plan = told(1);
    tiers.tell(plan.application(), plan.intermediateTier(), plan.intermediateBytes());
    tiers.tell("application_1700000000000_0002", "disk", SPILLED_BYTES);
    begin();
    tiers.told().forEach((job, told) -> planner.told(job, told.tier(), told.bytes()));
    assertThat(planner.temporaryBytes()).isEqualTo(SPILLED_BYTES);
    planner.learn(sort(1), NOW);
    planner.jobs().over(running(sort(1)));
    assertThat(planner.temporaryBytes()).isEqualTo(SPILLED_BYTES);

    planner.jobs().over(new JobList(Map.of(), Map.of(), 60));
    assertThat(planner.temporaryBytes()).isZero();
  }

  @Test
  void nothingComesToATierThatOthersFilledAndLaterItDoes() throws Exception {
    org.apache.hadoop.fs.Path others = new org.apache.hadoop.fs.Path("/others");
    hdfs.fs().mkdirs(others);
    hdfs.fs().setStoragePolicy(others, "ALL_SSD");
    // With larger blocks HDFS takes so small a volume for full.
    DFSTestUtil.createFile(
        hdfs.fs(),
        new org.apache.hadoop.fs.Path(others, "file"),
        BLOCK_BYTES,
        3 * BYTES,
        BLOCK_BYTES,
        (short) 1,
        1);
    assertThat(hdfs.types("/others/file")).containsOnly(StorageType.SSD);
    hdfs.report();
    stage(1, "/data/a");
    assertThat(plan(1).reason()).isEqualTo("the temporary region has no room");
    assertThat(planner.temporaryBytes()).isZero();

    hdfs.fs().delete(others, true);
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    JobPlan later = plan(1);
    while (later.prefetchedBytes() == 0) {
      assertThat(System.nanoTime()).as(later.reason()).isLessThan(end);
      hdfs.report();
      later = plan(1);
    }
    prefetch(later);
    assertThat(type("/data/a")).isEqualTo(StorageType.SSD);
  }

  @Test
  void whatWaitingJobsWerePromisedIsNoRoomForOthers() throws Exception {
    stage(1, "/data/a");
    prefetch(told(1));
    hdfs.report();
    stage(2, "/data/b");
    SubmittedJob first = sort(1);
    SubmittedJob second = sort(2);
    JobList both =
        new JobList(Map.of(first.application(), first, second.application(), second), Map.of(), 60);

    JobPlan plan = planner.plan(second, both, NOW + 2_000);
    assertThat(plan.intermediateTier()).as("first has its room: %s", plan).isEqualTo("disk");
    assertThat(plan.reason()).isEqualTo("the temporary region has no room");
    assertThat(List.of(plan.coming().size(), plan.leaving().size())).containsExactly(1, 0);
  }
}
