package io.tierwise.simulator;

import static io.tierwise.simulator.PhaseScenario.BLOCK;
import static io.tierwise.simulator.PhaseScenario.HERTZ;
import static io.tierwise.simulator.PhaseScenario.JOB_START;
import static io.tierwise.simulator.PhaseScenario.MIB;
import static io.tierwise.simulator.PhaseScenario.NEVER;
import static io.tierwise.simulator.PhaseScenario.SORT;
import static io.tierwise.simulator.PhaseScenario.TASK_START;
import static io.tierwise.simulator.PhaseScenario.disk;
import static io.tierwise.simulator.PhaseScenario.reading;
import static io.tierwise.simulator.PhaseScenario.volume;
import static io.tierwise.simulator.PhaseScenario.writing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.FaultSpec.Kind;
import io.tierwise.simulator.scenario.FaultSpec.Target;
import io.tierwise.simulator.scenario.PhasePlan;
import io.tierwise.simulator.scenario.StageSpec;
import io.tierwise.simulator.scenario.TaskMemory;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications.Edges;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications.Share;
import io.tierwise.simulator.workload.StageGraph;
import io.tierwise.simulator.workload.StageGraph.Named;
import io.tierwise.simulator.workload.WorkloadException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jobs whose stages form a graph, by closed forms: on one node with one slot of each kind, unless a
 * test changes it, and with reducers that keep what they fetch in memory.
 */
class StagesTest {
  private static final long HANDED = 32 * MIB;
  private static final long CYCLES = 40;

  /** What is handed on where computing is to be all that takes time, and ten seconds of that. */
  private static final long LITTLE = 1000;

  private static final double TEN_SECONDS = 10 * HERTZ / LITTLE;

  private final PhaseScenario cluster = new PhaseScenario();
  private final List<Named> stages = new ArrayList<>();

  @BeforeEach
  void keepInMemory() {
    cluster.reduceKept = SORT;
  }

  private StagesTest stage(
      String name,
      int tasks,
      long input,
      double cycles,
      long between,
      long output,
      String... after) {
    stages.add(named(name, tasks, input, cycles, between, output, List.of(after), List.of()));
    return this;
  }

  private static Named named(
      String name,
      int tasks,
      long input,
      double cycles,
      long between,
      long output,
      List<String> after,
      List<String> oneToOne) {
    StageSpec stage = new StageSpec(name, List.of(), "", input, tasks, cycles, 0, between, output);
    return new Named(stage, after, oneToOne);
  }

  private RunResult run() throws IOException {
    try {
      Share job =
          new Share(
              "graph",
              1,
              1,
              PhasePlan.MODEL,
              TaskMemory.NONE,
              "",
              Edges.NONE,
              StageGraph.of(stages));
      return cluster.run(job);
    } catch (WorkloadException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private double seconds() throws IOException {
    return seconds(run());
  }

  private static double seconds(RunResult result) {
    assertThat(result.jobs().failed()).isZero();
    assertThat(result.jobs().finished()).isEqualTo(1);
    return result.makespanSeconds();
  }

  private static double computing(long bytes) {
    return (double) bytes * CYCLES / HERTZ;
  }

  /** A task that reads a block and hands half of it on. */
  private static double scan() {
    return TASK_START + reading(BLOCK, 1) + computing(BLOCK) + writing(HANDED, 1);
  }

  /** Three stages, the last of which writes; listed from the last to the first. */
  @Test
  void aChainTakesTheSumOfItsStages() throws IOException {
    stage("last", 1, 0, CYCLES, 0, 8 * MIB, "middle");
    stage("middle", 1, 0, CYCLES, HANDED / 2, 0, "first");
    stage("first", 1, BLOCK, CYCLES, HANDED, 0);
    RunResult result = run();

    double middle = TASK_START + reading(HANDED, 1) + computing(HANDED) + writing(HANDED / 2, 1);
    double last = TASK_START + reading(HANDED / 2, 1) + computing(HANDED / 2) + writing(8 * MIB, 1);
    assertThat(seconds(result)).isCloseTo(JOB_START + scan() + middle + last, within(1e-6));
    assertThat(PhaseScenario.writtenBytes(result, "disk")).isEqualTo(HANDED + HANDED / 2 + 8 * MIB);
    assertThat(result.jobs().mapTasks()).isEqualTo(1);
    assertThat(result.jobs().reduceTasks()).isEqualTo(2);
  }

  /** What two stages take of one, both take whole, beside each other where there are two slots. */
  @ParameterizedTest
  @CsvSource({"1, 30", "2, 20"})
  void aDiamondTakesItsLongestWayWhereSlotsAllowIt(int slots, double sides) throws IOException {
    cluster.reduceSlots = slots;
    stage("top", 1, LITTLE, 0, LITTLE, 0);
    stage("left", 1, 0, TEN_SECONDS, LITTLE, 0, "top");
    stage("right", 1, 0, 2 * TEN_SECONDS, LITTLE, 0, "top");
    stage("bottom", 1, 0, TEN_SECONDS / 2, 0, LITTLE, "left", "right");

    double starts = JOB_START + TASK_START * (slots == 1 ? 4 : 3);
    assertThat(seconds()).isCloseTo(starts + sides + 10, within(0.2));
  }

  /** The last task fetches one segment of each task of three stages. */
  @Test
  void whatTakesManyStagesFetchesAllOfThem() throws IOException {
    stage("one", 1, BLOCK, CYCLES, HANDED, 0);
    stage("two", 1, BLOCK, CYCLES, HANDED, 0);
    stage("three", 1, BLOCK, CYCLES, HANDED, 0);
    stage("all", 1, 0, CYCLES, 0, 0, "one", "two", "three");

    double all = TASK_START + reading(3 * HANDED, 3) + computing(3 * HANDED);
    assertThat(seconds()).isCloseTo(JOB_START + 3 * scan() + all, within(1e-6));
  }

  /** The 96 MiB are more than the memory takes: three segments that are runs of their own. */
  @Test
  void whatDoesNotFitIntoMemoryIsSpilledInEveryStage() throws IOException {
    cluster.reduceBuffer = 64 * MIB;
    cluster.reduceKept = 0;
    stage("one", 3, 3 * BLOCK, CYCLES, 3 * HANDED, 0);
    stage("two", 1, 0, CYCLES, HANDED, 0, "one");
    stage("three", 1, 0, CYCLES, 0, 0, "two");

    double runs = writing(3 * HANDED, 3) + reading(3 * HANDED, 3);
    double two =
        TASK_START + reading(3 * HANDED, 3) + runs + computing(3 * HANDED) + writing(HANDED, 1);
    double three =
        TASK_START
            + reading(HANDED, 1)
            + writing(HANDED, 1)
            + reading(HANDED, 1)
            + computing(HANDED);
    assertThat(seconds()).isCloseTo(JOB_START + 3 * scan() + two + three, within(1e-6));
  }

  /** As a join with a table that is small: the large one is read where the small one has come. */
  @Test
  void aStageReadsInputBesideWhatOthersHandOn() throws IOException {
    stage("small", 1, BLOCK, CYCLES, HANDED, 0);
    stage("join", 1, 2 * BLOCK, CYCLES, 0, 0, "small");

    double join =
        TASK_START
            + reading(HANDED, 1)
            + 2 * (reading(BLOCK, 1) + computing(BLOCK))
            + computing(HANDED);
    assertThat(seconds()).isCloseTo(JOB_START + scan() + join, within(1e-6));
  }

  /** Eight tasks on four nodes, each of which takes what one task left. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTaskThatTakesTheOutputOfOneRunsWhereThatIs(boolean oneToOne) throws IOException {
    cluster.hertz = List.of(HERTZ, HERTZ, HERTZ, HERTZ);
    cluster.mapSlots = 2;
    cluster.reduceSlots = 2;
    List<String> first = List.of("first");
    stage("first", 8, 0, 0, 8 * HANDED, 0);
    stages.add(
        named(
            "second",
            8,
            0,
            CYCLES,
            0,
            0,
            oneToOne ? List.of() : first,
            oneToOne ? first : List.of()));
    RunResult result = run();

    assertThat(seconds(result)).isPositive();
    assertThat(result.network().shuffleBytes()).isEqualTo(8 * HANDED);
    // Else three of four nodes are others.
    assertThat(result.network().bytes()).isEqualTo(oneToOne ? 0 : 6 * HANDED);
  }

  /**
   * Each of four nodes holds what two tasks left, and has one slot. The nodes differ a little, so
   * that slots become free one by one: the next task in order has its input elsewhere then.
   */
  @Test
  void aSlotTakesATaskWhoseInputItsNodeHolds() throws IOException {
    cluster.hertz = List.of(HERTZ, 1.1 * HERTZ, 1.2 * HERTZ, 1.3 * HERTZ);
    cluster.mapSlots = 2;
    stage("first", 8, 0, 0, 8 * HANDED, 0);
    stages.add(named("second", 8, 0, CYCLES, 0, 0, List.of(), List.of("first")));
    RunResult result = run();

    double first = TASK_START + writing(2 * HANDED, 2);
    double slowest = 2 * (TASK_START + reading(HANDED, 1) + computing(HANDED));
    assertThat(result.network().bytes()).isZero();
    assertThat(seconds(result)).isCloseTo(JOB_START + first + slowest, within(1e-6));
  }

  /**
   * The last stage fetches what the middle one left when the disk fails that holds that, and what
   * the first one left for it. All three run again, one after the other, on the disk that is left;
   * the last one's slot is the one that the middle one needs.
   */
  @Test
  void whatIsLostIsComputedAgainFromWhereItIsNot() throws IOException {
    cluster.volumes =
        List.of(disk(false), volume("first", false, true), volume("second", false, true));
    stage("a", 1, BLOCK, CYCLES, HANDED, 0);
    stage("b", 1, 0, CYCLES, HANDED, 0, "a");
    stage("c", 1, 0, CYCLES, 0, 0, "b");
    double middle = TASK_START + reading(HANDED, 1) + computing(HANDED) + writing(HANDED, 1);
    double last = TASK_START + reading(HANDED, 1) + computing(HANDED);
    assertThat(seconds()).isCloseTo(JOB_START + scan() + middle + last, within(1e-6));

    double fetching = JOB_START + scan() + middle + TASK_START + 0.2;
    fail("node-0/1", fetching);
    RunResult result = run();
    assertThat(seconds(result)).isCloseTo(fetching + scan() + middle + last, within(1e-6));
    assertThat(result.jobs().killedTasks()).isEqualTo(1);
    assertThat(result.jobs().mapTasks()).isEqualTo(2);
    assertThat(result.jobs().reduceTasks()).isEqualTo(3);
  }

  /** The task that needs what is lost has a slot, and has yet to begin to fetch. */
  @Test
  void whatIsLostBeforeItIsFetchedIsComputedAgain() throws IOException {
    cluster.volumes =
        List.of(disk(false), volume("first", false, true), volume("second", false, true));
    stage("a", 1, BLOCK, CYCLES, HANDED, 0);
    stage("b", 1, 0, CYCLES, 0, 0, "a");
    double starting = JOB_START + scan() + TASK_START / 2;
    fail("node-0/1", starting);
    RunResult result = run();

    double last = TASK_START + reading(HANDED, 1) + computing(HANDED);
    assertThat(seconds(result)).isCloseTo(starting + scan() + last, within(1e-6));
    assertThat(result.jobs().killedTasks()).isEqualTo(1);
    assertThat(result.jobs().mapTasks()).isEqualTo(2);
  }

  private void fail(String device, double atSeconds) {
    cluster.faults = List.of(new FaultSpec(atSeconds, Target.DEVICE, device, Kind.FAIL, 0, NEVER));
  }

  /** Of the first stage's two tasks the disk that fails has one's output; the other's is kept. */
  @Test
  void onlyWhatIsLostIsComputedAgain() throws IOException {
    cluster.volumes =
        List.of(disk(false), volume("first", false, true), volume("second", false, true));
    stage("a", 2, 2 * BLOCK, CYCLES, 2 * HANDED, 0);
    stage("b", 1, 0, CYCLES, HANDED, 0, "a");
    stage("c", 1, 0, CYCLES, 0, 0, "b");
    double apart = TASK_START + reading(HANDED, 1) + computing(2 * HANDED) + writing(HANDED, 1);
    double fetching = JOB_START + 2 * scan() + apart + TASK_START + 0.2;
    fail("node-0/1", fetching);

    double together =
        TASK_START + reading(2 * HANDED, 2) + computing(2 * HANDED) + writing(HANDED, 1);
    double last = TASK_START + reading(HANDED, 1) + computing(HANDED);
    RunResult result = run();
    assertThat(seconds(result)).isCloseTo(fetching + scan() + together + last, within(1e-6));
    assertThat(result.jobs().mapTasks()).isEqualTo(3);
  }

  /**
   * A join has spilled what it fetched when it begins to read: nothing goes to disk beside that.
   */
  @Test
  void whatIsSpilledMeanwhileIsNotSpilledAgainBesideInput() throws IOException {
    long made = 80 * MIB;
    cluster.series = false;
    cluster.spillsMeanwhile = true;
    cluster.reduceKept = 0;
    stage("made", 1, 0, 0, made, 0);
    stage("join", 1, BLOCK, CYCLES, 0, 0, "made");
    RunResult result = run();

    assertThat(computing(BLOCK)).isGreaterThan(reading(BLOCK, 1));
    assertThat(computing(made)).isGreaterThan(reading(made, 1));
    double fetched = reading(made, 1) + writing(made, 1);
    double join = TASK_START + fetched + computing(BLOCK) + computing(made);
    double first = JOB_START + TASK_START + writing(made, 1);
    assertThat(seconds(result)).isCloseTo(first + join, within(1e-6));
    assertThat(PhaseScenario.writtenBytes(result, "disk")).isEqualTo(2 * made);
  }

  /** Where the last stage has fetched all, nobody needs what is lost. */
  @Test
  void whatNobodyNeedsIsNotComputedAgain() throws IOException {
    cluster.volumes =
        List.of(disk(false), volume("first", false, true), volume("second", false, true));
    stage("a", 1, BLOCK, CYCLES, HANDED, 0);
    stage("b", 1, 0, CYCLES, 0, 0, "a");
    double alone = seconds();
    fail("node-0/1", alone - computing(HANDED) / 2);

    RunResult result = run();
    assertThat(seconds(result)).isEqualTo(alone);
    assertThat(result.jobs().killedTasks()).isZero();
  }

  /**
   * The middle stage has a task on each of two machines, of which one is twenty times as slow. A
   * second attempt begins on the other one at f (s + c) and takes s + c: seconds; f the factor, s
   * start, c computing.
   */
  @Test
  void aLateTaskOfAnyStageThatHandsOnGetsASecondAttempt() throws IOException {
    cluster.hertz = List.of(HERTZ, HERTZ / 20);
    stage("first", 1, LITTLE, 0, 2 * LITTLE, 0);
    stage("middle", 2, 0, TEN_SECONDS, LITTLE, 0, "first");
    stage("last", 1, 0, 0, 0, 0, "middle");
    double before = JOB_START + TASK_START;

    assertThat(seconds()).isCloseTo(before + TASK_START + 200 + TASK_START, within(0.5));
    cluster.scheduler = "fifo:late-factor=1.5";
    RunResult result = run();
    assertThat(seconds(result))
        .isCloseTo(before + 2.5 * (TASK_START + 10) + TASK_START, within(0.5));
    assertThat(result.jobs().killedTasks()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"first", "second"})
  void allStagesSpillToTheDevicesThatTheJobNames(String device) throws IOException {
    cluster.volumes =
        List.of(disk(true), volume("first", false, true), volume("second", false, true));
    stage("a", 2, 2 * BLOCK, CYCLES, 2 * HANDED, 0);
    stage("b", 2, 0, CYCLES, HANDED, 0, "a");
    stage("c", 1, 0, CYCLES, 0, BLOCK, "b");
    Share job =
        new Share(
            "graph",
            1,
            1,
            PhasePlan.MODEL,
            TaskMemory.NONE,
            device,
            Edges.NONE,
            StageGraph.of(stages));
    RunResult result = cluster.run(job);

    assertThat(PhaseScenario.writtenBytes(result, device)).isEqualTo(3 * HANDED);
    assertThat(PhaseScenario.writtenBytes(result, device.equals("first") ? "second" : "first"))
        .isZero();
    assertThat(PhaseScenario.writtenBytes(result, "disk")).as("its output").isEqualTo(BLOCK);
  }
}
