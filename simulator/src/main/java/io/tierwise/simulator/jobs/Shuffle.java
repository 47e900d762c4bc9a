package io.tierwise.simulator.jobs;

import io.tierwise.simulator.cluster.PageCache;
import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.cluster.VirtualCluster;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Brings map output to reducers: one transfer for each node that holds some of it. A device that
 * has to read it seeks once for the segment of each map.
 *
 * <p>Own: a reducer fetches in two rounds, what there is when it starts and the rest when all maps
 * are done. When output lies on more than {@code shuffleSourcesMax} nodes, as many are taken from
 * the maps in order, evenly spaced from a random start, and each stands for its share: every node
 * sends what it would on average, with fewer transfers.
 */
final class Shuffle {
  private final TaskContext context;
  private final VirtualCluster cluster;
  private final AttemptTable attempts;
  private final Consumer<TaskAttempt> whenFetched;
  private final PathBuffer path = new PathBuffer();
  private final int owner;

  /** Maps of the round by node, and the nodes that have any. */
  private final int[] mapsOfNode;

  private int[] sources = new int[64];
  private int sourceCount;

  Shuffle(TaskContext context, AttemptTable attempts, Consumer<TaskAttempt> whenFetched) {
    this.context = context;
    this.cluster = context.cluster();
    this.attempts = attempts;
    this.whenFetched = whenFetched;
    this.owner = context.transfers().addOwner(this::transferred);
    this.mapsOfNode = new int[cluster.nodeCount()];
  }

  /** Fetches what finished maps left and the reducer does not have yet. */
  void fetch(TaskAttempt attempt) {
    JobRun job = attempt.job;
    attempt.phase = TaskAttempt.Phase.FETCHING;
    int first = attempt.fetchedMaps;
    int maps = job.mapsDone - first;
    attempt.fetchedMaps = job.mapsDone;
    long roundBytes = job.reduceInputBytes(job.mapsDone) - job.reduceInputBytes(first);
    if (maps == 0 || roundBytes == 0) {
      whenFetched.accept(attempt);
      return;
    }
    gather(job, first, maps);
    int counted = 0;
    for (int i = 0; i < sourceCount; i++) {
      counted += mapsOfNode[sources[i]];
    }
    attempt.sources = Arrays.copyOf(sources, sourceCount);
    double segmentBytes = (double) roundBytes / maps;
    for (int node : attempt.sources) {
      double bytes = (double) roundBytes * mapsOfNode[node] / counted;
      mapsOfNode[node] = 0;
      start(attempt, node, bytes, segmentBytes);
    }
  }

  private void gather(JobRun job, int first, int maps) {
    int sourcesMax = context.model().shuffleSourcesMax();
    sourceCount = 0;
    if (maps <= sourcesMax || cluster.nodeCount() <= sourcesMax) {
      for (int i = 0; i < maps; i++) {
        count(job.outputNodes[first + i]);
      }
      return;
    }
    int start = context.random().nextInt(maps);
    for (int i = 0; i < sourcesMax; i++) {
      int position = (int) ((start + (long) i * maps / sourcesMax) % maps);
      count(job.outputNodes[first + position]);
    }
  }

  private void count(int node) {
    if (mapsOfNode[node]++ == 0) {
      if (sourceCount == sources.length) {
        sources = Arrays.copyOf(sources, 2 * sourceCount);
      }
      sources[sourceCount++] = node;
    }
  }

  private void start(TaskAttempt attempt, int from, double bytes, double segmentBytes) {
    path.clear();
    int[] volumes = cluster.temporaryVolumes(from);
    PageCache cache = context.caches()[from];
    double cached = volumes.length == 0 ? 1 : cache.share(TaskContext.mapOutputKey(attempt.job));
    if (cached > 0) {
      context.paths().memory(path, from, cached);
    }
    if (cached < 1) {
      int volume = volumes[attempt.task % volumes.length];
      context.paths().readDevice(path, volume, segmentBytes, 1 - cached);
    }
    context.paths().connect(path, from, attempt.node, 1);
    context.meters().shuffled(from, attempt.node, (long) bytes);
    attempt.addFlow(
        context
            .transfers()
            .start(owner, path, bytes, Double.POSITIVE_INFINITY, attempts.ticket(attempt)));
  }

  private void transferred(int flow, long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    attempt.removeFlow(flow);
    if (attempt.flowCount == 0) {
      attempt.sources = TaskAttempt.NONE;
      whenFetched.accept(attempt);
    }
  }
}
