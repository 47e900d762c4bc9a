package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.cluster.VirtualCluster;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Brings what a stage's tasks left to tasks of the stages that come after it: one transfer for each
 * volume that holds some of it, and for each node that keeps it in memory. A device that has to
 * read it seeks once for the segment of each task that left it. The outputs of several stages come
 * at the same time.
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

  /** Segments of the round by place: volumes first, then nodes that keep them in memory. */
  private final int[] segmentsOfPlace;

  /** Places that have any. */
  private int[] places = new int[64];

  private int placeCount;

  /** By flow: the node that it comes from, and its whole bytes. */
  private int[] nodes = new int[64];

  private long[] wholeBytes = new long[64];

  Shuffle(TaskContext context, AttemptTable attempts, Consumer<TaskAttempt> whenFetched) {
    this.context = context;
    this.cluster = context.cluster();
    this.attempts = attempts;
    this.whenFetched = whenFetched;
    this.spills = new MeanwhileSpills(context, attempts, this::fetchNow);
    this.owner = context.transfers().addOwner(this::transferred);
    this.segmentsOfPlace = new int[cluster.volumeCount() + cluster.nodeCount()];
  }

  /** Fetches what finished tasks left and the attempt does not have yet. */
  void fetch(TaskAttempt attempt) {
    attempts.enter(attempt, TaskAttempt.Phase.FETCHING);
    spills.reserve(attempt, (double) roundBytes(attempt), Double.POSITIVE_INFINITY);
  }

  private static long roundBytes(TaskAttempt attempt) {
    long bytes = 0;
    for (int edge = 0; edge < attempt.stage.parents.size(); edge++) {
      bytes += roundBytes(attempt, edge);
    }
    return bytes;
  }

  private static long roundBytes(TaskAttempt attempt, int edge) {
    StageRun stage = attempt.stage;
    return stage.segmentBytes(edge, attempt.task, available(attempt, edge))
        - stage.segmentBytes(edge, attempt.task, attempt.fetched(edge));
  }

  /** Segments that are there or that it has: of what it has some may be lost. */
  private static int available(TaskAttempt attempt, int edge) {
    int there = attempt.stage.availableSegments(edge, attempt.task);
    return Math.max(there, attempt.fetched(edge));
  }

  /** What there is may be less than when it began to wait for room: nodes may have failed. */
  private void fetchNow(TaskAttempt attempt) {
    long allBytes = roundBytes(attempt);
    int fetched = 0;
    for (int edge = 0; edge < attempt.stage.parents.size(); edge++) {
      int first = attempt.fetched(edge);
      int available = available(attempt, edge);
      long bytes = roundBytes(attempt, edge);
      fetched += available;
      if (available > first && bytes > 0) {
        gather(attempt, edge, first, available - first);
        fetchGathered(attempt, edge, bytes, available - first, allBytes);
      }
    }
    attempt.fetched = fetched;
    if (attempt.flowCount == 0) {
      spills.giveUp(attempt);
      whenFetched.accept(attempt);
    }
  }

  private void fetchGathered(
      TaskAttempt attempt, int edge, long bytes, int segments, long allBytes) {
    int counted = 0;
    for (int i = 0; i < placeCount; i++) {
      counted += segmentsOfPlace[places[i]];
    }
    int known = attempt.sources.length;
    attempt.sources = Arrays.copyOf(attempt.sources, known + placeCount);
    double segmentBytes = (double) bytes / segments;
    int begun = 0;
    long bytesBegun = 0;
    for (int i = 0; i < placeCount; i++) {
      int place = places[i];
      boolean isVolume = place < cluster.volumeCount();
      int node = isVolume ? cluster.nodeOfVolume(place) : place - cluster.volumeCount();
      attempt.sources[known + i] = isVolume ? place : ~node;
      int here = segmentsOfPlace[place];
      segmentsOfPlace[place] = 0;
      double share = (double) bytes * here / counted;
      begun += here;
      long whole = EqualParts.before(bytes, begun, counted) - bytesBegun;
      bytesBegun += whole;
      fill(attempt, edge, node, isVolume ? place : ClusterView.NONE, segmentBytes, segments);
      spills.addWrite(path, attempt, (double) allBytes);
      start(attempt, node, share, whole);
    }
  }

  private void gather(TaskAttempt attempt, int edge, int first, int segments) {
    StageRun parent = attempt.stage.parents.get(edge);
    int sourcesMax = context.model().shuffleSourcesMax();
    placeCount = 0;
    if (attempt.stage.isOneToOne(edge)) {
      count(parent, parent.positionOf(attempt.task));
      return;
    }
    if (segments <= sourcesMax || cluster.nodeCount() <= sourcesMax) {
      for (int i = 0; i < segments; i++) {
        count(parent, first + i);
      }
      return;
    }
    int start = context.random().nextInt(segments);
    for (int i = 0; i < sourcesMax; i++) {
      int position = (int) ((start + (long) i * segments / sourcesMax) % segments);
      count(parent, first + position);
    }
  }

  private void count(StageRun parent, int position) {
    int volume = parent.outputVolumes[position];
    boolean isInMemory = volume == ClusterView.NONE;
    int place = isInMemory ? cluster.volumeCount() + parent.outputNodes[position] : volume;
    if (segmentsOfPlace[place]++ == 0) {
      if (placeCount == places.length) {
        places = Arrays.copyOf(places, 2 * placeCount);
      }
      places[placeCount++] = place;
    }
  }

  /** What is left to fetch was written last. Own: as large a part of it on each volume. */
  private void fill(
      TaskAttempt attempt, int edge, int from, int volume, double segmentBytes, int segments) {
    path.clear();
    long key = TaskContext.outputKey(attempt.stage.parents.get(edge), volume);
    double part = (double) segments / available(attempt, edge);
    double cached = volume == ClusterView.NONE ? 1 : context.caches()[from].shareOfLast(part, key);
    if (cached > 0) {
      context.paths().memory(path, from, cached);
    }
    if (cached < 1) {
      context.paths().readDevice(path, volume, segmentBytes, 1 - cached);
    }
    context.paths().connect(path, from, attempt.node, 1);
  }

  /**
   * Starts a transfer.
   *
   * @param whole the bytes that are counted: those of all places add up to what is fetched
   */
  private void start(TaskAttempt attempt, int from, double bytes, long whole) {
    int flow =
        context
            .transfers()
            .start(owner, path, bytes, Double.POSITIVE_INFINITY, attempts.ticket(attempt));
    if (flow >= nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * flow);
      wholeBytes = Arrays.copyOf(wholeBytes, 2 * flow);
    }
    nodes[flow] = from;
    wholeBytes[flow] = whole;
    attempt.addFlow(flow);
  }

  private void transferred(int flow, long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    context.meters().shuffled(nodes[flow], attempt.node, wholeBytes[flow]);
    attempt.removeFlow(flow);
    if (attempt.flowCount == 0) {
      attempt.sources = TaskAttempt.NONE;
      spills.written(attempt);
      whenFetched.accept(attempt);
    }
  }

  /** The attempt is about to end in the middle: counts what has come. */
  void endsAttempt(TaskAttempt attempt) {
    attempt.forEachFlow(
        flow -> {
          double left = context.transfers().network().bytesLeft(flow);
          long moved = (long) Math.max(0, (double) wholeBytes[flow] - left);
          context.meters().shuffled(nodes[flow], attempt.node, moved);
        });
  }
}
