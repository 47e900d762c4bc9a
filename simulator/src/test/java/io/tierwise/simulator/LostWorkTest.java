package io.tierwise.simulator;

import static io.tierwise.simulator.PhaseScenario.BLOCK;
import static io.tierwise.simulator.PhaseScenario.HERTZ;
import static io.tierwise.simulator.PhaseScenario.JOB_START;
import static io.tierwise.simulator.PhaseScenario.MIB;
import static io.tierwise.simulator.PhaseScenario.NEVER;
import static io.tierwise.simulator.PhaseScenario.READ;
import static io.tierwise.simulator.PhaseScenario.TASK_START;
import static io.tierwise.simulator.PhaseScenario.disk;
import static io.tierwise.simulator.PhaseScenario.mapping;
import static io.tierwise.simulator.PhaseScenario.reading;
import static io.tierwise.simulator.PhaseScenario.reducing;
import static io.tierwise.simulator.PhaseScenario.volume;
import static io.tierwise.simulator.PhaseScenario.writtenBytes;
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
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is lost with an attempt that is not needed any more, with a source, or with a device. */
class LostWorkTest {
  private static final long SHUFFLED = 320 * MIB;

  @TempDir private Path folder;

  private final PhaseScenario cluster = new PhaseScenario();

  private void fail(String device, double atSeconds) {
    cluster.faults = List.of(new FaultSpec(atSeconds, Target.DEVICE, device, Kind.FAIL, 0, NEVER));
  }

  /**
   * Of two maps that read four blocks each one runs on a machine that is three times as slow. Its
   * second attempt ends before it, when it has spilled beside three of its blocks: that goes,
   * before any device had it, as all else does with the job.
   */
  @Test
  void whatTheSlowerOfTwoAttemptsSpilledGoesWithIt() throws Exception {
    cluster.series = false;
    cluster.spillsMeanwhile = true;
    cluster.writeThrough = false;
    cluster.pageCache = 4L << 30;
    cluster.hertz = List.of(HERTZ, HERTZ / 3);
    cluster.scheduler = "fifo:late-factor=1.5";
    StageSpec maps = new StageSpec("maps", List.of(), "", 8 * BLOCK, 2, 100, 0, 2 * SHUFFLED, 0);
    StageSpec last = new StageSpec("last", List.of(), "", 0, 1, 0, 0, 0, 0);
    List<StageSpec> stages =
        StageGraph.of(
            List.of(
                new Named(maps, List.of(), List.of()),
                new Named(last, List.of("maps"), List.of())));
    RunResult result =
        cluster.run(new Share("a", 1, 1, PhasePlan.MODEL, TaskMemory.NONE, "", Edges.NONE, stages));

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(result.jobs().killedTasks()).isEqualTo(1);
    assertThat(result.makespanSeconds()).as("nothing is thirty seconds old").isLessThan(45);
    assertThat(writtenBytes(result, "disk")).isZero();
  }

  /**
   * In series a map computes on what came of a piece whose disk failed, and then reads the rest
   * from the other replica.
   */
  @Test
  void aMapComputesOnWhatCameBeforeItsSourceWasLost() throws IOException {
    double before = 0.5;
    cluster.hertz = List.of(HERTZ, HERTZ);
    cluster.replicas = 2;
    cluster.job(BLOCK, 0, 0);
    RunResult healthy = cluster.run(folder);
    fail("node-0/0", JOB_START + TASK_START + before);
    RunResult one = cluster.run(folder);
    fail("node-1/0", JOB_START + TASK_START + before);
    RunResult other = cluster.run(folder);

    double alone = JOB_START + TASK_START + reading(BLOCK, 1) + mapping(BLOCK);
    assertThat(healthy.makespanSeconds()).isCloseTo(alone, within(1e-6));
    // One of the two disks served it; a second seek finds the rest, and what came costs its part.
    double rate = BLOCK / reading(BLOCK, 1);
    double rest = BLOCK - before * rate;
    double cut = JOB_START + TASK_START + before + rest / READ + 0.01 + mapping(BLOCK);
    assertThat(Math.max(one.makespanSeconds(), other.makespanSeconds()))
        .isCloseTo(cut, within(1e-3));
    assertThat(Math.min(one.makespanSeconds(), other.makespanSeconds()))
        .isCloseTo(alone, within(1e-6));
  }

  /** In series a reducer has read its runs before it computes: their device may fail then. */
  @Test
  void aReducerThatHasReadItsRunsNeedsTheirDeviceNoMore() throws IOException {
    cluster.volumes =
        List.of(disk(false), volume("first", false, true), volume("second", false, true));
    cluster.job(BLOCK, SHUFFLED, 0);
    double healthy = cluster.run(folder).makespanSeconds();
    fail("node-0/1", healthy - reducing(SHUFFLED) / 2);
    RunResult result = cluster.run(folder);

    assertThat(result.jobs().killedTasks()).isZero();
    assertThat(result.makespanSeconds()).isEqualTo(healthy);
  }
}
