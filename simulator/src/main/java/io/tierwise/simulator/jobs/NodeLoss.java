package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.VirtualCluster;
import java.util.List;

/**
 * What the loss of a node means for tasks.
 *
 * <p>Its own tasks start anew elsewhere. A read from it goes on at another replica, with the piece
 * that it was reading; a block that was being written to it is written anew to the replicas that
 * are left. A reducer that was fetching from it starts anew. Map output that it held is computed
 * again while a reducer still needs it.
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
    for (TaskAttempt attempt : tasks.attempts().running()) {
      if (attempt.job.failed) {
        // One before it had lost the last replica of a block: the job has ended all its attempts.
        continue;
      }
      if (attempt.node == node) {
        restart(attempt);
        continue;
      }
      switch (attempt.phase) {
        case READING -> {
          boolean reads = attempt.readVolume != ClusterView.NONE;
          if (reads && cluster.volume(attempt.readVolume).node() == node) {
            tasks.sourceLost(attempt);
          }
        }
        case WRITING -> {
          if (tasks.writesTo(attempt, node)) {
            tasks.targetLost(attempt, node);
          }
        }
        case FETCHING -> {
          if (attempt.fetchesFrom(node)) {
            restart(attempt);
          }
        }
        default -> {}
      }
    }
    running.stream().filter(job -> !job.failed).forEach(job -> rerunLostMaps(job, node));
  }

  /** The volume serves no reads any more. */
  void volumeLost(int volume) {
    for (TaskAttempt attempt : tasks.attempts().running()) {
      if (attempt.phase == TaskAttempt.Phase.READING && attempt.readVolume == volume) {
        tasks.sourceLost(attempt);
      }
    }
  }

  private void restart(TaskAttempt attempt) {
    tasks.end(attempt);
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

  private void rerunLostMaps(JobRun job, int node) {
    if (job.reduceCount == 0) {
      return;
    }
    for (int i = 0; i < job.mapsDone; i++) {
      if (job.outputNodes[i] == node) {
        job.outputNodes[i] = ClusterView.NONE;
      }
    }
    if (tasks.allHaveFetched(job)) {
      // Lost all the same: another loss may make a reducer start anew.
      return;
    }
    boolean lost = false;
    for (int i = job.mapsDone - 1; i >= 0; i--) {
      if (job.outputNodes[i] == ClusterView.NONE) {
        lost = true;
        job.anywhere.push(job.outputMaps[i]);
        job.mapsDone--;
        job.outputNodes[i] = job.outputNodes[job.mapsDone];
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
}
