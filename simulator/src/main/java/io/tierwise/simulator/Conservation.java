package io.tierwise.simulator;

import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.cluster.VirtualCluster.Volume;
import io.tierwise.simulator.jobs.JobTracker;
import io.tierwise.simulator.jobs.TaskContext;
import io.tierwise.simulator.movement.MovementHost;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Invariants that hold after every event under every policy:
 *
 * <ul>
 *   <li>what is stored on a volume, kept for copies and free on it are its capacity;
 *   <li>what was ever placed is what is stored and what was deleted, lost or given up;
 *   <li>no block has two replicas on one node;
 *   <li>tasks started are tasks done, killed and running, each of the last in a slot of its own;
 *   <li>of each task that is done the output counts once;
 *   <li>the tasks of a node hold no more memory than it has for them;
 *   <li>no buffer holds less than nothing, and nothing when no task and no flush runs;
 *   <li>no task and no copy reads from, or writes to, what is down;
 *   <li>the joules of the devices and of each node are the integral of their power;
 *   <li>the network's own promises: no resource above its capacity, a bottleneck for every flow.
 * </ul>
 *
 * <p>A check looks at every block and flow: for tests and for the time in which something is
 * suspected.
 */
final class Conservation {
  private final TaskContext context;
  private final JobTracker tracker;
  private final MovementHost movement;
  private final int slotCount;
  private final PowerIntegral power;

  Conservation(TaskContext context, JobTracker tracker, MovementHost movement) {
    this.context = context;
    this.tracker = tracker;
    this.movement = movement;
    this.power = new PowerIntegral(context, tracker);
    this.slotCount =
        IntStream.range(0, context.cluster().nodeCount())
            .mapToObj(context.cluster()::node)
            .mapToInt(node -> node.mapSlots() + node.reduceSlots())
            .sum();
  }

  /**
   * Checks all.
   *
   * @throws IllegalStateException that says what does not hold
   */
  void check() {
    context.transfers().network().check();
    checkStorage();
    checkTasks();
    tracker.checkOutputs();
    tracker.checkMemory();
    checkBuffers();
    tracker.forEachVolumeInUse(this::checkIsUp);
    context.repair().forEachVolumeInUse(this::checkIsUp);
    movement.forEachVolumeInUse(this::checkIsUp);
    power.check();
  }

  private void checkStorage() {
    VirtualCluster cluster = context.cluster();
    ArrayClusterView view = cluster.view();
    Namespace namespace = context.namespace();
    long[] storedBytes = new long[cluster.volumeCount()];
    for (int block = 0; block < namespace.blockCount(); block++) {
      StoredFile file = namespace.fileOf(block);
      if (file != null) {
        addReplicas(namespace, file, block, storedBytes);
      }
    }
    long placed = context.placer().placedBytes();
    long dropped = context.placer().droppedBytes();
    long stored = LongStream.of(storedBytes).sum();
    require(
        placed == stored + dropped,
        placed + " bytes were placed, " + stored + " are stored and " + dropped + " dropped");
    for (int v = 0; v < storedBytes.length; v++) {
      Volume volume = cluster.volume(v);
      if (volume.viewVolume() != ClusterView.NONE) {
        long free = view.freeBytes(volume.viewVolume());
        long reserved = context.placer().reservedBytes(v);
        require(
            free >= 0 && storedBytes[v] + reserved + free == volume.capacityBytes(),
            "volume "
                + view.volumeName(volume.viewVolume())
                + " of "
                + volume.capacityBytes()
                + " bytes stores "
                + storedBytes[v]
                + ", keeps "
                + reserved
                + " for copies and has "
                + free
                + " free");
      }
    }
  }

  private void addReplicas(Namespace namespace, StoredFile file, int block, long[] storedBytes) {
    for (int i = 0; i < namespace.slotCount(); i++) {
      int volume = namespace.replica(block, i);
      if (volume == ClusterView.NONE) {
        continue;
      }
      storedBytes[volume] += file.blockBytes(file.indexOf(block));
      for (int j = 0; j < i; j++) {
        int other = namespace.replica(block, j);
        require(
            other == ClusterView.NONE
                || context.cluster().nodeOfVolume(other) != context.cluster().nodeOfVolume(volume),
            "block " + block + " has two replicas on one node");
      }
    }
  }

  private void checkTasks() {
    long started = context.jobMeter().startedTasks();
    long over = context.jobMeter().finishedTasks() + context.jobMeter().killedTasks();
    require(
        started == over + tracker.runningTaskCount(),
        started
            + " tasks started, "
            + over
            + " are over and "
            + tracker.runningTaskCount()
            + " run");
    int free = tracker.freeSlotCount();
    require(
        free + tracker.runningTaskCount() == slotCount,
        slotCount + " slots, " + free + " free with " + tracker.runningTaskCount() + " tasks");
  }

  private void checkIsUp(int volume) {
    ArrayClusterView view = context.cluster().view();
    int viewVolume = context.cluster().volume(volume).viewVolume();
    require(
        view.takes(viewVolume, 0),
        "volume " + view.volumeName(viewVolume) + " is down, but in use");
  }

  private void checkBuffers() {
    for (int node = 0; node < context.cluster().nodeCount(); node++) {
      long dirty = context.buffers().dirtyBytes(node);
      require(dirty >= 0, "the buffer of node " + node + " holds " + dirty + " bytes");
      require(
          dirty == 0
              || tracker.runningTaskCount() > 0
              || context.transfers().network().flowCount() > 0
              || dirty == context.buffers().queuedBytes(node),
          "the buffer of node " + node + " holds " + dirty + " bytes that nothing writes");
      require(
          context.buffers().devicesFollow(node),
          "a writer waits for room on node " + node + ", and a device with dirty data is idle");
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
