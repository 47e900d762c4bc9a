package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The consequences for tasks when a node or a device is lost.
 *
 * <p>A node's own tasks start anew elsewhere. A read goes on at another replica where it was. A
 * block that is being written goes on to the replicas that are left; when none is, the task starts
 * anew, as in HDFS. A task whose spilled runs are lost starts anew, and so does a reducer that was
 * fetching from a lost node or temporary volume. Map output that it held is computed again while a
 * reducer still needs it.
 */
final class NodeLoss {
  private final TaskContext context;
  private final VirtualCluster cluster;
  private final Tasks tasks;
  private final SlotAssigner slots;

  NodeLoss(TaskContext context, Tasks tasks, SlotAssigner slots) {
    this.context = context;
    this.cluster = context.cluster();
    this.tasks = tasks;
    this.slots = slots;
  }

  /** The node is gone; it takes no tasks any more, and its replicas are no longer there. */
  void nodeLost(int node, List<JobRun> running) {
    IntPredicate isOfNode = volume -> cluster.volume(volume).node() == node;
    IntPredicate isSourceOfNode = source -> source < 0 ? ~source == node : isOfNode.test(source);
    for (TaskAttempt attempt : tasks.attempts().running()) {
      if (!tasks.attempts().isRunning(attempt)) {
        // One before it has ended it: with the last replica of a block, the whole job.
        continue;
      }
      if (attempt.node == node || attempt.fetchesFrom(isSourceOfNode)) {
        restart(attempt);
      } else if (reads(attempt, isOfNode)) {
        tasks.sourceLost(attempt);
      } else if (!tasks.volumesLost(attempt, isOfNode)) {
        restart(attempt);
      }
    }
    for (JobRun job : running) {
      forgetMaps(job, job.outputNodes, node);
      rerunLostMaps(job);
      makeRoom(job);
    }
  }

  private static boolean reads(TaskAttempt attempt, IntPredicate isLost) {
    return attempt.phase == TaskAttempt.Phase.READING
        && attempt.readVolume != ClusterView.NONE
        && isLost.test(attempt.readVolume);
  }

  /** The volume takes no writes any more, and what was spilled to it is gone. */
  void writesLost(int volume, List<JobRun> running) {
    IntPredicate isLost = lost -> lost == volume;
    Set<JobRun> losers = new HashSet<>();
    for (JobRun job : running) {
      if (forgetMaps(job, job.outputVolumes, volume)) {
        losers.add(job);
      }
    }
    for (TaskAttempt attempt : tasks.attempts().running()) {
      if (!tasks.attempts().isRunning(attempt)) {
        continue;
      }
      if (attempt.fetchesFrom(isLost) || !tasks.volumesLost(attempt, isLost)) {
        restart(attempt);
        losers.add(attempt.job);
      }
    }
    for (JobRun job : running) {
      if (losers.contains(job)) {
        rerunLostMaps(job);
        makeRoom(job);
      }
    }
  }

  /** The volume serves no reads any more, and its replicas are no longer there. */
  void readsLost(int volume) {
    for (TaskAttempt attempt : tasks.attempts().running()) {
      if (tasks.attempts().isRunning(attempt) && reads(attempt, lost -> lost == volume)) {
        tasks.sourceLost(attempt);
      }
    }
  }

  private void restart(TaskAttempt attempt) {
    tasks.end(attempt);
    tasks.discard(attempt);
    context.jobMeter().taskKilled();
    slots.giveBack(attempt);
    JobRun job = attempt.job;
    if (attempt.twin != null) {
      attempt.twin.twin = null;
      return;
    }
    if (attempt.reduce) {
      job.pendingReduces.push(attempt.task);
      slots.reducesWait(job);
    } else {
      job.anywhere.push(attempt.task);
      slots.mapsWait(job);
    }
  }

  /**
   * Forgets finished maps whose output is lost.
   *
   * @param places where the output of each is: the job's nodes or its volumes
   * @return whether there was any
   */
  private boolean forgetMaps(JobRun job, int[] places, int lost) {
    boolean any = false;
    for (int i = 0; i < job.mapsDone && job.reduceCount > 0; i++) {
      if (places[i] == lost && job.outputNodes[i] != ClusterView.NONE) {
        tasks.mapOutput().forget(job, i);
        any = true;
      }
    }
    return any;
  }

  private void rerunLostMaps(JobRun job) {
    if (job.failed || job.reduceCount == 0 || tasks.allHaveFetched(job)) {
      // Lost all the same: another loss may make a reducer start anew.
      return;
    }
    boolean lost = false;
    for (int i = job.mapsDone - 1; i >= 0; i--) {
      if (job.outputNodes[i] == ClusterView.NONE) {
        lost = true;
        // The mean of the others stays what it was.
        job.finishedMapTicks -= job.finishedMapTicks / job.mapsDone;
        job.anywhere.push(job.outputMaps[i]);
        job.mapsDone--;
        job.outputNodes[i] = job.outputNodes[job.mapsDone];
        job.outputVolumes[i] = job.outputVolumes[job.mapsDone];
        job.outputMaps[i] = job.outputMaps[job.mapsDone];
      }
    }
    if (lost) {
      // A reducer keeps what it has: it fetches the share that it still lacks when all maps are
      // done again.
      tasks.mapsLost(job);
      slots.mapsWait(job);
    }
  }

  /**
   * Maps that wait again get the memory of their job's reducers, which wait for them. Source:
   * MapReduce's RMContainerAllocator preempts reducers. Deviation: at once, and as many as it takes
   * until no map waits.
   */
  private void makeRoom(JobRun job) {
    for (TaskAttempt attempt : tasks.attempts().running()) {
      boolean holds =
          attempt.job == job
              && attempt.reduce
              && cluster.node(attempt.node).taskMemoryBytes() != NodeSpec.UNLIMITED;
      if (holds && job.hasWaitingMaps() && tasks.attempts().isRunning(attempt)) {
        restart(attempt);
        slots.mapsWait(job);
      }
    }
  }
}
