package io.tierwise.simulator;

import static io.tierwise.simulator.PhaseScenario.BLOCK;
import static io.tierwise.simulator.PhaseScenario.JOB_START;
import static io.tierwise.simulator.PhaseScenario.MEMORY;
import static io.tierwise.simulator.PhaseScenario.MIB;
import static io.tierwise.simulator.PhaseScenario.NEVER;
import static io.tierwise.simulator.PhaseScenario.SEEK;
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
import io.tierwise.simulator.scenario.PhasePlan;
import io.tierwise.simulator.scenario.TaskMemory;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications.Edges;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications.Share;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What each phase of a task takes, by closed forms: one job whose tasks run one after the other.
 */
class PhasesTest {
  /** One map writes it in four runs of 80 MiB. */
  private static final long SHUFFLED = 320 * MIB;

  /** A map of one block, until it has computed. */
  private static final double READ_BLOCK = reading(BLOCK, 1);

  private static final double MAPPED = TASK_START + READ_BLOCK + mapping(BLOCK);

  @TempDir private Path folder;

  private final PhaseScenario cluster = new PhaseScenario();

  private double seconds() throws IOException {
    return seconds(cluster.run(folder));
  }

  private static double seconds(RunResult result) {
    assertThat(result.jobs().failed()).isZero();
    return result.makespanSeconds();
  }

  @Test
  void overlappedTheSlowerOneHidesTheOther() throws IOException {
    cluster.series = false;
    cluster.job(BLOCK, 0, 0);

    assertThat(mapping(BLOCK)).isGreaterThan(READ_BLOCK);
    assertThat(seconds()).isCloseTo(JOB_START + TASK_START + mapping(BLOCK), within(1e-6));
  }

  @Test
  void inSeriesReadingAndComputingAddUp() throws IOException {
    cluster.job(BLOCK, 0, 0);

    assertThat(seconds()).isCloseTo(JOB_START + MAPPED, within(1e-6));
  }

  /** Its one map computes 40 cycles a byte of a block. */
  @Test
  void anApplicationsPlanGoesBeforeTheModels() throws IOException {
    double overlapped = secondsOfGrep(false, PhasePlan.MODEL);
    double series = secondsOfGrep(true, PhasePlan.MODEL);

    assertThat(series).isGreaterThan(overlapped + READ_BLOCK - 0.1);
    assertThat(secondsOfGrep(true, PhasePlan.OVERLAPPED)).isEqualTo(overlapped);
    assertThat(secondsOfGrep(false, PhasePlan.SERIES)).isEqualTo(series);
  }

  private double secondsOfGrep(boolean series, PhasePlan phases) throws IOException {
    cluster.series = series;
    return seconds(
        cluster.run(new Share("lsn/grep", 1, 1.0 / 160, phases, TaskMemory.NONE, "", Edges.NONE)));
  }

  /** A reducer fetches the segment of the one map, which is too large for its memory. */
  @Test
  void runsThatOneMergeTakesAreWrittenTwice() throws IOException {
    cluster.job(BLOCK, SHUFFLED, 0);

    double map = MAPPED + writing(SHUFFLED, 4) + reading(SHUFFLED, 4) + writing(SHUFFLED, 4);
    assertThat(seconds()).isCloseTo(JOB_START + map + reducerOfSegments(1), within(1e-6));
  }

  /** Fetches, writes and reads some segments, and reduces. */
  private static double reducerOfSegments(int segments) {
    double fetched = reading(SHUFFLED, segments);
    double runs = writing(SHUFFLED, segments) + reading(SHUFFLED, segments);
    return TASK_START + fetched + runs + reducing(SHUFFLED);
  }

  /** Four fifths of its buffer are 80 MiB. */
  @Test
  void aMapSpillsBeforeItsBufferIsFull() throws IOException {
    long bytes = 90 * MIB;
    cluster.job(BLOCK, bytes, 0);

    double map = MAPPED + writing(bytes, 2) + reading(bytes, 2) + writing(bytes, 2);
    double runs = writing(bytes, 1) + reading(bytes, 1);
    double reduce = TASK_START + reading(bytes, 1) + runs + reducing(bytes);
    assertThat(seconds()).isCloseTo(JOB_START + map + reduce, within(1e-6));
  }

  /** Four runs, two at a time: first 1 + 1, then 1 + 1, then both. */
  @Test
  void moreRunsThanAreMergedAtATimeAreMergedInPasses() throws IOException {
    cluster.sortFactor = 2;
    cluster.job(BLOCK, SHUFFLED, 0);

    double merged = reading(2 * SHUFFLED, 6) + writing(2 * SHUFFLED, 8);
    double map = MAPPED + writing(SHUFFLED, 4) + merged;
    assertThat(seconds()).isCloseTo(JOB_START + map + reducerOfSegments(1), within(1e-6));
  }

  /** Four runs of 80 MiB in turns, so many MiB of each: so many seeks. */
  @ParameterizedTest
  @CsvSource({"4, 80", "16, 20", "128, 4"})
  void aMergeSeeksEachTimeThatItTurnsToAnotherRun(int mib, int seeks) throws IOException {
    cluster.mergeRead = mib * MIB;
    cluster.job(BLOCK, SHUFFLED, 0);

    double map = MAPPED + writing(SHUFFLED, 4) + reading(SHUFFLED, seeks) + writing(SHUFFLED, 4);
    // The one segment of a reducer is read in one sweep.
    assertThat(seconds()).isCloseTo(JOB_START + map + reducerOfSegments(1), within(1e-6));
  }

  /** Two at a time: the first merge and the last one read two runs each, the last one all bytes. */
  @Test
  void aReducersMergesSeekInTurnsToo() throws IOException {
    cluster.mergeRead = 4 * MIB;
    cluster.sortFactor = 2;
    cluster.job(3 * BLOCK, 240 * MIB, 0);

    double maps = 3 * (MAPPED + writing(80 * MIB, 1));
    double runs = writing(240 * MIB, 3) + reading(160 * MIB, 40) + writing(160 * MIB, 2);
    double last = reading(240 * MIB, 60) + reducing(240 * MIB);
    double reduce = TASK_START + reading(240 * MIB, 3) + runs + last;
    assertThat(seconds()).isCloseTo(JOB_START + maps + reduce, within(1e-6));
  }

  /** A segment of 80 MiB is more than a quarter of the memory: a run of its own. */
  @Test
  void aReducerSeeksForTheSegmentOfEachMap() throws IOException {
    cluster.job(4 * BLOCK, SHUFFLED, 0);

    double maps = 4 * (MAPPED + writing(SHUFFLED / 4, 1));
    assertThat(seconds()).isCloseTo(JOB_START + maps + reducerOfSegments(4), within(1e-6));
  }

  @Test
  void aReducerMergesInPassesToo() throws IOException {
    cluster.sortFactor = 2;
    cluster.job(4 * BLOCK, SHUFFLED, 0);

    double maps = 4 * (MAPPED + writing(SHUFFLED / 4, 1));
    double merged = reading(SHUFFLED, 4) + writing(SHUFFLED, 4);
    // The last merge reads two runs of twice the size.
    double reduce = reducerOfSegments(4) + merged - 2 * SEEK;
    assertThat(seconds()).isCloseTo(JOB_START + maps + reduce, within(1e-6));
  }

  /** Sixteen segments of 20 MiB make three runs of 100 MiB and a rest. */
  @Test
  void smallSegmentsGatherInAReducersMemory() throws IOException {
    cluster.job(16 * BLOCK, SHUFFLED, 0);

    double maps = 16 * (MAPPED + writing(SHUFFLED / 16, 1));
    double reduce = reducerOfSegments(4) + 12 * SEEK;
    assertThat(seconds()).isCloseTo(JOB_START + maps + reduce, within(1e-6));
  }

  /** Hadoop's mapreduce.reduce.input.buffer.percent is 0. */
  @Test
  void aSmallReducerWritesAndReadsItsInputToo() throws IOException {
    long bytes = 48 * MIB;
    cluster.job(4 * BLOCK, bytes, 0);
    RunResult result = cluster.run(folder);

    double maps = 4 * (MAPPED + writing(bytes / 4, 1));
    double runs = writing(bytes, 1) + reading(bytes, 1);
    double reduce = TASK_START + reading(bytes, 4) + runs + reducing(bytes);
    assertThat(seconds(result)).isCloseTo(JOB_START + maps + reduce, within(1e-6));
    assertThat(writtenBytes(result, "disk")).isEqualTo(2 * bytes);
  }

  @Test
  void aReducerThatKeepsItsInputWritesAndReadsNone() throws IOException {
    long bytes = 48 * MIB;
    cluster.reduceKept = bytes;
    cluster.job(4 * BLOCK, bytes, 0);
    RunResult result = cluster.run(folder);

    double maps = 4 * (MAPPED + writing(bytes / 4, 1));
    double reduce = TASK_START + reading(bytes, 4) + reducing(bytes);
    assertThat(seconds(result)).isCloseTo(JOB_START + maps + reduce, within(1e-6));
    assertThat(writtenBytes(result, "disk")).isEqualTo(bytes);
  }

  /** Three runs of 100 MiB are written; the rest, 20 MiB, stays in memory. */
  @Test
  void whatAReducerKeepsIsNotReadAgain() throws IOException {
    long kept = 20 * MIB;
    cluster.reduceKept = kept;
    cluster.job(16 * BLOCK, SHUFFLED, 0);

    double maps = 16 * (MAPPED + writing(SHUFFLED / 16, 1));
    double runs = writing(SHUFFLED - kept, 3) + reading(SHUFFLED - kept, 3);
    double reduce = TASK_START + reading(SHUFFLED, 16) + runs + reducing(SHUFFLED);
    assertThat(seconds()).isCloseTo(JOB_START + maps + reduce, within(1e-6));
  }

  @Test
  void aReducerReadsItsRunsAgainBeforeItWrites() throws IOException {
    cluster.job(4 * BLOCK, SHUFFLED, BLOCK);

    double maps = 4 * (MAPPED + writing(SHUFFLED / 4, 1));
    double reduce = reducerOfSegments(4) + writing(BLOCK, 1);
    assertThat(seconds()).isCloseTo(JOB_START + maps + reduce, within(1e-6));
  }

  /** Computing alone takes longer: what its devices do for it takes its time. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aStragglerMapsAndReducesSlowly(int blocksWritten) throws IOException {
    cluster.slowness = 3;
    cluster.job(4 * BLOCK, SHUFFLED, blocksWritten * BLOCK);

    double maps = 4 * (MAPPED + 2 * mapping(BLOCK) + writing(SHUFFLED / 4, 1));
    double written = writing(blocksWritten * BLOCK, blocksWritten);
    double reduce = reducerOfSegments(4) + 2 * reducing(SHUFFLED) + written;
    assertThat(seconds()).isCloseTo(JOB_START + maps + reduce, within(1e-6));
  }

  @Test
  void overlappedAReducerReadsItsRunsWhileItComputes() throws IOException {
    cluster.series = false;
    cluster.job(4 * BLOCK, SHUFFLED, 0);

    double maps = 4 * (TASK_START + mapping(BLOCK) + writing(SHUFFLED / 4, 1));
    double reduce = reducerOfSegments(4) - reducing(SHUFFLED);
    assertThat(reading(SHUFFLED, 4)).isGreaterThan(reducing(SHUFFLED));
    assertThat(seconds()).isCloseTo(JOB_START + maps + reduce, within(1e-6));
  }

  @Test
  void runsThatAreStillCachedCostTheDeviceNothing() throws IOException {
    RunResult result = buffered().job(BLOCK, SHUFFLED, 0).run(folder);

    // Through memory: a map's runs and its output, what the reducer fetches and what it spills.
    double memory = 4 * SHUFFLED / MEMORY;
    double reduce = TASK_START + reducing(SHUFFLED);
    assertThat(seconds(result)).isCloseTo(JOB_START + MAPPED + memory + reduce, within(1e-6));
    assertThat(writtenBytes(result, "disk")).isZero();
  }

  private PhaseScenario buffered() {
    cluster.writeThrough = false;
    cluster.pageCache = 4L << 30;
    return cluster;
  }

  @Test
  void whatMapsLeftIsDeletedWithTheJob() throws IOException {
    RunResult result = buffered().job(BLOCK, SHUFFLED, BLOCK).run(folder);

    assertThat(seconds(result)).isLessThan(30);
    assertThat(writtenBytes(result, "disk")).isEqualTo(BLOCK);
  }

  /** Two maps read half of a block each: neither finds in memory what the other has read. */
  @Test
  void aPartOfABlockThatWasReadLeavesTheRestOnTheDevice() throws IOException {
    RunResult result = buffered().run(folder, reads(0, BLOCK, 2));

    double map = TASK_START + reading(BLOCK / 2, 1) + mapping(BLOCK / 2);
    assertThat(seconds(result)).isCloseTo(JOB_START + 2 * map, within(1e-6));
    assertThat(result.reads().cachedBytes()).isZero();
  }

  /** What was read stays, whichever maps read it again. */
  @ParameterizedTest
  @CsvSource({"2, 2", "2, 1", "1, 3", "3, 2"})
  void allPartsTogetherAreTheBlock(int mapsBefore, int maps) throws IOException {
    RunResult result =
        buffered().run(folder, reads(0, BLOCK, mapsBefore), reads(1000, BLOCK, maps));

    assertThat(result.reads().cachedBytes()).isEqualTo(BLOCK);
    assertThat(result.reads().bytes()).isEqualTo(2 * BLOCK);
  }

  /** Half of the block comes from memory, and its other half from the device. */
  @Test
  void aReadFindsThePartThatAnotherHasRead() throws IOException {
    RunResult result = buffered().run(folder, reads(0, BLOCK / 2, 1), reads(1000, BLOCK, 1));

    double second = JOB_START + TASK_START + BLOCK / 2 / MEMORY + reading(BLOCK / 2, 1);
    assertThat(seconds(result)).isCloseTo(1000 + second + mapping(BLOCK), within(1e-6));
    assertThat(result.reads().cachedBytes()).isEqualTo(BLOCK / 2);
  }

  /** A job that reads so much of the one file, which has one block. */
  private static String reads(int second, long bytes, int maps) {
    return "{\"id\": \"at-%d\", \"submit_millis\": %d, \"path\": \"/f\", \"input_bytes\": %d, \"file_bytes\": %d, \"maps\": %d}"
        .formatted(second, second * 1000, bytes, BLOCK, maps);
  }

  /** One disk has the input, both others take what is spilled: the first of them is the map's. */
  @Test
  void aMapWhoseRunsAreLostInTheMiddleOfAMergeRunsAgain() throws IOException {
    double merging = JOB_START + MAPPED + writing(SHUFFLED, 4) + 2;
    cluster.volumes =
        List.of(disk(false), volume("first", false, true), volume("second", false, true));
    cluster.job(BLOCK, SHUFFLED, 0);
    RunResult healthy = cluster.run(folder);
    cluster.faults =
        List.of(new FaultSpec(merging, Target.DEVICE, "node-0/1", Kind.FAIL, 0, NEVER));
    RunResult result = cluster.run(folder);

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(result.jobs().killedTasks()).isEqualTo(1);
    assertThat(seconds(result)).isGreaterThan(seconds(healthy) + 10);
    // The second attempt spills to the disk that is left, and so does the reducer.
    long lost = writtenBytes(result, "first");
    assertThat(lost).isBetween(SHUFFLED, 2 * SHUFFLED - 1);
    assertThat(writtenBytes(result, "second")).isEqualTo(3 * SHUFFLED);
  }

  /**
   * The reducer has the first map's output when the disk fails that holds it, and the second map
   * computes. The first map runs again, but what the reducer has it does not fetch again.
   */
  @Test
  void aReducerKeepsWhatItHasFetchedOfALostMap() throws IOException {
    cluster.volumes =
        List.of(disk(false), volume("first", false, true), volume("second", false, true));
    cluster.slowStart = 0.5;
    cluster.job(2 * BLOCK, BLOCK, 0);
    double map = TASK_START + reading(BLOCK, 1) + mapping(BLOCK) + writing(BLOCK / 2, 1);
    double fetched = JOB_START + map + TASK_START + reading(BLOCK / 2, 1);
    double failing = fetched + 0.1;
    assertThat(failing).isLessThan(JOB_START + 2 * map - writing(BLOCK / 2, 1));
    cluster.faults =
        List.of(new FaultSpec(failing, Target.DEVICE, "node-0/1", Kind.FAIL, 0, NEVER));
    RunResult result = cluster.run(folder);

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(result.jobs().mapTasks()).isEqualTo(3);
    assertThat(result.jobs().killedTasks()).isZero();
    assertThat(result.network().shuffleBytes()).isEqualTo(BLOCK);
  }

  /** A map of one block, which it writes in one run, and a reducer, which writes it again. */
  @ParameterizedTest
  @ValueSource(strings = {"first", "second"})
  void aJobSpillsToTheDevicesThatItNames(String device) throws IOException {
    cluster.volumes =
        List.of(disk(true), volume("first", false, true), volume("second", false, true));
    Share named =
        new Share(
            "lsn/terasort", 1, 1.0 / 160, PhasePlan.MODEL, TaskMemory.NONE, device, Edges.NONE);
    RunResult result = cluster.run(named);

    assertThat(writtenBytes(result, device)).isEqualTo(2 * BLOCK);
    assertThat(writtenBytes(result, device.equals("first") ? "second" : "first")).isZero();
    assertThat(writtenBytes(result, "disk")).as("its output").isEqualTo(BLOCK);
  }
}
