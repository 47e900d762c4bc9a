package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.work.SlotKind;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The consequences for tasks when a node or a device is lost.
 *
 * <p>A node's own tasks start anew elsewhere. A read goes on at another replica where it was. A
 * block that is being written goes on to the replicas that are left; when none is, the task starts
 * anew, as in HDFS. A task whose spilled runs are lost before it has read them starts anew, and so
 * does one that was fetching from a lost node or temporary volume. What finished tasks left there
 * is computed again while a task of another stage still needs it, and so is what that needs in
 * turn.
 */
final class NodeLoss {
  private final TaskContext context;
  private final VirtualCluster cluster;
  private final Tasks tasks;
  private final SlotAssigner slots;

  /** Stages of which tasks wait again, and that are to be told when it is known which others do. */
  private final Set<StageRun> waitAgain = new LinkedHashSet<>();

  NodeLoss(TaskContext context, Tasks tasks, SlotAssigner slots) {
    this.context = context;
    this.cluster = context.cluster();
    this.tasks = tasks;
    this.slots = slots;
  }

  /** The node is gone; it takes no tasks any more, and its replicas are no longer there. */
  void nodeLost(int node, List<JobRun> running) {
    IntPredicate isOfNode = volume -> cluster.nodeOfVolume(volume) == node;
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
      for (StageRun stage : job.stages) {
        forgetOutput(stage, stage.outputNodes, node);
      }
      rerunLost(job);
      makeRoom(job);
    }
    offerAgain();
  }

  private static boolean reads(TaskAttempt attempt, IntPredicate isLost) {
    return attempt.phase() == TaskAttempt.Phase.READING
        && attempt.readVolume != ClusterView.NONE
        && isLost.test(attempt.readVolume);
  }

  /** The volume takes no writes any more, and what was spilled to it is gone. */
  void writesLost(int volume, List<JobRun> running) {
    IntPredicate isLost = lost -> lost == volume;
    Set<JobRun> losers = new HashSet<>();
    for (JobRun job : running) {
      for (StageRun stage : job.stages) {
        if (forgetOutput(stage, stage.outputVolumes, volume)) {
          losers.add(job);
        }
      }
    }
    for (TaskAttempt attempt : tasks.attempts().running()) {
      if (!tasks.attempts().isRunning(attempt)) {
        continue;
      }
      if (attempt.fetchesFrom(isLost) || !tasks.volumesLost(attempt, isLost)) {
        restart(attempt);
        losers.add(attempt.job());
      }
    }
    for (JobRun job : running) {
      if (losers.contains(job)) {
        rerunLost(job);
        makeRoom(job);
      }
    }
    offerAgain();
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
    if (attempt.twin != null) {
      attempt.twin.twin = null;
      return;
    }
    attempt.job().waitAnywhere(attempt.stage, attempt.task);
    waits(attempt.stage);
  }

  /** A slot that is offered too early goes to a task that gives it back at once. */
  private void waits(StageRun stage) {
    if (stage.job.spec.stages().isEmpty()) {
      offer(stage);
    } else {
      waitAgain.add(stage);
    }
  }

  private void offerAgain() {
    List<StageRun> stages = List.copyOf(waitAgain);
    waitAgain.clear();
    for (StageRun stage : stages) {
      if (!stage.job.isOver) {
        offer(stage);
      }
    }
  }

  private void offer(StageRun stage) {
    if (stage.slots == SlotKind.REDUCE) {
      slots.reducesWait(stage.job);
    } else {
      slots.mapsWait(stage.job);
    }
  }

  /**
   * Forgets finished tasks whose output is lost.
   *
   * @param places where the output of each is: the stage's nodes or its volumes
   * @return whether there was any
   */
  private boolean forgetOutput(StageRun stage, int[] places, int lost) {
    boolean any = false;
    for (int i = 0; i < stage.tasksDone && stage.handsOn(); i++) {
      if (places[i] == lost && stage.outputNodes[i] != ClusterView.NONE) {
        tasks.mapOutput().forget(stage, i);
        any = true;
      }
    }
    return any;
  }

  /** From the last stage to the first: one that runs again needs what those before it left. */
  private void rerunLost(JobRun job) {
    for (int index = job.stages.size() - 1; index >= 0; index--) {
      rerunLost(job.stages.get(index));
    }
  }

  private void rerunLost(StageRun stage) {
    if (stage.job.failed || !stage.handsOn() || tasks.allHaveFetched(stage)) {
      // Lost all the same: another loss may make one that has fetched it start anew.
      return;
    }
    boolean lost = false;
    for (int i = stage.tasksDone - 1; i >= 0; i--) {
      if (stage.outputNodes[i] == ClusterView.NONE) {
        lost = true;
        stage.job.waitAnywhere(stage, stage.forgetDone(i));
      }
    }
    if (lost) {
      // A task keeps what it has fetched, and fetches the share that it still lacks when all is
      // done again. Source: MapReduce's ShuffleSchedulerImpl, which asks for no map that it has.
      if (!stage.job.spec.stages().isEmpty()) {
        stage.children.forEach(this::holdBack);
      }
      waits(stage);
    }
  }

  /**
   * Tasks that still need what is lost give their slots back, which those may need that leave it
   * anew, until all is done again; reducers of MapReduce wait in theirs. Source: Spark's
   * DAGScheduler, which resubmits the stage whose output is lost, and then the one that could not
   * fetch it.
   */
  private void holdBack(StageRun stage) {
    stage.job.holdBack(stage);
    for (TaskAttempt attempt : tasks.attempts().running()) {
      boolean needs = attempt.stage == stage && Tasks.isFetching(attempt);
      if (needs && tasks.attempts().isRunning(attempt)) {
        restart(attempt);
      }
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
          attempt.job() == job
              && attempt.slots() == SlotKind.REDUCE
              && cluster.node(attempt.node).taskMemoryBytes() != NodeSpec.UNLIMITED;
      if (holds && job.hasWaitingMaps() && tasks.attempts().isRunning(attempt)) {
        restart(attempt);
        slots.mapsWait(job);
      }
    }
  }
}
