package io.tierwise.simulator.movement;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.policies.movement.PredictedSeconds;
import io.tierwise.policies.movement.StorageConfiguration;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.workload.JobSpec;

/**
 * Predicts what a job would take in each configuration: what profiles of its application would say.
 *
 * <p>t = max(I / r, m) + M / w + max(M / r', k): I bytes of input, M of intermediate data, m and k
 * seconds of computing of maps and reducers, r, w and r' the rates at which as many devices as
 * there are tasks at once read and write. Own: a bound by devices, since jobs of a trace have no
 * application that others could tell of; page caches, links, merges, output, memory of tasks and
 * other jobs are left out.
 *
 * @param fastCount devices of the fast tier
 * @param slowCount of the slow one
 * @param mapSlots of all nodes
 * @param reduceSlots likewise
 * @param cyclesPerSecond of a core, as a mean over slots
 */
record DeviceForecast(
    DeviceClass fast,
    DeviceClass slow,
    int fastCount,
    int slowCount,
    int mapSlots,
    int reduceSlots,
    double cyclesPerSecond) {

  static DeviceForecast of(
      VirtualCluster cluster, DeviceClass fast, DeviceClass slow, int fastCount, int slowCount) {
    int maps = 0;
    int reduces = 0;
    double cycles = 0;
    for (int i = 0; i < cluster.nodeCount(); i++) {
      NodeSpec node = cluster.node(i);
      maps += node.mapSlots();
      reduces += node.reduceSlots();
      cycles += node.cyclesPerSecond() * node.mapSlots();
    }
    return new DeviceForecast(fast, slow, fastCount, slowCount, maps, reduces, cycles / maps);
  }

  PredictedSeconds of(JobSpec job, int maps, int reduces) {
    return new PredictedSeconds(
        seconds(StorageConfiguration.ALL_SLOW, job, maps, reduces),
        seconds(StorageConfiguration.FAST_INTERMEDIATE, job, maps, reduces),
        seconds(StorageConfiguration.FAST_INPUT, job, maps, reduces),
        seconds(StorageConfiguration.ALL_FAST, job, maps, reduces));
  }

  private double seconds(StorageConfiguration in, JobSpec job, int maps, int reduces) {
    int mapsAtOnce = Math.max(1, Math.min(maps, mapSlots));
    double input = (double) job.inputBytes();
    DeviceClass from = in.hasFastInput() ? fast : slow;
    double read = input / (from.readBytesPerSecond() * devices(in.hasFastInput(), mapsAtOnce));
    double mapped = input * job.mapCyclesPerByte() / (cyclesPerSecond * mapsAtOnce);
    double between = (double) job.mapOutputBytes();
    if (between == 0) {
      return Math.max(read, mapped);
    }
    boolean isFast = in.hasFastIntermediate();
    DeviceClass over = isFast ? fast : slow;
    int reducesAtOnce = Math.max(1, Math.min(reduces, reduceSlots));
    double written = between / (over.writeBytesPerSecond() * devices(isFast, mapsAtOnce));
    // Reducers read what lies on the devices of all maps.
    double fetched = between / (over.readBytesPerSecond() * devices(isFast, mapsAtOnce));
    double reduced = between * job.reduceCyclesPerByte() / (cyclesPerSecond * reducesAtOnce);
    return Math.max(read, mapped) + written + Math.max(fetched, reduced);
  }

  private int devices(boolean isFast, int tasks) {
    return Math.min(isFast ? fastCount : slowCount, tasks);
  }
}
