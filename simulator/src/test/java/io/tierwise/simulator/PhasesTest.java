package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.FaultSpec.Kind;
import io.tierwise.simulator.scenario.FaultSpec.Target;
import io.tierwise.simulator.scenario.ModelSpec;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.TierSpec;
import io.tierwise.simulator.scenario.WorkloadSpec.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What each phase of a task takes, by closed forms: one job of one map, on nodes whose disk is all
 * that limits. A task begins in the third second.
 */
class PhasesTest {
  private static final double NEVER = Double.POSITIVE_INFINITY;
  private static final double READ = 60e6;
  private static final double WRITE = 40e6;
  private static final double SEEK = 0.01;
  private static final double HERTZ = 2e9;
  private static final double MAP_CYCLES = 50;
  private static final double REDUCE_CYCLES = 20;
  private static final double START = 2 + 1;
  private static final long MIB = 1L << 20;
  private static final long BLOCK = 64 * MIB;

  /** Its map writes four runs of 80 MiB. */
  private static final long SHUFFLED = 320 * MIB;

  /** The buffer of tasks, of which a map fills four fifths. */
  private static final long SORT = 100 * MIB;

  @TempDir private Path folder;

  @Test
  void overlappedTheSlowerOneHidesTheOther() throws Exception {
    double seconds = seconds(run(BLOCK, 0, 0, model(10, false)));

    assertThat(BLOCK * MAP_CYCLES / HERTZ).isGreaterThan(SEEK + BLOCK / READ);
    assertThat(seconds).isCloseTo(START + BLOCK * MAP_CYCLES / HERTZ, within(1e-6));
  }

  @Test
  void inSeriesReadingAndComputingAddUp() throws Exception {
    double seconds = seconds(run(BLOCK, 0, 0, model(10, true)));

    double read = SEEK + BLOCK / READ;
    double compute = BLOCK * MAP_CYCLES / HERTZ;
    assertThat(seconds).isCloseTo(START + read + compute, within(1e-6));
  }

  @Test
  void runsThatOneMergeTakesAreWrittenTwice() throws Exception {
    RunResult result = run(BLOCK, SHUFFLED, 0, model(10, true));

    double map = READING + spilled(SHUFFLED, 4, 4, SHUFFLED, 4);
    // The reducer's runs are of 100 MiB: three and a rest. It computes without reading them again.
    double reduce = fetched() + spilled(SHUFFLED, 4, 0, 0, 0) + REDUCING;
    assertThat(seconds(result)).isCloseTo(START + map + 1 + reduce, within(1e-6));
  }

  /** Four runs, two at a time: first 1 + 1, then 1 + 1, then both. */
  @Test
  void moreRunsThanAreMergedAtATimeAreMergedInPasses() throws Exception {
    RunResult result = run(BLOCK, SHUFFLED, 0, model(2, true));

    double map = READING + spilled(SHUFFLED, 4, 8, 2 * SHUFFLED, 6);
    double reduce = fetched() + spilled(SHUFFLED, 4, 4, SHUFFLED, 4) + REDUCING;
    assertThat(seconds(result)).isCloseTo(START + map + 1 + reduce, within(1e-6));
  }

  @Test
  void aReducerReadsItsRunsAgainWhileItWrites() throws Exception {
    RunResult result = run(BLOCK, SHUFFLED, BLOCK, model(10, true));

    double map = READING + spilled(SHUFFLED, 4, 4, SHUFFLED, 4);
    double reduce = fetched() + spilled(SHUFFLED, 4, 0, 0, 0) + REDUCING;
    double write = SHUFFLED / READ + 4 * SEEK + BLOCK / WRITE + SEEK;
    assertThat(seconds(result)).isCloseTo(START + map + 1 + reduce + write, within(1e-6));
  }

  @Test
  void runsThatAreStillCachedCostTheDeviceNothing() throws Exception {
    ModelSpec buffered = buffered(0);
    RunResult result = run(BLOCK, SHUFFLED, 0, buffered, node(4L << 30), List.of());

    // Through memory: eight times 80 MiB of the map, four of the reducer.
    double memory = 3 * SHUFFLED / 1e12;
    double map = READING + memory;
    double seconds = START + map + 1 + REDUCING;
    assertThat(seconds(result)).isCloseTo(seconds, within(0.05));
    // Runs are deleted before they are old enough to be written.
    assertThat(result.cost().deviceJoulesByClass()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0.3, 3", "0.5, 5", "1, 10"})
  void aShareOfTheInputIsWarm(double share, int warmBlocks) throws Exception {
    RunResult result = run(10 * BLOCK, 0, 0, buffered(share), node(4L << 30), List.of());

    assertThat(result.reads().bytes()).isEqualTo(10 * BLOCK);
    assertThat(result.reads().cachedBytes()).isEqualTo(warmBlocks * BLOCK);
  }

  @Test
  void aMapWhoseRunsAreLostInTheMiddleOfAMergeRunsAgain() throws Exception {
    double merging = START + READING + SHUFFLED / WRITE + 4 * SEEK + 2;
    FaultSpec fault = new FaultSpec(merging, Target.DEVICE, "node-0/1", Kind.FAIL, 0, NEVER);
    RunResult healthy = run(BLOCK, SHUFFLED, 0, model(10, true), twoDisks(), List.of());
    RunResult result = run(BLOCK, SHUFFLED, 0, model(10, true), twoDisks(), List.of(fault));

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(result.jobs().failed()).isZero();
    assertThat(result.jobs().killedTasks()).isEqualTo(1);
    assertThat(seconds(result)).isGreaterThan(seconds(healthy) + 10);
  }

  private static final double READING = SEEK + BLOCK / READ + BLOCK * MAP_CYCLES / HERTZ;
  private static final double REDUCING = SHUFFLED * REDUCE_CYCLES / HERTZ;

  /** Reducers read the one segment of the one map from the disk. */
  private static double fetched() {
    return SEEK + SHUFFLED / READ;
  }

  /** Seconds to write runs in pieces, and to read and write what is merged. */
  private static double spilled(
      long bytes, int pieces, int mergedPieces, long mergedBytes, int segments) {
    double write = bytes / WRITE + pieces * SEEK;
    return write + mergedBytes / READ + segments * SEEK + mergedBytes / WRITE + mergedPieces * SEEK;
  }

  private static double seconds(RunResult result) {
    assertThat(result.jobs().finished()).isEqualTo(1);
    return result.makespanSeconds();
  }

  private RunResult run(long input, long shuffled, long output, ModelSpec model) throws Exception {
    return run(input, shuffled, output, model, node(0), List.of());
  }

  private RunResult run(
      long input,
      long shuffled,
      long output,
      ModelSpec model,
      NodeSpec node,
      List<FaultSpec> faults)
      throws Exception {
    Path trace = trace(input, shuffled, output);
    Rack rack = new Rack("rack", "region", NEVER, List.of(new NodeGroup(node, 1)));
    return Simulation.of(
            new Scenario(
                "phases",
                1,
                new ClusterSpec(List.of(rack), NEVER, 0),
                List.of(new TierSpec("disk", "disk", List.of())),
                new PolicySpec("network-aware", "network-aware", 1, BLOCK, PolicySpec.FIFO),
                model,
                new Trace("swim", trace, 0, 1, 1, false),
                faults))
        .checkBetween(0, 1_000)
        .run(Progress.NONE);
  }

  private Path trace(long input, long shuffled, long output) throws IOException {
    String row = String.join("\t", "job", "0", "0", "" + input, "" + shuffled, "" + output);
    return Files.writeString(folder.resolve("trace.tsv"), row + "\n");
  }

  private static ModelSpec model(int sortFactor, boolean series) {
    return new ModelSpec(
        1,
        2,
        SORT,
        sortFactor,
        1L << 40,
        1,
        16,
        0.05,
        0,
        false,
        MAP_CYCLES,
        REDUCE_CYCLES,
        0,
        1,
        0,
        false,
        false,
        true,
        series,
        0);
  }

  private static ModelSpec buffered(double warmInput) {
    return new ModelSpec(
        1,
        2,
        SORT,
        10,
        1L << 40,
        1,
        16,
        0.05,
        0,
        false,
        MAP_CYCLES,
        REDUCE_CYCLES,
        0,
        1,
        0,
        false,
        false,
        false,
        true,
        warmInput);
  }

  private static NodeSpec node(long pageCacheBytes) {
    return node(pageCacheBytes, List.of(disk(true)));
  }

  /** The first one has the input, both take what is spilled: the second one is the map's. */
  private static NodeSpec twoDisks() {
    return node(0, List.of(disk(false), disk(true), disk(true)));
  }

  private static VolumeGroup disk(boolean temporary) {
    DeviceSpec device = new DeviceSpec("disk", READ, WRITE, List.of(), SEEK, 0, 0, 0);
    return new VolumeGroup(device, 1, 1L << 40, true, temporary);
  }

  private static NodeSpec node(long pageCacheBytes, List<VolumeGroup> volumes) {
    return new NodeSpec(
        "node", 8, HERTZ, pageCacheBytes, 4L << 30, 1e12, 2, 1, 1e9, 0, 0, 0, 1, volumes);
  }
}
