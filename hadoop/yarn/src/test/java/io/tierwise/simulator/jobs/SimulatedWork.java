package io.tierwise.simulator.jobs;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.SlotKind;
import io.tierwise.policies.recorded.RecordedWork;
import io.tierwise.policies.recorded.RecordedWork.RecordedJob;
import io.tierwise.policies.recorded.RecordedWork.RecordedTasks;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.TaskMemory;
import io.tierwise.simulator.workload.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Brings the simulator's own bookkeeping of jobs into the state that another host recorded. */
public final class SimulatedWork {
  private static final double UNLIMITED = Double.POSITIVE_INFINITY;
  private static final DeviceSpec DISK = new DeviceSpec("disk", 1e8, 1e8, List.of(), 0, 5, 8, 0.05);

  private SimulatedWork() {}

  /**
   * The simulator's view of the recorded work.
   *
   * @param mapSlots of each node
   */
  public static WorkView of(RecordedWork recorded, int mapSlots) {
    Engine engine = new Engine();
    VirtualCluster cluster =
        new VirtualCluster(
            cluster(recorded, mapSlots),
            TierTable.of(List.of(DeviceClass.unmeasured("disk"))),
            new Transfers(engine).network());
    LiveWork work = new LiveWork(engine, cluster);
    for (RecordedJob job : recorded.jobs()) {
      JobRun run = run(job, recorded);
      work.arrived(run);
      work.ran(run, job.running());
    }
    return work;
  }

  private static ClusterSpec cluster(RecordedWork recorded, int mapSlots) {
    List<Rack> racks = new ArrayList<>();
    for (int rack = 0; rack < recorded.cluster().rackCount(); rack++) {
      int of = rack;
      List<NodeGroup> nodes =
          IntStream.range(0, recorded.cluster().nodeCount())
              .filter(node -> recorded.cluster().rackOfNode(node) == of)
              .mapToObj(node -> new NodeGroup(node(recorded, node, mapSlots), 1))
              .toList();
      racks.add(new Rack(recorded.cluster().rackName(rack), "region", UNLIMITED, nodes));
    }
    return new ClusterSpec(racks, UNLIMITED, 0.0001);
  }

  private static NodeSpec node(RecordedWork recorded, int node, int mapSlots) {
    List<VolumeGroup> volumes = List.of(new VolumeGroup(DISK, 1, 1L << 40, true, true));
    String kind = recorded.nodeKindName(recorded.kindOfNode(node));
    return new NodeSpec(
        kind,
        8,
        2.8e9,
        0,
        1L << 30,
        1L << 29,
        5e9,
        mapSlots,
        0,
        1e9,
        100,
        200,
        1000,
        1,
        recorded.freeMemoryBytes(node),
        volumes);
  }

  private static JobRun run(RecordedJob job, RecordedWork recorded) {
    RecordedTasks maps = job.tasks().get(List.of(SlotKind.values()).indexOf(SlotKind.MAP));
    RecordedTasks reduces = job.tasks().get(List.of(SlotKind.values()).indexOf(SlotKind.REDUCE));
    int[] nodes = nodesOfData(job, maps, recorded);
    TaskMemory memory =
        new TaskMemory(
            job.job().taskMemoryBytes(SlotKind.MAP), job.job().taskMemoryBytes(SlotKind.REDUCE));
    JobSpec spec =
        new JobSpec(
            job.job().name(),
            recorded.queueName(job.queue()),
            0,
            "",
            "",
            0,
            0,
            reduces.waiting() > 0 ? 1 : 0,
            reduces.waiting() > 0 ? 0 : 1,
            maps.waiting(),
            reduces.waiting(),
            1,
            1,
            1,
            0,
            0);
    PendingMaps pending =
        new PendingMaps(maps.waiting(), Math.max(1, nodes.length), recorded.cluster().nodeCount());
    JobRun run =
        JobRun.ofMapReduce(
            job.job().id(),
            spec.withTasks(spec.phases(), memory, ""),
            0,
            maps.waiting(),
            reduces.waiting(),
            null,
            null);
    run.pendingMaps = pending;
    if (reduces.waiting() > 0) {
      run.release(run.stages.get(1), recorded.cluster().nodeCount());
    }
    for (int map = 0; map < maps.waiting(); map++) {
      if (nodes.length == 0) {
        run.anywhere.push(map);
      } else {
        pending.add(map);
        for (int i = 0; i < nodes.length; i++) {
          pending.addLocation(map, i, nodes[i]);
        }
      }
    }
    return run;
  }

  /** Of a node that has not the memory for a map nothing tells whether data of one lies there. */
  private static int[] nodesOfData(RecordedJob job, RecordedTasks maps, RecordedWork recorded) {
    int[] seen = nodes(maps, Nearness.ON_NODE);
    boolean isElsewhere = seen.length == 0 && nodes(maps, Nearness.ANYWHERE).length > 0;
    return isElsewhere
        ? IntStream.range(0, recorded.cluster().nodeCount())
            .filter(node -> !recorded.hasMemory(SlotKind.MAP, job.job().id(), node))
            .toArray()
        : seen;
  }

  private static int[] nodes(RecordedTasks tasks, Nearness nearness) {
    return tasks.nodes()[List.of(Nearness.values()).indexOf(nearness)];
  }
}
