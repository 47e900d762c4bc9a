package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.autotier.jobs.JobList;
import io.tierwise.hadoop.autotier.jobs.SubmittedJob;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Room in the fast tier that NodeManagers were told a job's intermediate data may take: counted
 * until the job is over, whatever became of its input.
 */
class PromisedRoomIT extends PlannedJobs {
  private static final String TOLD = "/system/tierwise-autotier/intermediate";
  private static final Path OTHERS = new Path("/others");
  private static final String APPLICATIONS = "application_1700000000000_";

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

  /** Long: make test has a prefetch that was stopped. */
  @Tag("long")
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

  /** Long: make test has a prefetch that was stopped. */
  @Tag("long")
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
    tiers.tell(APPLICATIONS + "0002", "disk", SPILLED_BYTES);
    begin();
    tellPlanner(tiers);
    assertThat(planner.temporaryBytes()).isEqualTo(SPILLED_BYTES);
    planner.learn(sort(1), NOW);
    planner.jobs().over(running(sort(1)));
    assertThat(planner.temporaryBytes()).isEqualTo(SPILLED_BYTES);

    planner.jobs().over(new JobList(Map.of(), Map.of(), 60));
    assertThat(planner.temporaryBytes()).isZero();
  }

  private List<String> tellPlanner(IntermediateTiers tiers) throws IOException {
    List<String> problems = new ArrayList<>();
    tiers.told(problems::add).forEach((job, told) -> planner.told(job, told.tier(), told.bytes()));
    return problems;
  }

  @Test
  void ofDamagedPromisesOneLineEachIsSaidAndTheOthersCount() throws Exception {
    IntermediateTiers tiers = new IntermediateTiers(hdfs.fs(), hdfs.cluster().conf());
    Map<String, String> values =
        Map.of("0002", "80\n000", "0003", "-1", "0004", "99999999999999999999", "0005", "");
    tiers.tell(APPLICATIONS + "0001", "ssd", SPILLED_BYTES);
    for (Map.Entry<String, String> each : values.entrySet()) {
      String application = APPLICATIONS + each.getKey();
      tiers.tell(application, "ssd", SPILLED_BYTES);
      hdfs.fs()
          .setXAttr(
              toldFile(application),
              "user.tierwise.intermediate.bytes",
              each.getValue().getBytes(StandardCharsets.UTF_8));
    }
    hdfs.fs().mkdirs(new Path(toldFile(APPLICATIONS + "0006"), "full"));
    tiers.tell(APPLICATIONS + "0007", "ssd", SPILLED_BYTES);
    hdfs.loseFirstBlock(toldFile(APPLICATIONS + "0007").toUri().getPath());

    List<String> problems = tellPlanner(tiers);

    assertThat(planner.temporaryBytes()).isEqualTo(SPILLED_BYTES);
    String begin = "no room is counted for intermediate data of " + TOLD + "/" + APPLICATIONS;
    String bytes = ": user.tierwise.intermediate.bytes is '";
    String end = "', no number of bytes: remove it";
    assertThat(problems)
        .containsExactlyInAnyOrder(
            begin + "0002" + bytes + "80?000" + end,
            begin + "0003" + bytes + "-1" + end,
            begin + "0004" + bytes + "99999999999999999999" + end,
            begin + "0005" + bytes + end,
            begin + "0007: no DataNode has its block: delete it");

    tiers.keepOnly(new JobList(Map.of(), Map.of(), 60));
    assertThat(hdfs.fs().listStatus(new Path(TOLD)))
        .extracting(left -> left.getPath().getName())
        .containsExactly(APPLICATIONS + "0006");
  }

  private static Path toldFile(String application) {
    return new Path(TOLD, application);
  }

  /** Others write so much to the SSD that no input and no intermediate data fits any more. */
  private void othersFillIt() throws IOException {
    hdfs.fs().mkdirs(OTHERS);
    hdfs.fs().setStoragePolicy(OTHERS, "ALL_SSD");
    // With larger blocks HDFS takes so small a volume for full.
    DFSTestUtil.createFile(
        hdfs.fs(), new Path(OTHERS, "file"), BLOCK_BYTES, 3 * BYTES, BLOCK_BYTES, (short) 1, 1);
    assertThat(hdfs.types("/others/file")).containsOnly(StorageType.SSD);
    hdfs.report();
  }

  @Test
  void itIsCountedUntilNodeManagersAreToldOtherwise() throws Exception {
    stage(1, "/data/a");
    told(1);
    planner.failed(sort(1), NOW);
    othersFillIt();
    JobPlan slow = plan(1, sort(1));
    assertThat(slow.intermediateTier()).as(slow.reason()).isEqualTo("disk");
    assertThat(planner.temporaryBytes()).as("what was told holds").isEqualTo(SPILLED_BYTES);

    planner.told(slow);
    assertThat(planner.temporaryBytes()).isZero();
  }

  @Test
  void nothingComesToATierThatOthersFilledAndLaterItDoes() throws Exception {
    othersFillIt();
    stage(1, "/data/a");
    assertThat(plan(1).reason()).isEqualTo("the temporary region has no room");
    assertThat(planner.temporaryBytes()).isZero();

    hdfs.fs().delete(OTHERS, true);
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

  /** All disks are full, and the SSD has room. */
  @Test
  void whatNodeManagersCannotBeToldHoldsNoInputBackAndIsSaidOnce() throws Exception {
    stage(1, "/data/a");
    JobPlan plan = plan(1, sort(1));
    List<String> said = new ArrayList<>();
    ToldJobs told =
        new ToldJobs(
            new IntermediateTiers(hdfs.fs(), hdfs.fs().getConf()), planner, new OpenGate());
    hdfs.fillDisk();

    told.tell(plan, said::add);
    told.tell(plan, said::add);
    prefetch(plan);

    assertThat(said)
        .singleElement()
        .asString()
        .startsWith("NodeManagers hear of no tier for intermediate data: ")
        .contains("could only be written to 0 of");
    assertThat(type("/data/a")).isEqualTo(StorageType.SSD);
    assertThat(planner.temporaryBytes())
        .as("it may have been told before")
        .isEqualTo(BYTES + SPILLED_BYTES);
    assertThat(told.has(sort(1).application())).as("to be deleted").isTrue();
  }
}
