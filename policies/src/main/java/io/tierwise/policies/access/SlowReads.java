package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What a reader under {@link AutoAccess} does about devices and links that are slower than they are
 * said to be: it asks replicas that its process saw slow after better ones, and leaves a read that
 * crawls while another replica would do.
 *
 * <p>Who answers knows nominal speeds, and hears of load every few seconds; only the reader sees
 * how fast its bytes come. e(r) is what replica r is expected to give: the least speed of its path
 * by (1 + h), h the transfers that its node reported: so a busy node is no slow one. s(r) is the
 * share of that which reads from it reached ({@link ReadSpeeds}).
 *
 * <ul>
 *   <li>Order: a replica whose s is below {@value #SLOW_SHARE} of what is usual now moves behind
 *       those with a higher e s; all else stays as it was.
 *   <li>Leave: a read that has run for {@value #LOOK_MILLIS} ms is left when another replica's e s
 *       is more than {@value #LEAVE_FACTOR} times its speed so far, unless it would soon be over.
 *       Where all is busy, all shares are low, and nobody leaves.
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

  /** Own: at 6 healthy clusters lose 1 to 2%, at 10 less than 1%. */
  static final double LEAVE_FACTOR = 10;

  /** Between two looks at a read; the first comes after as long. */
  public static final long LOOK_MILLIS = 1_000;

  /** Own: a disk that carries 100 MB/s needs as long for this as for the way to its first byte. */
  private static final double BYTES_MIN = 1 << 20;

  private static final double MILLIS_PER_SECOND = 1e3;

  /**
   * The reader's part of a strategy, where it has one.
   *
   * @param speeds those of the reading process
   */
  public static Optional<SlowReads> of(AccessStrategy strategy, Supplier<ReadSpeeds> speeds) {
    return strategy instanceof AutoAccess auto
        ? Optional.of(new SlowReads(auto, speeds.get()))
        : Optional.empty();
  }

  @Override
  public String name() {
    return auto.name();
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
        !ReplicaOrder.isLocal(view, replica),
        expected(view, replica));
  }

  /**
   * A read is over, or has come so far. Few bytes in a short time say nothing: they waited for the
   * first one.
   */
  public void saw(Source source, double bytes, double seconds, long nowMillis) {
    double millis = seconds * MILLIS_PER_SECOND;
    if (millis >= LOOK_MILLIS || (millis >= 1 && bytes >= BYTES_MIN)) {
      double share = bytes / seconds / source.bytesPerSecond();
      speeds.saw(source.device(), source.node(), source.remote(), share, nowMillis);
    }
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
    double slow = SLOW_SHARE * speeds.usualShare();
    // From the last to the first, so that each meets those behind it in their final order.
    for (int i = count - 2; i >= 0; i--) {
      if (share(view, order[i]) < slow) {
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
   * Whether a read from {@code replica} should go on from another one.
   *
   * @param seconds since it began
   * @param bytesLeft to the end of the block
   */
  public boolean leaves(
      ReadView view, int replica, double bytes, double seconds, double bytesLeft) {
    if (seconds * MILLIS_PER_SECOND < LOOK_MILLIS || knowsNoPaths(view)) {
      return false;
    }
    double seen = bytes / seconds;
    // Another connection would not pay for what is left.
    if (bytesLeft <= seen * LOOK_MILLIS / MILLIS_PER_SECOND) {
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
    boolean remote = !ReplicaOrder.isLocal(view, replica);
    return speeds.share(view.pathKey(replica, 0), view.nodeKey(replica), remote, view.nowMillis());
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
