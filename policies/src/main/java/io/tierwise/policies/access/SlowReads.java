package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import java.util.random.RandomGenerator;

/**
 * Protects a reader under {@link AutoAccess} from devices and links that are slower than their
 * figures: it asks replicas that its process saw slow after better ones, and leaves a read that
 * crawls while another replica would do.
 *
 * <p>The NameNode knows nominal speeds, and hears of load every few seconds; only the reader sees
 * how fast its bytes come. e(r) is what replica r is expected to give: the least speed of its path
 * by (1 + h), h the transfers that its node reported: so a busy node is no slow one. s(r) is the
 * share of that which reads from it reached ({@link ReadSpeeds}).
 *
 * <ul>
 *   <li>Order: a replica whose s is below {@value #SLOW_SHARE} of what is usual now, for remote
 *       reads or near ones as it is, moves behind those with a higher e s; all else stays as it
 *       was.
 *   <li>Leave: a read is looked at whenever it has run for {@value #LOOK_FACTOR} times what it was
 *       expected to take, at the most every {@value #LOOK_MILLIS_MIN} and at least every {@value
 *       #LOOK_MILLIS_MAX} ms. It is left when its own share is below {@value #LEFT_SHARE} of what
 *       was usual of such reads when they were over, and another replica's e s more than {@value
 *       #LEAVE_FACTOR} times its speed so far, unless it would soon be over. The first holds back
 *       where all is full: a reader there is slow because of its siblings, and going elsewhere only
 *       moves them.
 * </ul>
 *
 * <p>Own; what each part brings: docs/decisions/0094-readers-leave-slow-replicas.md.
 *
 * @param auto the strategy, which knows how fast links are
 * @param speeds of the reading process
 */
public record SlowReads(AutoAccess auto, ReadSpeeds speeds) implements AccessStrategy {
  /** Own: sharing with a few that nobody has heard of yet is not slow. */
  static final double SLOW_SHARE = 0.15;

  /** Own: more leaves where all links are full, less stays with slow links and devices. */
  static final double LEFT_SHARE = 0.25;

  /**
   * Own: healthy clusters lose nothing at 3; docs/decisions/0094-readers-leave-slow-replicas.md.
   */
  static final double LEAVE_FACTOR = 3;

  /** Own: of the time that a read is expected to take; 2 and 8 make little difference. */
  static final double LOOK_FACTOR = 4;

  /** Own: less says of a read little more than how long it waited for its first byte. */
  public static final long LOOK_MILLIS_MIN = 200;

  /** Between two looks at a read of any length. */
  public static final long LOOK_MILLIS_MAX = 1_000;

  /** Own: a disk that carries 100 MB/s needs as long for this as for the way to its first byte. */
  private static final double BYTES_MIN = 1 << 20;

  private static final double MILLIS_PER_SECOND = 1e3;

  @Override
  public String name() {
    return auto.name();
  }

  @Override
  public boolean asksForPaths() {
    return true;
  }

  @Override
  public boolean isForTheMoment() {
    return auto.isForTheMoment();
  }

  /** The host's order, but for what was seen slow: the host has been answered by who counts. */
  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    ReplicaOrder.asGiven(view, order);
    if (view.replicaCount() <= 1) {
      return AccessReason.ONLY_REPLICA;
    }
    return avoid(view, order) ? AccessReason.SEEN_SLOW : AccessReason.AS_LISTED;
  }

  /**
   * Where a read comes from, and how fast it should be. Kept by a host until the read is over.
   *
   * @param bytesPerSecond expected when it began
   */
  public record Source(long device, long node, boolean remote, double bytesPerSecond) {}

  /** The replica as the source of a read that begins now. */
  public Source source(ReadView view, int replica) {
    return new Source(
        view.pathKey(replica, 0),
        view.nodeKey(replica),
        isRemote(view, replica),
        expected(view, replica));
  }

  /** The progress of a read. */
  public record Progress(Source source, double bytes, double seconds) {
    double bytesPerSecond() {
      return bytes / seconds;
    }

    /** Of what was expected. */
    double share() {
      return bytesPerSecond() / source.bytesPerSecond();
    }
  }

  /**
   * A read is over. Few bytes in a short time say nothing: they waited for the first one.
   *
   * @param nowMillis monotonic time
   */
  public void saw(Progress read, long nowMillis) {
    double millis = read.seconds() * MILLIS_PER_SECOND;
    if (millis >= LOOK_MILLIS_MAX || (millis >= 1 && read.bytes() >= BYTES_MIN)) {
      learn(read, nowMillis);
      speeds.ended(read.source().remote(), read.share());
    }
  }

  /**
   * A read is over, or left: it is told with the next question, if the strategy wants that.
   *
   * @param device a number of it that is the same in every process
   * @param nowMillis monotonic time
   */
  public void tell(long device, Progress read, long nowMillis) {
    if (auto.reports()) {
      boolean remote = read.source().remote();
      speeds.reports().saw(device, remote, read.bytes(), read.seconds(), nowMillis);
    }
  }

  private void learn(Progress read, long nowMillis) {
    Source source = read.source();
    speeds.saw(source.device(), source.node(), source.remote(), read.share(), nowMillis);
  }

  /**
   * How long to wait between two looks at a read; the first comes after as long.
   *
   * @param bytes of the block that are read from there in all
   */
  public static long lookMillis(Source source, double bytes) {
    double expected = LOOK_FACTOR * MILLIS_PER_SECOND * bytes / source.bytesPerSecond();
    return (long) Math.max(LOOK_MILLIS_MIN, Math.min(LOOK_MILLIS_MAX, expected));
  }

  /**
   * Moves replicas that were seen slow behind faster ones.
   *
   * @return whether another replica is the first now
   */
  public boolean avoid(ReadView view, int[] order) {
    int count = view.replicaCount();
    if (count <= 1 || knowsNoPaths(view)) {
      return false;
    }
    int first = order[0];
    // From the last to the first, so that each meets those behind it in their final order.
    for (int i = count - 2; i >= 0; i--) {
      if (share(view, order[i]) < SLOW_SHARE * speeds.usualShare(isRemote(view, order[i]))) {
        moveBack(view, order, i);
      }
    }
    return order[0] != first;
  }

  private void moveBack(ReadView view, int[] order, int from) {
    double speed = speed(view, order[from]);
    int to = from;
    while (to + 1 < view.replicaCount() && speed(view, order[to + 1]) > speed) {
      to++;
    }
    int moved = order[from];
    System.arraycopy(order, from + 1, order, from, to - from);
    order[to] = moved;
  }

  /**
   * Looks at a read that is under way: whether it should go on from another replica.
   *
   * @param replica that it comes from
   * @param bytesLeft to the end of the block
   */
  public boolean leaves(ReadView view, int replica, Progress read, double bytesLeft) {
    double look = lookMillis(read.source(), read.bytes() + bytesLeft) / MILLIS_PER_SECOND;
    if (read.seconds() < look) {
      return false;
    }
    learn(read, view.nowMillis());
    if (read.share() >= LEFT_SHARE * speeds.usualShareOfEnded(read.source().remote())) {
      return false;
    }
    double seen = read.bytesPerSecond();
    // Another connection would not pay for what is left.
    if (bytesLeft <= seen * look || knowsNoPaths(view)) {
      return false;
    }
    for (int other = 0; other < view.replicaCount(); other++) {
      if (other != replica && speed(view, other) > LEAVE_FACTOR * seen) {
        return true;
      }
    }
    return false;
  }

  private static boolean knowsNoPaths(ReadView view) {
    return view.replicaCount() == 0 || view.pathLength(0) == 0;
  }

  private double speed(ReadView view, int replica) {
    return expected(view, replica) * share(view, replica);
  }

  private double share(ReadView view, int replica) {
    return speeds.share(
        view.pathKey(replica, 0), view.nodeKey(replica), isRemote(view, replica), view.nowMillis());
  }

  private static boolean isRemote(ReadView view, int replica) {
    return !ReplicaOrder.isLocal(view, replica);
  }

  private double expected(ReadView view, int replica) {
    double slowest = Double.POSITIVE_INFINITY;
    int length = view.pathLength(replica);
    for (int step = 0; step < length; step++) {
      slowest = Math.min(slowest, auto.rate(view, replica, step));
    }
    return slowest / (1.0 + Math.max(0, view.reportedTransfers(replica)));
  }
}
