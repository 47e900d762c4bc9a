package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.cluster.VirtualCluster;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Brings map output to reducers: one transfer for each volume that holds some of it, and for each
 * node that keeps it in memory. A device that has to read it seeks once for the segment of each
 * map.
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
  private final MeanwhileSpills spills;
  private final PathBuffer path = new PathBuffer();
  private final int owner;

  /** Maps of the round by place: volumes first, then nodes that keep their output in memory. */
  private final int[] mapsOfPlace;

  /** Places that have any. */
  private int[] places = new int[64];

  private int placeCount;

  Shuffle(TaskContext context, AttemptTable attempts, Consumer<TaskAttempt> whenFetched) {
    this.context = context;
    this.cluster = context.cluster();
    this.attempts = attempts;
    this.whenFetched = whenFetched;
    this.spills = new MeanwhileSpills(context, attempts, this::fetchNow);
    this.owner = context.transfers().addOwner(this::transferred);
    this.mapsOfPlace = new int[cluster.volumeCount() + cluster.nodeCount()];
  }

  /** Fetches what finished maps left and the reducer does not have yet. */
  void fetch(TaskAttempt attempt) {
    attempt.phase = TaskAttempt.Phase.FETCHING;
    spills.reserve(attempt, (double) roundBytes(attempt), Double.POSITIVE_INFINITY);
  }

  private static long roundBytes(TaskAttempt attempt) {
    JobRun job = attempt.job;
    return job.reduceInputBytes(job.mapsDone) - job.reduceInputBytes(attempt.fetchedMaps);
  }

  /** What there is may be less than when it began to wait for room: nodes may have failed. */
  private void fetchNow(TaskAttempt attempt) {
    JobRun job = attempt.job;
    int first = attempt.fetchedMaps;
    int maps = job.mapsDone - first;
    long roundBytes = roundBytes(attempt);
    attempt.fetchedMaps = job.mapsDone;
    if (maps == 0 || roundBytes == 0) {
      spills.giveUp(attempt);
      whenFetched.accept(attempt);
      return;
    }
    gather(job, first, maps);
    int counted = 0;
    for (int i = 0; i < placeCount; i++) {
      counted += mapsOfPlace[places[i]];
    }
    attempt.sources = new int[placeCount];
    double segmentBytes = (double) roundBytes / maps;
    for (int i = 0; i < placeCount; i++) {
      int place = places[i];
      boolean isVolume = place < cluster.volumeCount();
      int node = isVolume ? cluster.volume(place).node() : place - cluster.volumeCount();
      attempt.sources[i] = isVolume ? place : ~node;
      double bytes = (double) roundBytes * mapsOfPlace[place] / counted;
      mapsOfPlace[place] = 0;
      fill(attempt, node, isVolume ? place : ClusterView.NONE, segmentBytes);
      spills.addWrite(path, attempt, (double) roundBytes);
      start(attempt, node, bytes);
    }
  }

  private void gather(JobRun job, int first, int maps) {
    int sourcesMax = context.model().shuffleSourcesMax();
    placeCount = 0;
    if (maps <= sourcesMax || cluster.nodeCount() <= sourcesMax) {
      for (int i = 0; i < maps; i++) {
        count(job, first + i);
      }
      return;
    }
    int start = context.random().nextInt(maps);
    for (int i = 0; i < sourcesMax; i++) {
      int position = (int) ((start + (long) i * maps / sourcesMax) % maps);
      count(job, first + position);
    }
  }

  private void count(JobRun job, int position) {
    int volume = job.outputVolumes[position];
    boolean isInMemory = volume == ClusterView.NONE;
    int place = isInMemory ? cluster.volumeCount() + job.outputNodes[position] : volume;
    if (mapsOfPlace[place]++ == 0) {
      if (placeCount == places.length) {
        places = Arrays.copyOf(places, 2 * placeCount);
      }
      places[placeCount++] = place;
    }
  }

  private void fill(TaskAttempt attempt, int from, int volume, double segmentBytes) {
    path.clear();
    long key = TaskContext.mapOutputKey(attempt.job, volume);
    double cached = volume == ClusterView.NONE ? 1 : context.caches()[from].share(key);
    if (cached > 0) {
      context.paths().memory(path, from, cached);
    }
    if (cached < 1) {
      context.paths().readDevice(path, volume, segmentBytes, 1 - cached);
    }
    context.paths().connect(path, from, attempt.node, 1);
  }

  private void start(TaskAttempt attempt, int from, double bytes) {
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
      spills.written(attempt);
      whenFetched.accept(attempt);
    }
  }
}
