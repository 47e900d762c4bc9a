package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.storage.AvoidedNodes;
import io.tierwise.simulator.storage.StoredFile;
import java.util.function.Consumer;

/**
 * Reads a map's input, block by block, and computes on it as it comes: one transfer for each piece
 * of a block, no faster than a core can follow.
 */
final class InputReader {
  private final TaskContext context;
  private final VirtualCluster cluster;
  private final AttemptTable attempts;
  private final Consumer<TaskAttempt> whenRead;
  private final TaskEvents events;
  private final PathBuffer path = new PathBuffer();
  private final int owner;
  private final int delayed;

  /**
   * A reader.
   *
   * @param whenRead what a map does when its input is read
   */
  InputReader(
      TaskContext context,
      AttemptTable attempts,
      TaskEvents events,
      Consumer<TaskAttempt> whenRead) {
    this.context = context;
    this.cluster = context.cluster();
    this.attempts = attempts;
    this.events = events;
    this.whenRead = whenRead;
    this.owner = context.transfers().addOwner(this::transferred);
    this.delayed = context.engine().register(this::begin);
  }

  /** Reads all that the map has not read yet. */
  void read(TaskAttempt attempt) {
    attempt.phase = TaskAttempt.Phase.READING;
    attempt.stageStartTick = context.engine().now();
    if (attempt.inputDoneBytes == 0) {
      attempt.pick = context.session().pick(fileIdOf(attempt));
      attempt.avoidedNodes = new AvoidedNodes();
    }
    next(attempt);
  }

  private static long fileIdOf(TaskAttempt attempt) {
    StoredFile file = attempt.job.input;
    return file.fileIdOf(file.blockIndexAt(attempt.job.inputStart(attempt.task)));
  }

  private void next(TaskAttempt attempt) {
    long left = attempt.job.inputBytes(attempt.task) - attempt.inputDoneBytes;
    if (left <= 0) {
      finish(attempt);
      return;
    }
    StoredFile file = attempt.job.input;
    long start = attempt.job.inputStart(attempt.task) + attempt.inputDoneBytes;
    int index = file.blockIndexAt(start);
    int volume =
        context
            .reads()
            .choose(file, index, attempt.node, attempt.task, attempt.pick, attempt.avoidedNodes);
    if (volume == ClusterView.NONE) {
      events.jobFailed(attempt, "block " + index + " of its input is lost");
      return;
    }
    attempt.readVolume = volume;
    attempt.readBytes = Math.min(left, file.bytesToEndOfBlock(start));
    context.reads().began(volume);
    int refusals = context.reads().refusals();
    attempt.refusals += refusals;
    context.meters().refused(refusals);
    double delaySeconds = delaySeconds(attempt, refusals);
    if (delaySeconds > 0) {
      long at = context.engine().now() + Ticks.ofSeconds(delaySeconds);
      context.engine().at(at, delayed, attempts.ticket(attempt));
    } else {
      begin(attempts.ticket(attempt));
    }
  }

  /** Each refusal costs a round trip, each remote read one way more. */
  private double delaySeconds(TaskAttempt attempt, int refusals) {
    boolean remote = cluster.volume(attempt.readVolume).node() != attempt.node;
    return cluster.spec().latencySeconds() * (2 * refusals + (remote ? 1 : 0));
  }

  private void begin(long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    if (attempt == null || attempt.readVolume == ClusterView.NONE) {
      return;
    }
    int volume = attempt.readVolume;
    int from = cluster.volume(volume).node();
    double bytes = (double) attempt.readBytes;
    boolean cached = context.caches()[from].touch(TaskContext.blockKey(blockOf(attempt)));
    path.clear();
    if (cached) {
      context.paths().memory(path, from, 1);
    } else {
      context.paths().readDevice(path, volume, bytes, 1);
    }
    context.paths().connect(path, from, attempt.node, 1);
    double cycles = attempt.job.spec.mapCyclesPerByte() * attempt.slowness;
    context.paths().compute(path, attempt.node, cycles);
    attempt.readIsCached = cached;
    double limit = Compute.bytesPerSecond(cluster.node(attempt.node), cycles);
    attempt.addFlow(context.transfers().start(owner, path, bytes, limit, attempts.ticket(attempt)));
  }

  private static int blockOf(TaskAttempt attempt) {
    StoredFile file = attempt.job.input;
    long start = attempt.job.inputStart(attempt.task) + attempt.inputDoneBytes;
    return file.block(file.blockIndexAt(start));
  }

  private void transferred(int flow, long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    attempt.removeFlow(flow);
    int volume = attempt.readVolume;
    context.reads().ended(volume);
    context.meters().read(volume, attempt.node, attempt.readBytes, attempt.readIsCached);
    if (!attempt.readIsCached) {
      context.caches()[cluster.volume(volume).node()].add(
          TaskContext.blockKey(blockOf(attempt)), attempt.readBytes);
    }
    double cycles = attempt.job.spec.mapCyclesPerByte() * attempt.slowness;
    context.costs().computed(attempt.node, cycles * (double) attempt.readBytes);
    attempt.readVolume = ClusterView.NONE;
    attempt.inputDoneBytes += attempt.readBytes;
    next(attempt);
  }

  private void finish(TaskAttempt attempt) {
    double seconds = Ticks.toSeconds(context.engine().now() - attempt.stageStartTick);
    context.meters().taskRead(attempt.inputDoneBytes, seconds);
    context
        .session()
        .observe(
            fileIdOf(attempt), attempt.pick, attempt.inputDoneBytes, seconds, attempt.refusals);
    attempt.avoidedNodes = null;
    whenRead.accept(attempt);
  }

  /** The node that serves the read is gone: another replica serves the piece anew. */
  void sourceLost(TaskAttempt attempt) {
    stop(attempt);
    next(attempt);
  }

  /** The attempt ends in the middle of a read. */
  void stop(TaskAttempt attempt) {
    if (attempt.readVolume != ClusterView.NONE) {
      context.reads().ended(attempt.readVolume);
      attempt.readVolume = ClusterView.NONE;
    }
    attempt.cancelFlows(context.transfers().network());
  }
}
