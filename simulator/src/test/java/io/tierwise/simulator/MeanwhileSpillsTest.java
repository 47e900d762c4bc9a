package io.tierwise.simulator;

import static io.tierwise.simulator.PhaseScenario.BLOCK;
import static io.tierwise.simulator.PhaseScenario.JOB_START;
import static io.tierwise.simulator.PhaseScenario.MIB;
import static io.tierwise.simulator.PhaseScenario.NEVER;
import static io.tierwise.simulator.PhaseScenario.TASK_START;
import static io.tierwise.simulator.PhaseScenario.disk;
import static io.tierwise.simulator.PhaseScenario.mapping;
import static io.tierwise.simulator.PhaseScenario.reading;
import static io.tierwise.simulator.PhaseScenario.reducing;
import static io.tierwise.simulator.PhaseScenario.volume;
import static io.tierwise.simulator.PhaseScenario.writing;
import static io.tierwise.simulator.PhaseScenario.writtenBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.FaultSpec.Kind;
import io.tierwise.simulator.scenario.FaultSpec.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tasks that spill while their input comes, by closed forms: all runs but the last one are written
 * beside reading or fetching.
 */
class MeanwhileSpillsTest {
  /** One map writes it in four runs of 80 MiB. */
  private static final long SHUFFLED = 320 * MIB;

  private static final long RUN = 80 * MIB;

  @TempDir private Path folder;

  private final PhaseScenario cluster = new PhaseScenario();

  @BeforeEach
  void tasksOverlap() {
    cluster.series = false;
    cluster.spillsMeanwhile = true;
  }

  private double seconds() throws IOException {
    return seconds(cluster.run(folder));
  }

  private static double seconds(RunResult result) {
    assertThat(result.jobs().failed()).isZero();
    return result.makespanSeconds();
  }

  /** The last run, and the merge of all four. */
  private static double mergedByMap() {
    return writing(RUN, 1) + reading(SHUFFLED, 4) + writing(SHUFFLED, 4);
  }

  /** A segment of the one map goes to the disk as it comes. */
  private static double reducerOfOneSegment() {
    assertThat(reading(SHUFFLED, 1)).isGreaterThan(reducing(SHUFFLED));
    return TASK_START + reading(SHUFFLED, 1) + writing(SHUFFLED, 1) + reading(SHUFFLED, 1);
  }

  @Test
  void onOneDiskReadingAndSpillingAddUpAndHideComputing() throws IOException {
    cluster.job(BLOCK, SHUFFLED, 0);

    double beside = reading(BLOCK, 1) + writing(3 * RUN, 3);
    assertThat(beside).isGreaterThan(mapping(BLOCK));
    double map = TASK_START + beside + mergedByMap();
    assertThat(seconds()).isCloseTo(JOB_START + map + reducerOfOneSegment(), within(1e-6));
  }

  @Test
  void onADiskOfItsOwnTheSlowerOneHidesTheOthers() throws IOException {
    cluster.volumes = List.of(disk(false), volume("spills", false, true));
    cluster.job(BLOCK, SHUFFLED, 0);

    double map = TASK_START + writing(3 * RUN, 3) + mergedByMap();
    assertThat(seconds()).isCloseTo(JOB_START + map + reducerOfOneSegment(), within(1e-6));
  }

  /** Two runs of 50 MiB, of which one is written while the map computes. */
  @Test
  void aSpillHidesBehindComputing() throws IOException {
    long bytes = 100 * MIB;
    cluster.volumes = List.of(disk(false), volume("spills", false, true));
    cluster.job(BLOCK, bytes, 0);

    assertThat(mapping(BLOCK)).isGreaterThan(writing(bytes / 2, 1));
    double merged = writing(bytes / 2, 1) + reading(bytes, 2) + writing(bytes, 2);
    double map = TASK_START + mapping(BLOCK) + merged;
    double reduce = TASK_START + reading(bytes, 1) + writing(bytes, 1) + reading(bytes, 1);
    assertThat(seconds()).isCloseTo(JOB_START + map + reduce, within(1e-6));
  }

  /** Sixteen segments of 20 MiB make three runs of 100 MiB and a rest; a run's mean is 80 MiB. */
  @Test
  void aReducerMergesWhatIsInMemoryWhileItFetches() throws IOException {
    cluster.job(16 * BLOCK, SHUFFLED, 0);

    double maps = 16 * (TASK_START + mapping(BLOCK) + writing(SHUFFLED / 16, 1));
    double fetched = reading(SHUFFLED, 16) + writing(300 * MIB, 300.0 / 80);
    double reduce = TASK_START + fetched + writing(20 * MIB, 1) + reading(SHUFFLED, 4);
    assertThat(seconds()).isCloseTo(JOB_START + maps + reduce, within(1e-6));
  }

  @Test
  void inSeriesATaskSpillsWhenItsInputIsThere() throws IOException {
    cluster.series = true;
    cluster.job(BLOCK, SHUFFLED, 0);
    double meanwhile = seconds();
    cluster.spillsMeanwhile = false;

    assertThat(seconds()).isEqualTo(meanwhile);
  }

  /** As many bytes reach the disk either way, and none but the output when they fit in memory. */
  @Test
  void asManyBytesAreWrittenAsAfterwards() throws IOException {
    cluster.job(4 * BLOCK, SHUFFLED, BLOCK);
    long meanwhile = writtenBytes(cluster.run(folder), "disk");
    cluster.spillsMeanwhile = false;
    assertThat(writtenBytes(cluster.run(folder), "disk")).isEqualTo(meanwhile);

    cluster.spillsMeanwhile = true;
    cluster.writeThrough = false;
    cluster.pageCache = 4L << 30;
    assertThat(writtenBytes(cluster.run(folder), "disk")).isEqualTo(BLOCK);
  }

  /** A buffer of 32 MiB holds neither what a map spills beside a block nor a reducer's runs. */
  @Test
  void aFullBufferHoldsReadersUp() throws IOException {
    cluster.writeThrough = false;
    cluster.volumes = List.of(disk(false), volume("spills", false, true));
    cluster.job(4 * BLOCK, 4 * SHUFFLED, 0);
    double roomy = seconds();
    cluster.writeBuffer = 32 * MIB;

    // Four maps write all twice and a reducer once, and little of it is deleted in the buffer;
    // reading, computing and starting may hide three tenths. Without what is written meanwhile two
    // fifths would be left.
    double written = writing(3 * 4 * SHUFFLED - 5 * cluster.writeBuffer, 0);
    assertThat(seconds()).isGreaterThan(roomy + 0.7 * written);
  }

  /** One disk has the input, both others take what is spilled: the first of them is the map's. */
  @Test
  void aMapWhoseRunsAreLostWhileItReadsRunsAgain() throws IOException {
    double reading = JOB_START + TASK_START + 3;
    assertThat(writing(3 * RUN, 3)).isGreaterThan(4);
    cluster.volumes =
        List.of(disk(false), volume("first", false, true), volume("second", false, true));
    cluster.job(BLOCK, SHUFFLED, 0);
    RunResult healthy = cluster.run(folder);
    cluster.faults =
        List.of(new FaultSpec(reading, Target.DEVICE, "node-0/1", Kind.FAIL, 0, NEVER));
    RunResult result = cluster.run(folder);

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(result.jobs().killedTasks()).isEqualTo(1);
    assertThat(seconds(result)).isCloseTo(seconds(healthy) + TASK_START + 3, within(1e-6));
    assertThat(writtenBytes(result, "first")).as("of a spill that was not over").isZero();
    assertThat(writtenBytes(result, "second")).isEqualTo(3 * SHUFFLED);
  }
}
