package io.tierwise.simulator;

import static io.tierwise.simulator.PhaseScenario.BLOCK;
import static io.tierwise.simulator.PhaseScenario.HERTZ;
import static io.tierwise.simulator.PhaseScenario.JOB_START;
import static io.tierwise.simulator.PhaseScenario.MIB;
import static io.tierwise.simulator.PhaseScenario.NEVER;
import static io.tierwise.simulator.PhaseScenario.SEEK;
import static io.tierwise.simulator.PhaseScenario.TASK_START;
import static io.tierwise.simulator.PhaseScenario.busySeconds;
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
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.DeviceSpec.CurvePoint;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.FaultSpec.Kind;
import io.tierwise.simulator.scenario.FaultSpec.Target;
import io.tierwise.simulator.scenario.TierSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Intermediate data of several tasks that share a node's cache, buffer and devices. */
class SharedDevicesTest {
  private static final long GIB = 1L << 30;

  @TempDir private Path folder;

  private final PhaseScenario cluster = new PhaseScenario();

  /**
   * Of all that was spilled last the cache holds as much as fits, whosever it is: of each map's two
   * runs of 80 MiB, of the output of all four maps, and of two reducers' four runs each.
   */
  @Test
  void reducersOnOneNodeShareItsCache() throws IOException {
    long cached = 128 * MIB;
    long shuffled = 640 * MIB;
    cluster.pageCache = cached;
    cluster.reducers = 2;
    cluster.reduceSlots = 2;
    cluster.job(4 * BLOCK, shuffled, 0);
    RunResult result = cluster.run(folder);

    double uncachedOfMap = 1 - (double) cached / (160 * MIB);
    double runs = writing(160 * MIB, 2) + uncachedOfMap * reading(160 * MIB, 2);
    double map = TASK_START + reading(BLOCK, 1) + mapping(BLOCK) + runs + writing(160 * MIB, 2);
    double uncached = 1 - (double) cached / shuffled;
    double fetched = uncached * reading(shuffled, 8);
    // The first reducer begins to read before the second one's last run has taken 80 MiB of it.
    double uncachedOfRuns = uncached - (double) (80 * MIB) / shuffled;
    double reduced = writing(shuffled, 8) + uncachedOfRuns * reading(shuffled, 8);
    double reduce = TASK_START + fetched + reduced + reducing(shuffled / 2);
    assertThat(result.makespanSeconds()).isCloseTo(JOB_START + 4 * map + reduce, within(1e-3));
  }

  /**
   * The cache holds the output of the second map, which is all that is left to fetch: what the
   * reducer fetched before has gone, and is not asked for.
   */
  @Test
  void whatIsFetchedLaterIsWhatWasWrittenLast() throws IOException {
    cluster.pageCache = 80 * MIB;
    cluster.slowStart = 0.5;
    cluster.reduceBuffer = GIB;
    cluster.reduceKept = GIB;
    cluster.job(2 * BLOCK, 160 * MIB, 0);
    RunResult result = cluster.run(folder);

    double maps = 2 * (reading(BLOCK, 1) + writing(80 * MIB, 1));
    assertThat(busySeconds(result, "disk")).isCloseTo(maps, within(1e-6));
  }

  /** As long as one reducer with one disk takes, since neither waits for the other's device. */
  @Test
  void reducersWithADiskEachTakeTheTimeOfOne() throws IOException {
    cluster.writeThrough = false;
    cluster.writeBuffer = 800 * MIB;
    cluster.job(BLOCK, 20 * GIB, 0);
    double one = cluster.run(folder).makespanSeconds();

    PhaseScenario two = new PhaseScenario();
    two.writeThrough = false;
    two.writeBuffer = 800 * MIB;
    two.mapSlots = 2;
    two.reduceSlots = 2;
    two.reducers = 2;
    two.volumes = List.of(disk(true), disk(true));
    two.job(2 * BLOCK, 40 * GIB, 0);

    assertThat(two.run(folder).makespanSeconds()).isCloseTo(one, Percentage.withPercentage(2));
  }

  @Test
  void reducersFetchFromTheDeviceThatMapsSpilledTo() throws IOException {
    cluster.volumes = List.of(disk(true), volume("ssd", true, true));
    cluster.tiers =
        List.of(new TierSpec("disk", "disk", List.of()), new TierSpec("ssd", "ssd", List.of()));
    cluster.placement = "layout:1 x disk";
    cluster.scheduler = "picky:temporary-tier=1";
    cluster.job(4 * BLOCK, 320 * MIB, 0);
    RunResult result = cluster.run(folder);

    assertThat(busySeconds(result, "disk")).isCloseTo(reading(4 * BLOCK, 4), within(1e-6));
    double temporary = writing(320 * MIB, 4) + reading(320 * MIB, 4);
    assertThat(busySeconds(result, "ssd")).isCloseTo(2 * temporary, within(1e-6));
  }

  /** The first of two maps, and so the first disk, has none of the one byte that is shuffled. */
  @Test
  void aDeviceSeeksForNoSegmentWithoutAByte() throws IOException {
    cluster.writeThrough = false;
    cluster.pageCache = GIB;
    cluster.volumes = List.of(disk(true), scratch());
    cluster.job(2 * BLOCK, 1, 0);
    RunResult result = cluster.run(folder);

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(busySeconds(result, "disk")).isCloseTo(reading(2 * BLOCK, 2), within(1e-6));
    assertThat(busySeconds(result, "scratch")).isZero();
  }

  /** Not a byte at a time, though the buffer has no eighth. */
  @Test
  void aNodeWithoutABufferWritesInLargePieces() throws IOException {
    cluster.writeThrough = false;
    cluster.writeBuffer = 0;
    cluster.job(BLOCK, 4096, 4096);
    RunResult result = cluster.run(folder);

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(writtenBytes(result, "disk")).isBetween(4096L, 3 * 4096L);
    assertThat(result.engine().events()).isLessThan(100);
  }

  /** Four reducers write 8 GiB to a disk that gives four streams half of its rate. */
  @Test
  void whatBuffersWriteBackIsOneStreamForACurve() throws IOException {
    long output = 8 * GIB;
    DeviceSpec curved =
        new DeviceSpec(
            "disk",
            PhaseScenario.READ,
            PhaseScenario.WRITE,
            List.of(new CurvePoint(1, 1), new CurvePoint(4, 0.5)),
            0,
            0,
            1,
            0);
    cluster.volumes = List.of(new VolumeGroup(curved, 1, 1L << 40, true, true));
    cluster.reducers = 4;
    cluster.reduceSlots = 4;
    cluster.job(BLOCK, 4096, output);
    double through = cluster.run(folder).makespanSeconds();
    cluster.writeThrough = false;
    cluster.writeBuffer = 400 * MIB;
    double back = cluster.run(folder).makespanSeconds();

    double rest = JOB_START + 2 * TASK_START + mapping(BLOCK) + reading(BLOCK, 0);
    double whole = output / PhaseScenario.WRITE;
    assertThat(through).isBetween(2 * whole, 2 * whole + 2 * rest);
    assertThat(back).isBetween(0.9 * whole, whole + 2 * rest);
  }

  @Test
  void aShortJobLeavesItsOutputInTheBuffer() throws IOException {
    cluster.writeThrough = false;
    cluster.job(BLOCK, 4096, BLOCK);
    RunResult result = cluster.run(folder);

    assertThat(writtenBytes(result, "disk")).isGreaterThanOrEqualTo(BLOCK);
    assertThat(result.cost().bufferedBytes()).isEqualTo(writtenBytes(result, "disk"));
    assertThat(busySeconds(result, "disk")).isLessThan(reading(BLOCK, 1) + 3 * SEEK);
  }

  /** What waits for no buffer is on the disk, and took it its time. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsWrittenAndNotBufferedTookTheDeviceItsTime(boolean writeThrough) throws IOException {
    cluster.writeThrough = writeThrough;
    cluster.writeBuffer = 200 * MIB;
    cluster.job(BLOCK, 4096, 40 * BLOCK);
    RunResult result = cluster.run(folder);

    long buffered = result.cost().bufferedBytes();
    assertThat(buffered).isBetween(writeThrough ? 0L : 1, writeThrough ? 0 : 200 * MIB);
    double device = reading(BLOCK, 0) + writing(writtenBytes(result, "disk") - buffered, 0);
    // A flush under way counts as buffered: an eighth of the buffer. The rest are seeks.
    double more = writing(25 * MIB, 0) + 300 * SEEK;
    assertThat(busySeconds(result, "disk")).isBetween(device, device + more);
  }

  /** Maps spilled to the first two of three disks; while a reducer fetches, one of them fails. */
  @Test
  void aReducerThatFetchesFromAnotherDeviceGoesOn() throws IOException {
    long shuffled = 320 * MIB;
    cluster.volumes = List.of(disk(false), scratch(), scratch(), scratch());
    cluster.job(2 * BLOCK, shuffled, 0);
    double maps = 2 * (TASK_START + reading(BLOCK, 1) + mapping(BLOCK) + mapWriting(shuffled / 2));
    double fetching = JOB_START + maps + TASK_START + 1;
    cluster.faults =
        List.of(new FaultSpec(fetching, Target.DEVICE, "node-0/3", Kind.FAIL, 0, NEVER));
    RunResult result = cluster.run(folder);

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(result.jobs().killedTasks()).as("nobody had a byte there").isZero();
    cluster.faults =
        List.of(new FaultSpec(fetching, Target.DEVICE, "node-0/2", Kind.FAIL, 0, NEVER));
    assertThat(cluster.run(folder).jobs().killedTasks()).isEqualTo(1);
  }

  /** Of three maps' output the first disk holds two thirds, and is read for that long. */
  @Test
  void aReducerFetchesFromEachDeviceWhatItHolds() throws IOException {
    long each = 32 * MIB;
    cluster.reduceKept = 3 * each;
    cluster.volumes = List.of(disk(false), scratch(), scratch());
    cluster.job(3 * BLOCK, 3 * each, 0);
    RunResult result = cluster.run(folder);

    double maps = 3 * (TASK_START + reading(BLOCK, 1) + mapping(BLOCK) + writing(each, 1));
    double reduce = TASK_START + reading(2 * each, 2) + reducing(3 * each);
    assertThat(result.makespanSeconds()).isCloseTo(JOB_START + maps + reduce, within(1e-6));
  }

  private static VolumeGroup scratch() {
    return volume("scratch", false, true);
  }

  private static double mapWriting(long bytes) {
    return writing(bytes, 2) + reading(bytes, 2) + writing(bytes, 2);
  }

  /**
   * The job fails, since the slow node's map has lost its input, while the fast one's is merging:
   * nothing that it had merged waits for a device any more.
   */
  @Test
  void aMapThatIsKilledInTheMiddleOfAMergeLeavesNothing() throws IOException {
    cluster.writeThrough = false;
    cluster.series = false;
    cluster.hertz = List.of(HERTZ, HERTZ / 100);
    cluster.volumes = List.of(disk(false), scratch());
    cluster.job(2 * BLOCK, 640 * MIB, 0);
    double merging = JOB_START + TASK_START + mapping(BLOCK) + 4;
    cluster.faults =
        List.of(
            new FaultSpec(merging, Target.DEVICE, "node-0/0", Kind.FAIL, 0, NEVER),
            new FaultSpec(merging, Target.DEVICE, "node-1/0", Kind.FAIL, 0, NEVER));
    RunResult result = cluster.run(folder);

    assertThat(result.jobs().failed()).isEqualTo(1);
    assertThat(writtenBytes(result, "scratch")).isZero();
  }
}
