package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;

/**
 * Writes a task's part of the job's output: a pipeline over the replicas for each block, one block
 * after the other, computed as it goes.
 */
final class OutputWriter {
  private final TaskContext context;
  private final VirtualCluster cluster;
  private final Namespace namespace;
  private final AttemptTable attempts;
  private final TaskEvents events;
  private final PathBuffer path = new PathBuffer();
  private final int owner;

  OutputWriter(TaskContext context, AttemptTable attempts, TaskEvents events) {
    this.context = context;
    this.cluster = context.cluster();
    this.namespace = context.namespace();
    this.attempts = attempts;
    this.events = events;
    this.owner = context.transfers().addOwner(this::transferred);
  }

  /** Writes the part, from its first block. */
  void write(TaskAttempt attempt) {
    attempt.phase = TaskAttempt.Phase.WRITING;
    attempt.outputBlock = 0;
    attempt.stageStartTick = context.engine().now();
    next(attempt);
  }

  private void next(TaskAttempt attempt) {
    StoredFile file = attempt.job.output;
    if (attempt.outputBlock == file.blocksPerPart()) {
      double seconds = Ticks.toSeconds(context.engine().now() - attempt.stageStartTick);
      context.meters().taskWrote(file.partBytes(), seconds);
      events.taskDone(attempt);
      return;
    }
    int index = indexOf(attempt);
    int block = file.block(index);
    // A second attempt finds the block of the first one.
    if (namespace.replicaCount(block) == 0
        && context.placer().place(file, index, attempt.node) == 0) {
      events.jobFailed(attempt, "no volume has room for a block of its output");
      return;
    }
    start(attempt, block, file.blockBytes(index));
  }

  private static int indexOf(TaskAttempt attempt) {
    return attempt.task * attempt.job.output.blocksPerPart() + attempt.outputBlock;
  }

  private void start(TaskAttempt attempt, int block, long bytes) {
    attempt.targets = new int[namespace.replication()];
    attempt.targetBytes = bytes;
    for (int i = 0; i < attempt.targets.length; i++) {
      attempt.targets[i] = namespace.replica(block, i);
    }
    attempt.writeBytesPerSecondMax =
        Compute.bytesPerSecond(cluster.node(attempt.node), cyclesPerByte(attempt));
    attempt.waitsForRoom = true;
    roomMayBe(attempts.ticket(attempt));
  }

  private void roomMayBe(long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    if (attempt == null || !attempt.waitsForRoom) {
      return;
    }
    long bytes = attempt.targetBytes;
    double limit = attempt.writeBytesPerSecondMax;
    if (!context.buffers().reserve(attempt.targets, bytes, limit, this::roomMayBe, ticket)) {
      return;
    }
    attempt.waitsForRoom = false;
    path.clear();
    int from = attempt.node;
    for (int volume : attempt.targets) {
      if (volume != ClusterView.NONE) {
        int to = cluster.volume(volume).node();
        context.paths().connect(path, from, to, 1);
        context.buffers().addWrite(path, volume, bytes);
        from = to;
      }
    }
    double cycles = cyclesPerByte(attempt);
    context.paths().compute(path, attempt.node, cycles);
    if (attempt.mergeVolume != ClusterView.NONE) {
      double share =
          (double) attempt.job.reduceInputBytes(attempt.job.mapCount)
              / (double) attempt.job.output.partBytes();
      context.paths().readDevice(path, attempt.mergeVolume, (double) bytes, share);
    }
    attempt.addFlow(context.transfers().start(owner, path, (double) bytes, limit, ticket));
  }

  /** Cycles for each byte of output; reading has paid for the maps' own input. */
  private static double cyclesPerByte(TaskAttempt attempt) {
    JobRun job = attempt.job;
    if (attempt.reduce) {
      double bytesInForOut =
          (double) job.reduceInputBytes(job.mapCount) / (double) job.output.partBytes();
      return job.spec.reduceCyclesPerByte() * bytesInForOut * attempt.slowness;
    }
    return job.input == null ? job.spec.mapCyclesPerByte() * attempt.slowness : 0;
  }

  private void transferred(int flow, long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    attempt.removeFlow(flow);
    int index = indexOf(attempt);
    int block = attempt.job.output.block(index);
    long bytes = attempt.job.output.blockBytes(index);
    int from = attempt.node;
    int rack = -1;
    boolean inOneRack = true;
    int[] targets = attempt.targets;
    attempt.targets = TaskAttempt.NONE;
    for (int volume : targets) {
      if (volume != ClusterView.NONE) {
        int to = cluster.volume(volume).node();
        context.meters().sent(from, to, bytes);
        context.meters().wroteReplica(volume, bytes);
        context.caches()[to].add(TaskContext.blockKey(block), bytes);
        inOneRack &= rack < 0 || rack == cluster.rackOf(to);
        rack = cluster.rackOf(to);
        from = to;
        context.buffers().written(volume, bytes, attempt.writeBytesPerSecondMax);
      }
    }
    context.meters().wroteBlock(inOneRack);
    context.costs().computed(attempt.node, cyclesPerByte(attempt) * (double) bytes);
    attempt.outputBlock++;
    next(attempt);
  }

  /** Whether a node is in the pipeline of the block that the attempt writes. */
  boolean writesTo(TaskAttempt attempt, int node) {
    for (int volume : attempt.targets) {
      if (volume != ClusterView.NONE && cluster.volume(volume).node() == node) {
        return true;
      }
    }
    return false;
  }

  /** A node of the pipeline is gone: the block is written anew to the replicas that are left. */
  void targetLost(TaskAttempt attempt, int node) {
    stop(attempt);
    int index = indexOf(attempt);
    int block = attempt.job.output.block(index);
    for (int i = 0; i < namespace.replication(); i++) {
      int volume = namespace.replica(block, i);
      if (volume != ClusterView.NONE && cluster.volume(volume).node() == node) {
        context.placer().drop(block, i, attempt.job.output.blockBytes(index));
      }
    }
    next(attempt);
  }

  /** The attempt ends in the middle of a write. */
  void stop(TaskAttempt attempt) {
    for (int volume : attempt.targets) {
      if (volume != ClusterView.NONE && !attempt.waitsForRoom) {
        context.buffers().giveUp(volume, attempt.targetBytes, attempt.writeBytesPerSecondMax);
      }
    }
    attempt.targets = TaskAttempt.NONE;
    attempt.waitsForRoom = false;
    attempt.cancelFlows(context.transfers().network());
  }
}
