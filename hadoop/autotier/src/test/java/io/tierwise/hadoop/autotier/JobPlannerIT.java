package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.autotier.jobs.JobList;
import io.tierwise.hadoop.autotier.jobs.SubmittedJob;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is counted of the temporary region, beside what a real HDFS has there. */
class JobPlannerIT extends PlannedJobs {
  @Test
  void aDaemonThatBeginsAgainCountsWhatAJobStillNeeds() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);

    begin();
    assertThat(plan(1).prefetchedBytes()).isZero();
    stage(2, "/data/c");

    assertThat(plan(2).reason()).isEqualTo("the temporary region has no room");
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  @Test
  void theInputOfAJobThatRanBeforeTheDaemonBeganDoesNotLeave() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    begin();
    planner.learn(job(1), NOW);
    stage(2, "/data/c");

    assertThat(plan(2).reason()).isEqualTo("the temporary region has no room");

    over();
    JobPlan again = plan(2);
    assertThat(again.leaving()).isNotEmpty();
    make(again.leaving());
    assertThat(List.of(type("/data/a"), type("/data/b"))).contains(StorageType.DISK);
  }

  @Test
  void allThatAJobHeldMayLeaveWhenItIsOver() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    begin();
    planner.learn(job(1), NOW);
    over();
    stage(2, "/data/c", "/data/d");
    prefetch(2);

    assertThat(List.of(type("/data/a"), type("/data/b"))).containsOnly(StorageType.DISK);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  @Test
  void ofAJobsInputOnlyWhatTheDaemonMayMoveComes() throws Exception {
    for (String small : List.of("/data/policy/b", "/elsewhere/c")) {
      // Else so much stays on disks that nothing pays.
      DFSTestUtil.createFile(hdfs.fs(), new org.apache.hadoop.fs.Path(small), 1_000, (short) 1, 1);
    }
    stage(1, "/data/a", "/data/policy/b", "/elsewhere/c");
    hdfs.fs()
        .setXAttr(
            new org.apache.hadoop.fs.Path("/data/policy"),
            PathPolicy.PLACEMENT_ATTRIBUTE,
            "layout:1 x disk".getBytes(StandardCharsets.UTF_8));
    prefetch(1);

    assertThat(type("/data/a")).isEqualTo(StorageType.SSD);
    assertThat(List.of(type("/data/policy/b"), type("/elsewhere/c")))
        .containsOnly(StorageType.DISK);
    assertThat(planner.temporaryBytes()).isEqualTo(BYTES);
  }

  @Test
  void whatAQuotaOfTheFastTypeIsAboveStays() throws Exception {
    stage(1, "/data/limited/a", "/data/limited/b");
    hdfs.fs()
        .setQuotaByStorageType(
            new org.apache.hadoop.fs.Path("/data/limited"), StorageType.SSD, 10 * BYTES);

    JobPlan plan = plan(1);
    assertThat(plan.coming()).isEmpty();
    assertThat(plan.reason()).startsWith("2 files: a directory above has a quota of SSD");
    assertThat(planner.jobs().needs(fileId("/data/limited/a"))).isTrue();
  }

  @Test
  void anotherFileOfTheSameNameDoesNotLeaveInItsPlace() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    over();
    org.apache.hadoop.fs.Path data = new org.apache.hadoop.fs.Path("/data");
    hdfs.delete("/data/a");
    hdfs.fs().setStoragePolicy(data, "ALL_SSD");
    hdfs.write("/data/a");
    hdfs.fs().unsetStoragePolicy(data);
    stage(2, "/data/c", "/data/d");

    // So soon that nobody has looked whether the first one is still there.
    JobPlan plan = planner.plan(job(2), waiting(2), NOW + 1_000);
    assertThat(plan.leaving()).flatExtracting(RoundPlan.TierMove::paths).containsExactly("/data/b");
  }

  /** Long: KnownJobsTest has files that several jobs read. */
  @Tag("long")
  @Test
  void oneOfSeveralFilesStaysForAnotherJobThatReadsIt() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    stage(2, "/data/b", "/data/c");
    assertThat(plan(2).reason()).isEqualTo("the temporary region has no room");
    over();
    prefetch(2);

    assertThat(type("/data/a")).isEqualTo(StorageType.DISK);
    assertThat(List.of(type("/data/b"), type("/data/c"))).containsOnly(StorageType.SSD);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  /** Long: KnownJobsTest has files that several jobs read. */
  @Tag("long")
  @Test
  void aFileThatAnotherJobBroughtStaysForOneThatReadAllFromDisks() throws Exception {
    stage(1, "/data/a");
    planner.learn(job(1), NOW);
    stage(2, "/data/a", "/data/b");
    prefetch(2);
    planner.jobs().over(new JobList(Map.of(), Map.of(job(1).application(), job(1)), 60));
    stage(3, "/data/c");
    prefetch(3);

    assertThat(type("/data/b")).isEqualTo(StorageType.DISK);
    assertThat(List.of(type("/data/a"), type("/data/c"))).containsOnly(StorageType.SSD);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  /**
   * The region has room for its input with its intermediate data once, and not twice. Long:
   * PromisedRoomIT has jobs that are planned anew.
   */
  @Tag("long")
  @Test
  void aJobThatIsPlannedAnewFindsTheRoomThatItWasPromised() throws Exception {
    SubmittedJob sort = job(1, "sort");
    stage(1, "/data/a");
    planner.told(plan(1, sort));
    planner.failed(sort, NOW);
    assertThat(planner.temporaryBytes()).isEqualTo(SPILLED_BYTES);

    JobPlan again = plan(1, sort);

    assertThat(again.intermediateTier()).as(again.reason()).isEqualTo("ssd");
    assertThat(again.prefetchedBytes()).isEqualTo(BYTES);
  }

  /** Long: FastTierIT has a file that was renamed. */
  @Tag("long")
  @Test
  void aFileThatWasRenamedSinceLeavesAllTheSame() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    over();
    for (String file : List.of("a", "b")) {
      hdfs.fs()
          .rename(
              new org.apache.hadoop.fs.Path("/data/" + file),
              new org.apache.hadoop.fs.Path("/data/done\n" + file));
    }
    stage(2, "/data/c", "/data/d");
    prefetch(2);

    assertThat(type("/data/done\na")).isEqualTo(StorageType.DISK);
    assertThat(type("/data/done\nb")).isEqualTo(StorageType.DISK);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  @Test
  void aFileThatWasDeletedIsCountedNoMore() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    over();
    hdfs.delete("/data/a");
    stage(2, "/data/c");
    JobPlan plan = plan(2);

    assertThat(plan.leaving()).isEmpty();
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  @Test
  void whatCouldNotLeaveIsCountedAndLeavesLater() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    over();
    stage(2, "/data/c", "/data/d");
    assertThat(plan(2).leaving()).isNotEmpty();
    planner.failed(job(2), NOW);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
    assertThat(planner.jobs().due(waiting(2), NOW + 1)).isEmpty();
    assertThat(planner.jobs().due(waiting(2), NOW + Autotier.REST_SECONDS)).hasSize(1);

    prefetch(2);

    assertThat(type("/data/a")).isEqualTo(StorageType.DISK);
    assertThat(type("/data/c")).isEqualTo(StorageType.SSD);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  /** Long: StoppedPrefetchIT has a popular file that stays. */
  @Tag("long")
  @Test
  void aFileThatBecamePopularIsOthersAndStays() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    over();
    planner.handOver(List.of(fileId("/data/a")));
    assertThat(planner.temporaryBytes()).isEqualTo(BYTES);
    stage(2, "/data/c", "/data/d");
    prefetch(2);

    assertThat(type("/data/a")).isEqualTo(StorageType.SSD);
    assertThat(type("/data/b")).isEqualTo(StorageType.DISK);
    assertThat(lastChanges.placedIn("ssd")).containsOnlyKeys(fileId("/data/a"));
  }

  @Test
  void jobsThatWereNotLookedAtComeBeforeOneThatFailed() throws Exception {
    planner.failed(job(1), NOW);
    JobList both =
        new JobList(Map.of(job(1).application(), job(1)), Map.of(job(2).application(), job(2)), 60);
    assertThat(planner.jobs().due(both, NOW + Autotier.REST_SECONDS))
        .containsExactly(job(2), job(1));
  }
}
