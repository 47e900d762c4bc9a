package io.tierwise.policies.access;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.view.ReadView;
import io.tierwise.policies.text.SpecWriter;
import java.util.Objects;

/**
 * Weighted random choice by the tier's measured figures, oblivious of the network.
 *
 * <p>w = f * c^e; f the figure of the tier's class (read bytes per second of one reader, or random
 * reads per second), c the capacity of the replica's store in bytes, e = 0, 1 or -1 ({@link
 * Capacity}).
 *
 * <p>Source: hatS, section 4.1.3.2: weights from storage characteristics, such as IOPS and
 * capacity. Deviation: the paper wires fixed numbers in (section 4.2.3) and gives no formula. f is
 * throughput by default, because HDFS reads whole blocks in sequence; {@code figure=iops} is the
 * paper's word. e is 0 by default: a store that holds more blocks is a candidate more often anyway.
 * An unmeasured class makes the weights go by rank; an unknown capacity makes e = 0 for the block.
 */
public record TierAwareAccess(Figure figure, Capacity capacity) implements WeightedAccess {
  static final String NAME = "tier-aware";
  static final TierAwareAccess DEFAULT = new TierAwareAccess(Figure.THROUGHPUT, Capacity.IGNORED);

  /** The figure of a device class that weights are made of. */
  public enum Figure {
    THROUGHPUT,
    IOPS;

    private double of(DeviceClass deviceClass) {
      return this == IOPS ? deviceClass.randomReadsPerSecond() : deviceClass.readBytesPerSecond();
    }
  }

  /** How the capacity of the replica's store enters its weight. */
  public enum Capacity {
    IGNORED,
    /** A larger store is read more: spares small fast tiers. */
    MULTIPLIED,
    /** A larger store is read less a block: evens the load of stores that hold more blocks. */
    DIVIDED
  }

  public TierAwareAccess {
    Objects.requireNonNull(figure, "figure");
    Objects.requireNonNull(capacity, "capacity");
  }

  @Override
  public String name() {
    return SpecWriter.of(NAME)
        .add("figure", figure, DEFAULT.figure)
        .add("capacity", capacity, DEFAULT.capacity)
        .toString();
  }

  @Override
  public Basis basis(ReadView view) {
    boolean byCapacity = capacity != Capacity.IGNORED && capacitiesKnown(view);
    return Basis.of(figuresKnown(view, figure), byCapacity);
  }

  @Override
  public double weight(ReadView view, int replica, Basis basis) {
    double speed =
        basis.byFigure
            ? figure.of(view.tiers().tier(view.tier(replica)).deviceClass())
            : WeightedAccess.rankWeight(view, replica);
    if (!basis.byCapacity) {
      return WeightedAccess.bounded(speed);
    }
    double bytes = view.capacityBytes(replica);
    return WeightedAccess.bounded(capacity == Capacity.MULTIPLIED ? speed * bytes : speed / bytes);
  }

  /** Whether every replica stands in a tier whose class has {@code figure}. */
  static boolean figuresKnown(ReadView view, Figure figure) {
    int tierCount = view.tiers().count();
    int replicaCount = view.replicaCount();
    for (int replica = 0; replica < replicaCount; replica++) {
      int rank = ReplicaOrder.tierRank(view, replica);
      if (rank == tierCount || Double.isNaN(figure.of(view.tiers().tier(rank).deviceClass()))) {
        return false;
      }
    }
    return true;
  }

  private static boolean capacitiesKnown(ReadView view) {
    int replicaCount = view.replicaCount();
    for (int replica = 0; replica < replicaCount; replica++) {
      if (view.capacityBytes(replica) <= 0) {
        return false;
      }
    }
    return true;
  }
}
