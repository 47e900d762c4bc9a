package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Writes a task's part of the job's output: a pipeline over the replicas for each block, one block
 * after the other, computed as it goes.
 *
 * <p>Replicas that the policy lets come after the write are copied when the part is written, as
 * HDFS copies them when a file is closed. A pipeline that loses a volume goes on with those that
 * are left, as in HDFS, and the block gets its replica back when the part is written. Deviation:
 * HDFS takes a new node into the pipeline when half of the replicas or fewer are left
 * (dfs.client.block.write.replace-datanode-on-failure.policy); here that replica, too, comes after
 * the write.
 */
final class OutputWriter {
  private final TaskContext context;
  private final VirtualCluster cluster;
  private final Namespace namespace;
  private final AttemptTable attempts;
  private final TaskEvents events;
  private final PathBuffer path = new PathBuffer();
  private final RoomWait room;
  private final int owner;

  /** Bytes of the block under way that pipelines sent that lost a volume, by attempt's ticket. */
  private final Map<Long, Long> sentBytes = new HashMap<>();

  OutputWriter(TaskContext context, AttemptTable attempts, TaskEvents events) {
    this.context = context;
    this.cluster = context.cluster();
    this.namespace = context.namespace();
    this.attempts = attempts;
    this.events = events;
    this.room =
        new RoomWait(context, attempts, attempt -> send(attempt, (double) attempt.targetBytes));
    this.owner = context.transfers().addOwner(this::transferred);
  }

  /** Writes the part, from its first block. */
  void write(TaskAttempt attempt) {
    attempts.enter(attempt, TaskAttempt.Phase.WRITING);
    attempt.outputBlock = 0;
    attempt.writesShort = false;
    attempt.stageStartTick = context.engine().now();
    next(attempt);
  }

  private void next(TaskAttempt attempt) {
    StoredFile file = attempt.stage.output;
    if (attempt.outputBlock == file.blocksPerPart()) {
      double seconds = Ticks.toSeconds(context.engine().now() - attempt.stageStartTick);
      context.meters().taskWrote(file.partBytes(), seconds);
      if (attempt.writesShort) {
        context.repair().writtenShort(file, firstIndexOf(attempt), file.blocksPerPart());
      }
      events.taskDone(attempt);
      return;
    }
    int index = indexOf(attempt);
    int block = file.block(index);
    attempt.writesShort |= context.placer().placeAtOnce(file, index, attempt.node);
    if (namespace.replicaCount(block) == 0) {
      events.jobFailed(
          attempt,
          "no volume has room for a block of its output: give volumes more capacity, or delete old"
              + " input by model.evict-when-full");
      return;
    }
    start(attempt, block, file.blockBytes(index));
  }

  private static int firstIndexOf(TaskAttempt attempt) {
    return attempt.task * attempt.stage.output.blocksPerPart();
  }

  private static int indexOf(TaskAttempt attempt) {
    return firstIndexOf(attempt) + attempt.outputBlock;
  }

  private void start(TaskAttempt attempt, int block, long bytes) {
    attempt.targets = new int[namespace.slotCount()];
    attempt.targetBytes = bytes;
    for (int i = 0; i < attempt.targets.length; i++) {
      attempt.targets[i] = namespace.replica(block, i);
    }
    // The thread that makes the bytes hands them to the pipeline.
    double thread = cycles(attempt) + cluster.streams().sendCyclesPerByte();
    attempt.writeBytesPerSecondMax = Compute.bytesPerSecond(cluster.node(attempt.node), thread);
    room.start(attempt);
  }

  /** Sends what is left of the block through the pipeline. */
  private void send(TaskAttempt attempt, double bytesLeft) {
    long bytes = attempt.targetBytes;
    path.clear();
    int from = attempt.node;
    for (int volume : attempt.targets) {
      if (volume != ClusterView.NONE) {
        int to = cluster.nodeOfVolume(volume);
        context.paths().connect(path, from, to, 1);
        context.buffers().addWrite(path, volume, bytes);
        from = to;
      }
    }
    double cycles = cycles(attempt);
    context.paths().compute(path, attempt.node, cycles);
    if (attempt.stage.takesAny()) {
      context.readRuns(path, attempt, bytesInForOut(attempt));
    }
    double limit = attempt.writeBytesPerSecondMax;
    long ticket = attempts.ticket(attempt);
    attempt.addFlow(context.transfers().start(owner, path, bytesLeft, limit, ticket));
  }

  /** Cycles for each byte of output while it is written; in series they come before. */
  double cycles(TaskAttempt attempt) {
    return context.series(attempt.job()) ? 0 : cyclesOfOutput(attempt);
  }

  /** Cycles for each byte of output; reading has paid for the maps' own input. */
  double cyclesOfOutput(TaskAttempt attempt) {
    StageRun stage = attempt.stage;
    if (stage.takesAny()) {
      return stage.spec.cyclesPerByte() * bytesInForOut(attempt) * attempt.slowness;
    }
    return stage.input == null ? stage.spec.cyclesPerByte() * attempt.slowness : 0;
  }

  /** Bytes of its input that a reducer takes in for each byte that it writes. */
  private static double bytesInForOut(TaskAttempt attempt) {
    StageRun stage = attempt.stage;
    return (double) stage.takenBytes(attempt.task) / (double) stage.output.partBytes();
  }

  private void transferred(int flow, long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    attempt.removeFlow(flow);
    int index = indexOf(attempt);
    int block = attempt.stage.output.block(index);
    long bytes = attempt.stage.output.blockBytes(index);
    sentUntil(attempt, 0);
    int[] targets = attempt.targets;
    attempt.targets = TaskAttempt.NONE;
    for (int volume : targets) {
      if (volume != ClusterView.NONE) {
        int to = cluster.nodeOfVolume(volume);
        context.meters().wroteReplica(volume, bytes);
        context.caches()[to].add(TaskContext.blockKey(block), bytes);
        context.buffers().written(volume, bytes, attempt.writeBytesPerSecondMax);
      }
    }
    context.meters().wroteBlock(targets);
    context.costs().computed(attempt.node, cycles(attempt) * (double) bytes);
    attempt.outputBlock++;
    next(attempt);
  }

  private double bytesLeft(TaskAttempt attempt) {
    return context.transfers().network().bytesLeft(attempt.onlyFlow());
  }

  /**
   * A pipeline is over: counts what it sent of the block from each node to the next one.
   *
   * @return how far this block has come
   */
  private long sentUntil(TaskAttempt attempt, double bytesLeft) {
    long until = (long) Math.max(0, (double) attempt.targetBytes - bytesLeft);
    Long before = sentBytes.isEmpty() ? null : sentBytes.remove(attempts.ticket(attempt));
    long sent = before == null ? until : until - before;
    int from = attempt.node;
    for (int volume : attempt.targets) {
      if (volume != ClusterView.NONE) {
        int to = cluster.nodeOfVolume(volume);
        context.meters().sent(from, to, sent);
        from = to;
      }
    }
    return until;
  }

  /**
   * Some volumes are gone, with what they had of the block. A write under way goes on to those that
   * are left; one that waits for room gets others.
   *
   * @return false when nothing is left of a write under way: the attempt cannot go on
   */
  boolean volumesLost(TaskAttempt attempt, IntPredicate isLost) {
    if (!writesToAny(attempt, isLost)) {
      return true;
    }
    boolean begun = !attempt.waitsForRoom;
    if (begun) {
      sentBytes.put(attempts.ticket(attempt), sentUntil(attempt, bytesLeft(attempt)));
    }
    int index = indexOf(attempt);
    int block = attempt.stage.output.block(index);
    for (int i = 0; i < attempt.targets.length; i++) {
      int volume = attempt.targets[i];
      if (volume != ClusterView.NONE && isLost.test(volume)) {
        attempt.targets[i] = ClusterView.NONE;
        context.placer().drop(block, i, attempt.targetBytes);
        if (begun) {
          context.buffers().giveUp(volume, attempt.targetBytes, attempt.writeBytesPerSecondMax);
        }
      }
    }
    if (!begun) {
      attempt.waitsForRoom = false;
      next(attempt);
      return true;
    }
    if (namespace.replicaCount(block) == 0) {
      return false;
    }
    attempt.writesShort = true;
    send(attempt, attempt.cancelFlows(context.transfers().network()));
    return true;
  }

  private static boolean writesToAny(TaskAttempt attempt, IntPredicate isLost) {
    for (int volume : attempt.targets) {
      if (volume != ClusterView.NONE && isLost.test(volume)) {
        return true;
      }
    }
    return false;
  }

  /** The attempt is over before its part was written, and another one writes it anew. */
  void discard(TaskAttempt attempt) {
    int written = Math.min(attempt.outputBlock + 1, attempt.stage.output.blocksPerPart());
    context.repair().discard(attempt.stage.output, firstIndexOf(attempt), written);
  }

  /** The attempt ends in the middle of a write. */
  void stop(TaskAttempt attempt) {
    boolean wrote = attempt.phase() == TaskAttempt.Phase.WRITING && attempt.flowCount > 0;
    if (wrote) {
      sentUntil(attempt, bytesLeft(attempt));
    }
    for (int volume : attempt.targets) {
      if (volume != ClusterView.NONE && !attempt.waitsForRoom) {
        context.buffers().giveUp(volume, attempt.targetBytes, attempt.writeBytesPerSecondMax);
      }
    }
    attempt.targets = TaskAttempt.NONE;
    attempt.waitsForRoom = false;
    double bytesLeft = attempt.cancelFlows(context.transfers().network());
    if (wrote) {
      double bytes = Math.max(0, (double) attempt.targetBytes - bytesLeft);
      context.costs().computed(attempt.node, cycles(attempt) * bytes);
    }
  }
}
