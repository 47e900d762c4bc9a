package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.PageCache;
import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.measure.StartedReads;
import io.tierwise.simulator.storage.ReaderMemory;
import io.tierwise.simulator.storage.StoredFile;
import java.util.function.Consumer;

/**
 * Reads a map's input, block by block: one transfer for each piece of a block. It computes on a
 * piece as it comes, no faster than a core can follow, or in series, when it has come.
 */
final class InputReader {
  /**
   * How often, and how long, a reader waits for one of a block's replicas to be up again. Source:
   * HDFS's client asks three times, after 1.5, 6 and 10.5 s on average
   * (dfs.client.retry.window.base), in each of four attempts of a task (mapreduce.map.maxattempts).
   * Own: one attempt that waits as long.
   */
  private static final int SOURCE_WAITS_MAX = 12;

  private static final double SOURCE_WAIT_SECONDS = 6;

  private static final long TICKS_PER_MILLI = Ticks.PER_SECOND / 1000;

  private final TaskContext context;
  private final VirtualCluster cluster;
  private final AttemptTable attempts;
  private final Consumer<TaskAttempt> whenRead;
  private final TaskEvents events;
  private final Computation computation;
  private final MeanwhileSpills spills;
  private final PathBuffer path = new PathBuffer();
  private final int owner;
  private final int delayed;
  private final int looked;

  /**
   * A reader.
   *
   * @param whenRead what a map does when its input is read
   */
  InputReader(
      TaskContext context,
      AttemptTable attempts,
      TaskEvents events,
      Computation computation,
      Consumer<TaskAttempt> whenRead) {
    this.context = context;
    this.cluster = context.cluster();
    this.attempts = attempts;
    this.events = events;
    this.whenRead = whenRead;
    this.computation = computation;
    this.spills = new MeanwhileSpills(context, attempts, this::start);
    this.owner = context.transfers().addOwner(this::transferred);
    this.delayed = context.engine().register(this::begin);
    this.looked = context.engine().register(this::look);
  }

  /** Reads all that the map has not read yet. */
  void read(TaskAttempt attempt) {
    attempts.enter(attempt, TaskAttempt.Phase.READING);
    attempt.stageStartTick = context.engine().now();
    if (attempt.inputDoneBytes == 0) {
      attempt.pick = context.session().pick(fileIdOf(attempt));
      attempt.memory = new ReaderMemory(context.session().strategy());
      if (context.meters().startedReads().isOpen()) {
        tellStart(attempt);
      }
    }
    next(attempt);
  }

  private void tellStart(TaskAttempt attempt) {
    StartedReads starts = context.meters().startedReads();
    starts.began(context.engine().now(), attempt.job().id, attempt.node);
    StoredFile file = attempt.stage.input;
    long offset = attempt.stage.inputStart(attempt.task);
    long end = offset + attempt.stage.inputBytes(attempt.task);
    while (offset < end) {
      long bytes = Math.min(end - offset, file.bytesToEndOfBlock(offset));
      int block = file.block(file.blockIndexAt(offset));
      starts.block(bytes, context.namespace().wholeReplicas(block));
      offset += bytes;
    }
  }

  private static long fileIdOf(TaskAttempt attempt) {
    StoredFile file = attempt.stage.input;
    return file.fileIdOf(file.blockIndexAt(attempt.stage.inputStart(attempt.task)));
  }

  private void next(TaskAttempt attempt) {
    long left = attempt.stage.inputBytes(attempt.task) - attempt.inputDoneBytes;
    if (left <= 0) {
      finish(attempt);
      return;
    }
    StoredFile file = attempt.stage.input;
    long start = offsetOf(attempt);
    int index = file.blockIndexAt(start);
    int volume =
        context
            .reads()
            .choose(file, index, attempt.node, attempt.task, attempt.pick, attempt.memory);
    if (volume == ClusterView.NONE) {
      waitForSource(attempt, index);
      return;
    }
    attempt.sourceWaits = 0;
    attempt.readVolume = volume;
    attempt.memory.began(context.engine().now());
    attempt.readBytes = pieceBytes(attempt, Math.min(left, file.bytesToEndOfBlock(start)));
    context.reads().began(volume, attempt.memory);
    context.meters().accesses().accessed(file.block(index), volume);
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

  /** What comes in one transfer: the node of the volume has all of it in memory, or nothing. */
  private long pieceBytes(TaskAttempt attempt, long bytesMax) {
    long from = offsetInBlock(attempt);
    PageCache cache = context.caches()[cluster.nodeOfVolume(attempt.readVolume)];
    return cache.alikeUntil(TaskContext.blockKey(blockOf(attempt)), from, from + bytesMax) - from;
  }

  /** All replicas are down, or there is none any more. */
  private void waitForSource(TaskAttempt attempt, int index) {
    boolean isLost = !context.namespace().hasWholeReplica(attempt.stage.input.block(index));
    if (isLost || attempt.sourceWaits == SOURCE_WAITS_MAX) {
      events.jobFailed(attempt, "block " + index + " of its input is lost");
      return;
    }
    attempt.sourceWaits++;
    long at = context.engine().now() + Ticks.ofSeconds(SOURCE_WAIT_SECONDS);
    context.engine().at(at, delayed, attempts.ticket(attempt));
  }

  /** Each refusal costs a round trip, each remote read one way more. */
  private double delaySeconds(TaskAttempt attempt, int refusals) {
    boolean remote = cluster.nodeOfVolume(attempt.readVolume) != attempt.node;
    return cluster.spec().latencySeconds() * (2 * refusals + (remote ? 1 : 0));
  }

  private void begin(long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    // A source that was lost before it answered leaves its answer to come behind another's.
    if (attempt == null
        || attempt.phase() != TaskAttempt.Phase.READING
        || attempt.flowCount > 0
        || attempt.waitsForRoom) {
      return;
    }
    if (attempt.readVolume == ClusterView.NONE) {
      next(attempt);
    } else {
      spills.reserve(attempt, (double) attempt.readBytes, bytesPerSecondMax(attempt));
    }
  }

  /** The thread that computes on the bytes has taken them in. */
  private double bytesPerSecondMax(TaskAttempt attempt) {
    double thread = cycles(attempt) + cluster.streams().receiveCyclesPerByte();
    return Compute.bytesPerSecond(cluster.node(attempt.node), thread);
  }

  private void start(TaskAttempt attempt) {
    int volume = attempt.readVolume;
    int from = cluster.nodeOfVolume(volume);
    double bytes = (double) attempt.readBytes;
    long offset = offsetInBlock(attempt);
    long key = TaskContext.blockKey(blockOf(attempt));
    boolean cached = context.caches()[from].touch(key, offset, offset + attempt.readBytes);
    path.clear();
    if (cached) {
      context.paths().memory(path, from, 1);
    } else {
      context.paths().readDevice(path, volume, bytes, 1);
    }
    context.paths().connect(path, from, attempt.node, 1);
    context.paths().compute(path, attempt.node, cycles(attempt));
    spills.addWrite(path, attempt, bytes);
    attempt.readIsCached = cached;
    double limit = bytesPerSecondMax(attempt);
    long ticket = attempts.ticket(attempt);
    attempt.addFlow(context.transfers().start(owner, path, bytes, limit, ticket));
    if (attempt.memory.looks()) {
      lookLater(attempt, ticket);
    }
  }

  private void lookLater(TaskAttempt attempt, long ticket) {
    context.engine().at(context.engine().now() + lookTicks(attempt), looked, ticket);
  }

  private static long lookTicks(TaskAttempt attempt) {
    return attempt.memory.lookMillis((double) attempt.readBytes) * TICKS_PER_MILLI;
  }

  /** Looks how fast the read is, as a process does between two calls. */
  private void look(long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    if (attempt == null
        || attempt.phase() != TaskAttempt.Phase.READING
        || attempt.flowCount == 0
        || attempt.memory.ticksSinceBegun(context.engine().now()) < lookTicks(attempt)) {
      // That read is over; the one under way has a look of its own.
      return;
    }
    double bytesLeft = context.transfers().network().bytesLeft(attempt.onlyFlow());
    boolean leaves =
        context
            .reads()
            .leaves(
                attempt.stage.input,
                blockIndexOf(attempt),
                attempt.node,
                attempt.memory,
                (double) attempt.readBytes - bytesLeft,
                secondsOfRead(attempt),
                bytesLeft);
    if (leaves) {
      sourceLost(attempt);
    } else {
      lookLater(attempt, ticket);
    }
  }

  private double secondsOfRead(TaskAttempt attempt) {
    return Ticks.toSeconds(attempt.memory.ticksSinceBegun(context.engine().now()));
  }

  /** Where in the file the next byte of its input stands. */
  private static long offsetOf(TaskAttempt attempt) {
    return attempt.stage.inputStart(attempt.task) + attempt.inputDoneBytes;
  }

  private static int blockIndexOf(TaskAttempt attempt) {
    return attempt.stage.input.blockIndexAt(offsetOf(attempt));
  }

  private static int blockOf(TaskAttempt attempt) {
    return attempt.stage.input.block(blockIndexOf(attempt));
  }

  private static long offsetInBlock(TaskAttempt attempt) {
    return offsetOf(attempt) - attempt.stage.input.blockStart(blockIndexOf(attempt));
  }

  private void keepInMemory(TaskAttempt attempt, int node) {
    long from = offsetInBlock(attempt);
    long key = TaskContext.blockKey(blockOf(attempt));
    long blockBytes = attempt.stage.input.blockBytes(blockIndexOf(attempt));
    context.caches()[node].add(key, from, from + attempt.readBytes, blockBytes);
  }

  private void transferred(int flow, long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    attempt.removeFlow(flow);
    spills.written(attempt);
    int volume = attempt.readVolume;
    context.reads().ended(volume, attempt.memory);
    attempt.memory.saw(
        (double) attempt.readBytes,
        secondsOfRead(attempt),
        context.engine().now() / TICKS_PER_MILLI);
    context
        .meters()
        .read(
            volume, attempt.node, attempt.readBytes, secondsOfRead(attempt), attempt.readIsCached);
    if (!attempt.readIsCached) {
      keepInMemory(attempt, cluster.nodeOfVolume(volume));
    }
    context.costs().computed(attempt.node, cycles(attempt) * (double) attempt.readBytes);
    attempt.readVolume = ClusterView.NONE;
    attempt.inputDoneBytes += attempt.readBytes;
    pieceRead(attempt, attempt.readBytes);
  }

  /** In series, it computes on the piece before it reads the next one; else it already has. */
  private void pieceRead(TaskAttempt attempt, long bytes) {
    double cycles = context.series(attempt.job()) ? cyclesOfInput(attempt) : 0;
    computation.start(attempt, (double) bytes, cycles, this::goOn);
  }

  private void goOn(TaskAttempt attempt) {
    attempts.enter(attempt, TaskAttempt.Phase.READING);
    next(attempt);
  }

  private void finish(TaskAttempt attempt) {
    double seconds = Ticks.toSeconds(context.engine().now() - attempt.stageStartTick);
    context.meters().taskRead(attempt.inputDoneBytes, seconds);
    context
        .session()
        .observe(
            fileIdOf(attempt), attempt.pick, attempt.inputDoneBytes, seconds, attempt.refusals);
    context.reads().gone(attempt.memory);
    attempt.memory = null;
    whenRead.accept(attempt);
  }

  /** The replica that serves the read is gone, or left: another one serves the rest. */
  void sourceLost(TaskAttempt attempt) {
    long bytes = end(attempt);
    attempt.inputDoneBytes += bytes;
    pieceRead(attempt, bytes);
  }

  /**
   * Ends a read in the middle: what has come was read, whether anybody needs it or not.
   *
   * @return the whole bytes of the piece that have come
   */
  long end(TaskAttempt attempt) {
    int volume = attempt.readVolume;
    long bytes = stop(attempt);
    if (bytes > 0) {
      double seconds = secondsOfRead(attempt);
      context.meters().read(volume, attempt.node, bytes, seconds, attempt.readIsCached);
    }
    return bytes;
  }

  private long stop(TaskAttempt attempt) {
    if (attempt.readVolume == ClusterView.NONE) {
      return 0;
    }
    spills.giveUp(attempt);
    context.reads().broken(attempt.readVolume);
    attempt.readVolume = ClusterView.NONE;
    if (attempt.flowCount == 0) {
      return 0;
    }
    double bytesLeft = attempt.cancelFlows(context.transfers().network());
    double bytes = Math.max(0, (double) attempt.readBytes - bytesLeft);
    context.costs().computed(attempt.node, cycles(attempt) * bytes);
    return (long) bytes;
  }

  /** Cycles for each byte while it comes. */
  double cycles(TaskAttempt attempt) {
    return context.series(attempt.job()) ? 0 : cyclesOfInput(attempt);
  }

  private static double cyclesOfInput(TaskAttempt attempt) {
    return attempt.stage.spec.cyclesPerByte() * attempt.slowness;
  }
}
