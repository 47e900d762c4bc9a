package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.text.SpecWriter;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The replica from which the block is expected first: by the speed of everything on its path,
 * shared with the readers that are expected there.
 *
 * <p>score(r) = 1 / (max t_p + half the sum of t_u), times 0.85 for each switch level; the highest
 * first, equal ones at random. t_p = (1 + n_p) / K_p; p the device and the links of both nodes; u
 * the uplinks on the path, as far as the host knows them: who passes two takes from both racks'
 * readers, some of whom have no other replica. K_p is what p carries for one reader alone. n_p, the
 * readers expected at p, is max(3 B_p / b, max(0, h_p - a_p) / 2): B_p the bytes of the host's own
 * recent answers that still have to pass p, drained at K_p ({@link ReadLoads}); b the block's
 * bytes; h_p the transfers that the replica's node reported last, for its device and its link; a_p
 * the answers that sent readers to the node lately.
 *
 * <p>Own; no source document has it. The factor 3 makes up for draining at a speed that readers
 * share in truth, and for what a reader takes from those that are there. Half of what was reported
 * guards against a device or a link that is slow, and against load that others make. Of that a_p is
 * explained: these readers are counted already, or their connections are idle: HDFS's clients keep
 * them, and nodes report them. Why so: docs/decisions/0090-reads-by-expected-completion.md.
 *
 * <p>K_p of a device and of its node's link is what readers told of it where that is less ({@link
 * ReportedSpeeds}): what one reader learns serves those that come after it. Without {@code reports}
 * nobody tells or hears.
 *
 * <p>A link whose speed the host does not know has the one that is set here; a device that nobody
 * measured is as fast as that link in the fastest tier, and a third of it in each slower one. A
 * host that knows no paths keeps its order: an HDFS client that of the NameNode, which counts.
 *
 * @param linkMegabytesPerSecond of links of unknown speed, in 10^6 bytes; 1250 is 10 Gbps
 * @param without a part that is left out, to see what it brings
 * @param reports whether readers tell the host how fast they read; the reader's part tells it
 */
public record AutoAccess(int linkMegabytesPerSecond, Without without, boolean reports)
    implements AccessStrategy {
  /** A part of the rule, for experiments. */
  public enum Without {
    NOTHING,
    /** B_p: the host's own recent answers. */
    COUNTS,
    /** h_p: what nodes report. */
    HEARTBEATS,
    /** a_p: of what nodes report, the host's own answers. */
    EXPLAINING,
    /** The reader's part, {@link SlowReads}. */
    LEAVING
  }

  static final String WITHOUT = "without";
  static final String REPORTS = "reports";
  static final String NAME = "auto";
  static final AutoAccess DEFAULT = new AutoAccess(1250);

  /** Own: answers drain at a speed that nobody shares, so they drain too fast. */
  static final double ANSWERS_WEIGHT = 3;

  /** Own: a transfer that was reported seconds ago is over as likely as not. */
  static final double REPORTED_WEIGHT = 0.5;

  /** Own: of a whole one and of 0.5, the latter reads as fast or faster in the simulator. */
  static final double UPLINK_WEIGHT = 0.5;

  /** Own: a switch more on the way, of equals. */
  static final double SWITCH_LEVEL_COST = 0.15;

  /**
   * Own: more than this says no more than "busy", and answers that nobody reads are forgotten as
   * soon. In the simulator 4, 8, 15 and 30 s make no difference up to 60 readers of nine nodes.
   */
  static final double BACKLOG_SECONDS_MAX = 10;

  /** Own: of devices so slow that few blocks pass in that time, readers are still told apart. */
  static final double BACKLOG_BLOCKS_MIN = 4;

  /** HDFS's default, where the block's length is unknown. */
  private static final double USUAL_BLOCK_BYTES = 128 << 20;

  /** Steps of a path that belong to the replica's node: its device and its link. */
  private static final int STEPS_OF_NODE = 2;

  /** Own: a reader that went through so many replicas takes the others as they come. */
  private static final int PLACES_MAX = 16;

  /** Of the thread that orders; nothing is allocated for a block. */
  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  /** The working memory for one order. */
  private static final class Scratch {
    final double[] scores = new double[PLACES_MAX];

    private long lastStep;
    private double lastStepBytes = Double.NaN;

    void begin() {
      lastStepBytes = Double.NaN;
    }

    /** The reader's link ends the path from every replica elsewhere: it is looked up once. */
    double lastStepBytes(ReadView view, int replica, int step, double rate, ReadLoads loads) {
      long key = view.pathKey(replica, step);
      if (key != lastStep || Double.isNaN(lastStepBytes)) {
        lastStep = key;
        lastStepBytes = loads.backlogBytes(key, rate, view.nowMillis());
      }
      return lastStepBytes;
    }
  }

  /** The factor on a score by distance in hops, in a table: a power is slow, and trees are flat. */
  private static final double[] LEFT_AT = new double[16];

  static {
    for (int hops = 0; hops < LEFT_AT.length; hops++) {
      LEFT_AT[hops] = Math.pow(1 - SWITCH_LEVEL_COST, hops / 2.0);
    }
  }

  private static final double SCORE_MIN = 1e-300;

  public AutoAccess {
    HybridAccess.requireLink(linkMegabytesPerSecond);
    Objects.requireNonNull(without, WITHOUT);
  }

  /** All of the rule. */
  public AutoAccess(int linkMegabytesPerSecond) {
    this(linkMegabytesPerSecond, Without.NOTHING, true);
  }

  @Override
  public String name() {
    return SpecWriter.of(NAME)
        .add(HybridAccess.LINK, linkMegabytesPerSecond, DEFAULT.linkMegabytesPerSecond)
        .add(WITHOUT, without, DEFAULT.without)
        .add(REPORTS, reports, DEFAULT.reports)
        .toString();
  }

  @Override
  public boolean isForTheMoment() {
    return true;
  }

  @Override
  public boolean weighsDistance() {
    return true;
  }

  /** By what is known without a memory of earlier answers. */
  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    return order(request, view, random, order, Memory.NONE);
  }

  @Override
  public AccessSession newSession() {
    ReadLoads loads = without == Without.COUNTS ? null : new ReadLoads();
    ReportedSpeeds speeds = reports ? new ReportedSpeeds() : null;
    return AccessSession.answeredBy(this, new Remembering(this, new Memory(loads, speeds)));
  }

  @Override
  public boolean asksForReports() {
    return reports;
  }

  @Override
  public Optional<SlowReads> slowReads(Supplier<ReadSpeeds> speeds) {
    return without == Without.LEAVING
        ? Optional.empty()
        : Optional.of(new SlowReads(this, speeds.get()));
  }

  /**
   * What a host remembers.
   *
   * @param loads of its own answers; null without
   * @param speeds that readers told; null without
   */
  private record Memory(ReadLoads loads, ReportedSpeeds speeds) {
    static final Memory NONE = new Memory(null, null);

    /** What is left of the speed of a replica's device, and of the link of its node. */
    double share(ReadView view, int replica) {
      return speeds == null ? 1 : speeds.share(view.pathKey(replica, 0), view.nowMillis());
    }
  }

  private record Remembering(AutoAccess auto, Memory memory) implements AccessStrategy {
    @Override
    public String name() {
      return auto.name();
    }

    @Override
    public boolean isForTheMoment() {
      return true;
    }

    @Override
    public boolean weighsDistance() {
      return true;
    }

    @Override
    public AccessReason order(
        AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
      return auto.order(request, view, random, order, memory);
    }

    @Override
    public void answered(
        AccessRequest request, ReadView view, int replica, double share, AnswerCounts counts) {
      ReadLoads loads = memory.loads;
      if (loads == null) {
        return;
      }
      double bytes = blockBytes(request);
      double told = memory.share(view, replica);
      long now = view.nowMillis();
      loads.addAnswer(view.nodeKey(replica), share, now, counts);
      int length = view.pathLength(replica);
      for (int step = 0; step < length; step++) {
        double rate = auto.drainRate(view, replica, step, told);
        double bytesMax = Math.max(rate * BACKLOG_SECONDS_MAX, bytes * BACKLOG_BLOCKS_MIN);
        loads.add(view.pathKey(replica, step), rate, share * bytes, bytesMax, now, counts);
      }
    }

    @Override
    public void takenBack(AnswerCounts counts) {
      counts.takeBack(memory.loads);
    }

    @Override
    public boolean asksForReports() {
      return auto.reports;
    }

    @Override
    public void reported(ReadView view, int replica, ReadReport read, long host) {
      int length = view.pathLength(replica);
      if (memory.speeds != null && length > (read.remote() ? 1 : 0)) {
        ReportedSpeeds.Source source = auto.source(view, replica, read.remote(), memory.loads);
        memory.speeds.reported(source, read, host, view.nowMillis());
      }
    }
  }

  private ReportedSpeeds.Source source(
      ReadView view, int replica, boolean remote, ReadLoads loads) {
    long device = view.pathKey(replica, 0);
    double rate = rate(view, replica, 0);
    int links = remote ? view.pathLength(replica) - 1 : 0;
    long[] keys = new long[links];
    double[] rates = new double[links];
    for (int i = 0; i < links; i++) {
      keys[i] = view.pathKey(replica, i + 1);
      rates[i] = rate(view, replica, i + 1);
    }
    double pendingSeconds =
        loads == null ? 0 : loads.backlogBytes(device, rate, view.nowMillis()) / rate;
    return new ReportedSpeeds.Source(device, rate, pendingSeconds, keys, rates);
  }

  private AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order, Memory memory) {
    ReplicaOrder.asGiven(view, order);
    int count = view.replicaCount();
    if (count <= 1) {
      return AccessReason.ONLY_REPLICA;
    }
    for (int replica = 0; replica < count; replica++) {
      if (view.pathLength(replica) == 0) {
        return AccessReason.AS_LISTED;
      }
    }
    Scratch scratch = SCRATCH.get();
    scratch.begin();
    double[] scores = scratch.scores;
    int best = best(view, random, blockBytes(request), memory, scratch);
    System.arraycopy(order, 0, order, 1, best);
    order[0] = best;
    int places = Math.min(count, PLACES_MAX);
    for (int i = 2; i < places; i++) {
      int replica = order[i];
      double score = scores[replica];
      int to = i;
      while (to > 1 && scores[order[to - 1]] < score) {
        order[to] = order[to - 1];
        to--;
      }
      order[to] = replica;
    }
    return AccessReason.SOONEST;
  }

  /** Also writes down the scores of the first replicas. */
  private int best(
      ReadView view, RandomGenerator random, double blockBytes, Memory memory, Scratch scratch) {
    int best = 0;
    int equals = 0;
    double bestScore = -1;
    int count = view.replicaCount();
    for (int replica = 0; replica < count; replica++) {
      double score = score(view, replica, blockBytes, memory, scratch);
      if (replica < PLACES_MAX) {
        scratch.scores[replica] = score;
      }
      if (score > bestScore) {
        best = replica;
        bestScore = score;
        equals = 1;
      } else if (score == bestScore && random.nextInt(++equals) == 0) {
        best = replica;
      }
    }
    return best;
  }

  private double score(
      ReadView view, int replica, double blockBytes, Memory memory, Scratch scratch) {
    ReadLoads loads = memory.loads;
    double told = memory.share(view, replica);
    double reported = unexplained(view, replica, loads) * REPORTED_WEIGHT;
    double slowest = Double.POSITIVE_INFINITY;
    double uplinks = 0;
    int length = view.pathLength(replica);
    for (int step = 0; step < length; step++) {
      double drained = drainRate(view, replica, step, told);
      // The report may mean the node's link as well as its device.
      double rate = step == 1 ? drained * told : drained;
      double readers = 0;
      if (loads != null) {
        double bytes =
            step >= STEPS_OF_NODE && step == length - 1
                ? scratch.lastStepBytes(view, replica, step, drained, loads)
                : loads.backlogBytes(view.pathKey(replica, step), drained, view.nowMillis());
        readers = ANSWERS_WEIGHT * bytes / blockBytes;
      }
      readers = step < STEPS_OF_NODE ? Math.max(readers, reported) : readers;
      // Mostly nobody is expected: a division is what costs here.
      double here = readers == 0 ? rate : rate / (1 + readers);
      if (step >= STEPS_OF_NODE && step < length - 1) {
        uplinks += UPLINK_WEIGHT / here;
      } else {
        slowest = Math.min(slowest, here);
      }
    }
    slowest = uplinks == 0 ? slowest : 1 / (1 / slowest + uplinks);
    int hops = Math.max(0, view.distance(replica));
    return Math.max(SCORE_MIN, slowest * LEFT_AT[Math.min(hops, LEFT_AT.length - 1)]);
  }

  /** Transfers of the replica's node that this host's own answers do not account for. */
  private double unexplained(ReadView view, int replica, ReadLoads loads) {
    if (without == Without.HEARTBEATS) {
      return 0;
    }
    double reported = Math.max(0, view.reportedTransfers(replica));
    return loads == null || reported == 0 || without == Without.EXPLAINING
        ? reported
        : Math.max(0, reported - loads.answers(view.nodeKey(replica), view.nowMillis()));
  }

  /** Bytes per second that a step of the path carries for one reader alone. */
  double rate(ReadView view, int replica, int step) {
    return nominalRate(view, replica, step) * view.shareOfSpeed(replica, step);
  }

  /** Less of a device that readers told is slow: what was sent there is there for longer. */
  private double drainRate(ReadView view, int replica, int step, double told) {
    double rate = rate(view, replica, step);
    return step == 0 ? rate * told : rate;
  }

  private double nominalRate(ReadView view, int replica, int step) {
    double known = view.pathBytesPerSecond(replica, step);
    if (known > 0) {
      return known;
    }
    double link = linkMegabytesPerSecond * 1e6;
    return step == 0 ? link * WeightedAccess.rankWeight(view, replica) : link;
  }

  private static double blockBytes(AccessRequest request) {
    return request.blockBytes() > 0 ? request.blockBytes() : USUAL_BLOCK_BYTES;
  }
}
