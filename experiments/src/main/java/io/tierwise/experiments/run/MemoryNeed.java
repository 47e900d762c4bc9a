package io.tierwise.experiments.run;

import io.tierwise.core.message.OperatorException;
import io.tierwise.simulator.report.Format;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.Scenario;

/**
 * Estimates the memory of a run before it begins.
 *
 * <p>Own: bytes a node, a volume, a replica and a slot, rounded up from the heap after collections
 * of TestDFSIO on hatS's kinds of node: 12 MB with 9 nodes, 33 MB with 9,000; 41 MB with 640,000
 * blocks of three replicas on 900.
 */
public final class MemoryNeed {
  private static final double BASE_BYTES = 32e6;
  private static final double NODE_BYTES = 2e3;
  private static final double VOLUME_BYTES = 1e3;
  private static final double BLOCK_BYTES = 40;
  private static final double REPLICA_BYTES = 8;
  private static final double TASK_BYTES = 400;

  /** Of a block's place in the tables, which it has whether there is room for it or not. */
  private static final double ENTRY_BYTES = 4;

  private MemoryNeed() {}

  /** Bytes of one run. */
  public static double ofRun(Scenario scenario, WorkloadSize workload) {
    double nodes = 0;
    double volumes = 0;
    double slots = 0;
    double capacity = 0;
    int replication = scenario.policies().replication();
    for (Rack rack : scenario.cluster().racks()) {
      for (NodeGroup group : rack.groups()) {
        nodes += group.count();
        slots += (double) group.count() * (group.node().mapSlots() + group.node().reduceSlots());
        for (VolumeGroup volume : group.node().volumes()) {
          double count = (double) group.count() * volume.count();
          volumes += count;
          capacity += volume.data() ? count * volume.capacityBytes() : 0;
        }
      }
    }
    double wanted = workload.inputBytes() + workload.outputBytes();
    double bytes = Math.min(wanted, capacity / replication);
    double unstoredBlocks = (wanted - bytes) / scenario.policies().blockBytes();
    // A job's last blocks are not full: one more each for what it reads and writes.
    double blocks = Math.ceil(bytes / scenario.policies().blockBytes()) + 2.0 * workload.jobs();
    return BASE_BYTES
        + nodes * NODE_BYTES
        + volumes * VOLUME_BYTES
        + slots * TASK_BYTES
        + blocks * (BLOCK_BYTES + replication * REPLICA_BYTES)
        + unstoredBlocks * ENTRY_BYTES * (1 + replication);
  }

  /** Refuses runs that cannot fit, at {@code threads} runs at a time. */
  static void require(String label, double bytesOfRun, int threads) {
    long most = Runtime.getRuntime().maxMemory();
    double all = BASE_BYTES + threads * (bytesOfRun - BASE_BYTES);
    if (all > most) {
      throw OperatorException.cluster(
          label
              + ": needs about "
              + Format.BYTES.text(all)
              + " of memory"
              + (threads > 1 ? " with --threads " + threads : "")
              + ", the JVM may use "
              + Format.BYTES.text((double) most)
              + ": "
              + advice((long) (1.3 * all)),
          null);
    }
  }

  static String advice(long bytes) {
    return "set TIERWISE_JAVA_OPTS=-Xmx"
        + Math.max(1, Math.round(Math.ceil((double) bytes / (1 << 30))))
        + "g, use fewer --threads, or simulate less";
  }
}
