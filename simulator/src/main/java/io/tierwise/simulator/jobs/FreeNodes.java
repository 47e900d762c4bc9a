package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.work.SlotKind;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.storage.Namespace;
import java.util.stream.IntStream;

/** Draws the node whose free slot is offered to a task that has no data on any free node. */
final class FreeNodes {
  private final TaskContext context;
  private final VirtualCluster cluster;
  private final LiveWork work;
  private final Slots mapSlots;
  private final Slots reduceSlots;

  FreeNodes(TaskContext context, LiveWork work) {
    this.context = context;
    this.cluster = context.cluster();
    this.work = work;
    this.mapSlots = work.slots(SlotKind.MAP);
    this.reduceSlots = work.slots(SlotKind.REDUCE);
  }

  /**
   * A free node for a map that is not placed by its data. Where a share of the job's maps is, the
   * others run in a rack that has their data, beside it. Source: access strategies, IV.B counts
   * tasks as data-local or rack-local.
   */
  int beside(JobRun job, int map) {
    double share = job.spec.localityShare();
    StageRun stage = job.stageOf(map);
    boolean isBeside = stage.input != null && share > 0 && share < 1;
    int node = isBeside ? freeBeside(stage.inputBlock(map - stage.firstTask)) : ClusterView.NONE;
    return node == ClusterView.NONE ? mapSlots.draw(context.random()) : node;
  }

  /** A free node for a task of a stage that comes after others: its input's, where it has one. */
  int forReducer(JobRun job) {
    StageRun stage = job.firstWaiting();
    int near = stage.nodeOfInput(stage.waiting.next());
    boolean isFree = near != ClusterView.NONE && reduceSlots.isFree(near);
    return isFree ? near : reduceSlots.draw(context.random());
  }

  /**
   * The emptiest node without the block in a rack with it. No replica's rack comes first: policies
   * that put the fastest first would draw the readers to it.
   */
  private int freeBeside(int block) {
    int replicas = context.namespace().slotCount();
    int first = firstSlot(block);
    int best = ClusterView.NONE;
    for (int i = 0; i < replicas; i++) {
      int volume = context.namespace().replica(block, (first + i) % replicas);
      if (volume == ClusterView.NONE) {
        continue;
      }
      int[] nodes = work.nodesOfRack(cluster.rackOf(cluster.nodeOfVolume(volume)));
      int start = context.random().nextInt(nodes.length);
      for (int n = 0; n < nodes.length; n++) {
        int node = nodes[(start + n) % nodes.length];
        best = holds(node, block) ? best : mapSlots.emptier(best, node);
      }
    }
    return best;
  }

  /** Any replica of the block; where files have no spare slots any slot, full or not. */
  private int firstSlot(int block) {
    Namespace namespace = context.namespace();
    int slots = namespace.slotCount();
    if (slots == namespace.replication()) {
      return context.random().nextInt(slots);
    }
    int[] full =
        IntStream.range(0, slots)
            .filter(i -> namespace.replica(block, i) != ClusterView.NONE)
            .toArray();
    return full.length == 0 ? 0 : full[context.random().nextInt(full.length)];
  }

  private boolean holds(int node, int block) {
    for (int i = 0; i < context.namespace().slotCount(); i++) {
      int volume = context.namespace().replica(block, i);
      if (volume != ClusterView.NONE && cluster.nodeOfVolume(volume) == node) {
        return true;
      }
    }
    return false;
  }

  /** A free node in a rack of the map's data, or any free node when there is none. */
  int inRackOf(JobRun job, int map) {
    int near = freeInRackOf(job, map);
    return near == ClusterView.NONE ? mapSlots.draw(context.random()) : near;
  }

  /** The emptiest node in a rack of the map's data; none is favoured over its equals. */
  private int freeInRackOf(JobRun job, int map) {
    StageRun stage = job.stageOf(map);
    int block = stage.inputBlock(map - stage.firstTask);
    for (int i = 0; i < context.namespace().slotCount(); i++) {
      int volume = context.namespace().replica(block, i);
      if (volume != ClusterView.NONE) {
        int[] nodes = work.nodesOfRack(cluster.rackOf(cluster.nodeOfVolume(volume)));
        int start = context.random().nextInt(nodes.length);
        int best = ClusterView.NONE;
        for (int n = 0; n < nodes.length; n++) {
          best = mapSlots.emptier(best, nodes[(start + n) % nodes.length]);
        }
        if (best != ClusterView.NONE) {
          return best;
        }
      }
    }
    return ClusterView.NONE;
  }
}
