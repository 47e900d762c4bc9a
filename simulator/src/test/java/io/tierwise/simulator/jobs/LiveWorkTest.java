package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tierwise.core.work.Application.Past;
import io.tierwise.core.work.Demand;
import io.tierwise.core.work.Job;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.Seconds;
import io.tierwise.core.work.SlotKind;
import io.tierwise.core.work.Stage;
import io.tierwise.simulator.Progress;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.ScenarioTiers;
import io.tierwise.simulator.scenario.TaskMemory;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveWorkTest {
  private static final String NODES =
      """
      nodes:
        slow: {cores: 2, clock: 280 MHz, map-slots: 1, reduce-slots: 1, volumes: [{device: hdd-es3}]}
        fast: {based-on: slow, clock: 2.8 GHz}
      cluster: {racks: [{name: a, nodes: [{kind: slow, count: 1}, {kind: fast, count: 1}]}]}
      policies: {replication: 2, block: 64 MiB, scheduler: "%s"}
      model: {job-start: 0 s, task-start: 0 s}
      workload: {applications: {arrival: {poisson: 12 /min}, jobs: [%s]}}
      """;
  private static final int SLOW = 0;
  private static final int FAST = 1;
  private static final long MEMORY = 2L << 30;
  private static final long MAP_MEMORY = 1 << 30;
  private static final long REDUCE_MEMORY = 3L << 30;

  private LiveWork work;
  private int jobs;

  private static Scenario scenario(String scheduler, String jobs) throws IOException {
    return ScenarioFiles.parse(NODES.formatted(scheduler, jobs), "s").scenario();
  }

  @BeforeEach
  void start() throws IOException {
    Scenario scenario =
        ScenarioFiles.parse(NODES.formatted("fifo", "{application: lsn/grep}"), "s")
            .with("nodes.fast.task-memory=2 GiB", "test")
            .scenario();
    Engine engine = new Engine();
    work =
        new LiveWork(
            engine,
            new VirtualCluster(
                scenario.cluster(),
                ScenarioTiers.table(scenario),
                new Transfers(engine).network()));
  }

  private JobRun arrive(String application, int maps, int reducers, long outBytes) {
    JobSpec spec =
        new JobSpec(
            "j",
            application,
            0,
            "",
            "",
            0,
            0,
            600L * reducers,
            outBytes,
            maps,
            reducers,
            1,
            1,
            1,
            0,
            0);
    TaskMemory memory = new TaskMemory(MAP_MEMORY, REDUCE_MEMORY);
    JobRun job =
        JobRun.ofMapReduce(
            jobs++, spec.withTasks(spec.phases(), memory, ""), 0, maps, reducers, null, null);
    job.pendingMaps = new PendingMaps(maps, 1, 2);
    work.arrived(job);
    job.stages.stream().skip(1).forEach(reduces -> job.release(reduces, 2));
    return job;
  }

  private void ends(JobRun job, boolean reduce, int node, double seconds) {
    StageRun stage = job.stages.get(reduce ? 1 : 0);
    work.ended(new TaskAttempt(stage, 0, node, 0, 0), Ticks.ofSeconds(seconds));
  }

  @Test
  void stagesComeWithTheirEdgesBytesAndSlots() {
    Job both = work.job(arrive("sort", 4, 2, 1000).id);
    Job mapsAlone = work.job(arrive("copy", 3, 0, 1000).id);

    assertThat(both.stages()).extracting(Stage::after).containsExactly(List.of(), List.of(0));
    assertThat(both.stages()).extracting(Stage::tasks).containsExactly(4, 2);
    assertThat(both.stages().get(0).demand().betweenBytes()).isEqualTo(1200);
    assertThat(both.stages().get(1).demand().outBytes()).isEqualTo(1000);
    assertThat(both.totalBytes()).isEqualTo(2200);
    assertThat(mapsAlone.stages()).hasSize(1);
    assertThat(mapsAlone.stages().get(0).demand().outBytes()).isEqualTo(1000);
    assertThat(both.slotSeconds()).as("nothing of it has run").isNaN();
  }

  @Test
  void aTaskWaitsForNodesThatHaveItsMemoryAlone() {
    JobRun job = arrive("sort", 3, 1, 1000);
    job.anywhere.push(0);
    Demand maps = work.job(job.id).stages().get(0).demand();
    assertThat(maps.taskMemoryBytes()).isEqualTo(MAP_MEMORY);
    assertThat(work.freeMemoryBytes(FAST)).isEqualTo(MEMORY);
    assertThat(work.waits(SlotKind.REDUCE, job.id, Nearness.UNPLACED, SLOW)).isTrue();
    assertThat(work.waits(SlotKind.REDUCE, job.id, Nearness.UNPLACED, FAST)).isFalse();
    assertThat(work.lacksMemory(SlotKind.REDUCE, job.id, FAST)).as("never fits").isFalse();

    work.take(SlotKind.MAP, job, FAST);
    assertThat(work.freeMemoryBytes(FAST)).isEqualTo(MEMORY - MAP_MEMORY);
    assertThat(work.waits(SlotKind.MAP, job.id, Nearness.UNPLACED, FAST)).isTrue();
    work.memory().take(1, FAST);
    assertThat(work.waits(SlotKind.MAP, job.id, Nearness.UNPLACED, FAST)).isFalse();
    assertThat(work.waits(SlotKind.MAP, job.id, Nearness.UNPLACED, SLOW)).isTrue();
    assertThat(work.lacksMemory(SlotKind.MAP, job.id, FAST)).isTrue();

    TaskAttempt attempt = new TaskAttempt(job.stages.get(0), 0, FAST, 0, 0);
    assertThatThrownBy(() -> work.memory().check(List.of(attempt)))
        .hasMessageContaining("node 1 hold " + MAP_MEMORY);
    work.memory().give(1, FAST);
    work.memory().check(List.of(attempt));
    work.give(attempt);
    assertThat(work.freeMemoryBytes(FAST)).isEqualTo(MEMORY);
    assertThatThrownBy(() -> work.memory().check(List.of(attempt))).hasMessageContaining("node 1");
  }

  @Test
  void theNextJobOfAnApplicationKnowsWhatTheLastOnesTasksTook() {
    JobRun first = arrive("sort", 2, 1, 1000);
    ends(first, false, SLOW, 10);
    ends(first, false, SLOW, 14);
    ends(first, false, FAST, 2);
    ends(first, true, FAST, 5);

    Job next = work.job(arrive("sort", 2, 2, 1000).id);
    assertThat(next.application().past())
        .extracting(Past::stage, Past::nodeKind, Past::tasks, Past::seconds)
        .containsExactly(
            tuple("map", SLOW, 2L, 12.0),
            tuple("map", FAST, 1L, 2.0),
            tuple("reduce", FAST, 1L, 5.0));
    assertThat(next.application().past().get(0).deviation()).isEqualTo(Math.sqrt(8));
    List<Seconds> maps = next.stages().get(0).demand().taskSeconds();
    assertThat(maps.get(SLOW).likely()).isEqualTo(12);
    assertThat(maps.get(FAST).likely()).isEqualTo(2);
    assertThat(next.stages().get(1).demand().taskSeconds().get(SLOW).known()).isFalse();
    assertThat(next.slotSeconds()).isFinite();

    assertThat(work.job(first.id).application().past()).as("a job does not change").isEmpty();
    assertThat(work.job(arrive("grep", 1, 0, 10).id).application().past()).isEmpty();
  }

  /**
   * One application moves twice the bytes of the other and takes a tenth of its time: by seconds it
   * comes first, as soon as a job of each has run.
   */
  @Test
  void jobsThatWereSeenBeforeAreOrderedByTheirTime() throws IOException {
    String jobs =
        "{application: lsn/grep, scale: 0.02, count: 20}, {application: lsn/compute, scale: 0.01, count: 20}";
    RunResult byBytes = run("smallest-first", jobs);
    RunResult bySeconds = run("smallest-first:by=seconds", jobs);

    assertThat(bySeconds.jobs().finished()).isEqualTo(40);
    assertThat(bySeconds.jobs().meanSeconds()).isLessThan(byBytes.jobs().meanSeconds());
  }

  private static RunResult run(String scheduler, String jobs) throws IOException {
    return Simulation.of(scenario(scheduler, jobs)).run(Progress.NONE);
  }

  /** Ceilings are shares of the slots that there are. */
  @Test
  void slotsOfANodeThatIsDownDoNotCountAlsoWhereATaskRan() {
    Slots slots = work.slots(SlotKind.MAP);
    int all = work.slotCount();
    work.take(SlotKind.MAP, arrive("grep", 1, 0, 0), SLOW);
    slots.setDown(SLOW, true);
    assertThat(work.slotCount()).isEqualTo(all - 1);

    slots.give(SLOW);
    assertThat(work.freeSlots(SlotKind.MAP, SLOW, 0)).isZero();
    slots.setDown(SLOW, false);
    assertThat(work.slotCount()).isEqualTo(all);
    assertThat(work.freeSlots(SlotKind.MAP, SLOW, 0)).isEqualTo(1);
  }
}
