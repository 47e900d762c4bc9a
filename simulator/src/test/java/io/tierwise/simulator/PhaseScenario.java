package io.tierwise.simulator;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.ModelSpec;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.StoredSpec;
import io.tierwise.simulator.scenario.StreamCosts;
import io.tierwise.simulator.scenario.TierSpec;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications;
import io.tierwise.simulator.scenario.WorkloadSpec.Arrival;
import io.tierwise.simulator.scenario.WorkloadSpec.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs on nodes whose disks are all that limits: one node with one slot of each kind, one disk
 * without a page cache, writes that wait for the disk, and tasks in series, unless a test changes
 * it. Reducers start when all maps are done.
 */
final class PhaseScenario {
  static final double NEVER = Double.POSITIVE_INFINITY;
  static final double READ = 60e6;
  static final double WRITE = 40e6;
  static final double SEEK = 0.01;
  static final double HERTZ = 2e9;
  static final double MAP_CYCLES = 50;
  static final double REDUCE_CYCLES = 20;
  static final double JOB_START = 2;
  static final double TASK_START = 1;
  static final double MEMORY = 1e12;
  static final long MIB = 1L << 20;
  static final long BLOCK = 64 * MIB;

  /** The buffer of tasks, of which a map fills four fifths. */
  static final long SORT = 100 * MIB;

  int sortFactor = 10;
  long mergeRead = Long.MAX_VALUE;
  long reduceBuffer = SORT;
  long reduceKept;
  int reducers = 1;
  int replicas = 1;
  double slowStart = 1;
  int mapSlots = 1;
  int reduceSlots = 1;
  long pageCache;
  long writeBuffer = 4L << 30;
  boolean writeThrough = true;
  boolean series = true;
  boolean spillsMeanwhile;
  double warmInput;

  /** Tasks compute so many times as long as others; all of them, where it is more than once. */
  double slowness = 1;

  String placement = "network-aware";
  String scheduler = PolicySpec.FIFO;
  List<TierSpec> tiers = List.of(new TierSpec("disk", "disk", List.of()));
  List<VolumeGroup> volumes = List.of(disk(true));
  List<FaultSpec> faults = List.of();
  List<StoredSpec> stored = List.of();

  /** Clock rates of the nodes. */
  List<Double> hertz = List.of(HERTZ);

  private final List<String> jobs = new ArrayList<>();

  PhaseScenario job(long input, long shuffled, long output) {
    String name = "job-" + jobs.size();
    jobs.add(String.join("\t", name, "0", "0", "" + input, "" + shuffled, "" + output));
    return this;
  }

  RunResult run(Path folder) throws IOException {
    Path trace = Files.writeString(folder.resolve("trace.tsv"), String.join("\n", jobs) + "\n");
    return run(new Trace("swim", trace, 0, 1, 1, false));
  }

  /** Jobs of a trace of our own format, a line each. */
  RunResult run(Path folder, String... jobs) throws IOException {
    Path trace = Files.write(folder.resolve("trace.jsonl"), List.of(jobs));
    return run(new Trace("jobs", trace, 0, 1, 1, false));
  }

  /** Jobs of an application in the place of the trace. */
  RunResult run(Applications.Share jobs) throws IOException {
    return run(new Applications(new Arrival.Together(), List.of(jobs)));
  }

  private RunResult run(WorkloadSpec workload) throws IOException {
    Rack rack = new Rack("rack", "region", NEVER, hertz.stream().map(this::node).toList());
    return Simulation.of(
            new Scenario(
                "phases",
                1,
                new ClusterSpec(List.of(rack), NEVER, 0),
                tiers,
                new PolicySpec(placement, "network-aware", replicas, BLOCK, scheduler),
                model(),
                workload,
                faults,
                stored,
                List.of()))
        .checkBetween(0, 1_000)
        .run(Progress.NONE);
  }

  private ModelSpec model() {
    return new ModelSpec(
        TASK_START,
        JOB_START,
        SORT,
        sortFactor,
        reduceBuffer,
        reduceKept,
        1,
        reducers,
        16,
        slowStart,
        0,
        false,
        MAP_CYCLES,
        REDUCE_CYCLES,
        slowness > 1 ? 1 : 0,
        slowness,
        0,
        false,
        false,
        writeThrough,
        series,
        warmInput,
        0,
        StreamCosts.NONE,
        spillsMeanwhile,
        mergeRead);
  }

  private NodeGroup node(double clock) {
    return new NodeGroup(
        new NodeSpec(
            "node-" + clock,
            8,
            clock,
            pageCache,
            writeBuffer,
            MEMORY,
            mapSlots,
            reduceSlots,
            1e9,
            0,
            0,
            0,
            1,
            volumes),
        1);
  }

  /** A disk that holds input and output; it takes one watt while it is busy. */
  static VolumeGroup disk(boolean temporary) {
    return volume("disk", true, temporary);
  }

  static VolumeGroup volume(String device, boolean data, boolean temporary) {
    DeviceSpec spec = new DeviceSpec(device, READ, WRITE, List.of(), SEEK, 0, 1, 0);
    return new VolumeGroup(spec, 1, 1L << 40, data, temporary);
  }

  /** Bytes that were written to all devices of a class, for good or for some time. */
  static long writtenBytes(RunResult result, String device) {
    return result.cost().writtenBytesByClass()[indexOf(result, device)];
  }

  static double busySeconds(RunResult result, String device) {
    return result.cost().deviceJoulesByClass()[indexOf(result, device)];
  }

  private static int indexOf(RunResult result, String device) {
    return result.cost().deviceClasses().indexOf(device);
  }

  static double reading(long bytes, double seeks) {
    return bytes / READ + seeks * SEEK;
  }

  static double writing(long bytes, double seeks) {
    return bytes / WRITE + seeks * SEEK;
  }

  static double mapping(long bytes) {
    return bytes * MAP_CYCLES / HERTZ;
  }

  static double reducing(long bytes) {
    return bytes * REDUCE_CYCLES / HERTZ;
  }
}
