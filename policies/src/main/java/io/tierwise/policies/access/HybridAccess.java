package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.text.SpecWriter;

/**
 * Weighted random choice by device speed and by the cost of bringing the block over the network.
 *
 * <p>w = 1 / (1/r + h/L): the inverse of the seconds per byte; r read bytes per second of the
 * tier's class, L link bytes per second, h = distance/2 switch levels between reader and replica (0
 * same node, 1 same rack, 2 other rack, 3 other region).
 *
 * <p>Source: hatS, section 4.1.3.3: the tier-aware weights, adjusted for network proximity and the
 * cost of transferring a block. Deviation: the paper gives no formula. Own: every switch level
 * costs one link time, although packets are pipelined, because each level is shared by more
 * readers; {@link PipelinedHybridAccess} takes the slowest stage instead. With an unmeasured class
 * w = rank weight / (1 + h), as seconds cannot be told.
 *
 * @param linkMegabytesPerSecond what one reader gets from a free link, in 10^6 bytes; 1250 is the
 *     10 Gbps of hatS's default interconnect
 */
public record HybridAccess(int linkMegabytesPerSecond) implements WeightedAccess {
  static final String NAME = "hybrid";
  static final String LINK = "link-megabytes-per-second";
  static final int LINK_MAX = 1_000_000;
  static final HybridAccess DEFAULT = new HybridAccess(1250);

  private static final double BYTES_PER_MEGABYTE = 1e6;

  public HybridAccess {
    requireLink(linkMegabytesPerSecond);
  }

  static void requireLink(int megabytesPerSecond) {
    if (megabytesPerSecond < 1 || megabytesPerSecond > LINK_MAX) {
      throw new IllegalArgumentException(
          LINK + " " + megabytesPerSecond + " is outside 1-" + LINK_MAX);
    }
  }

  @Override
  public String name() {
    return SpecWriter.of(NAME)
        .add(LINK, linkMegabytesPerSecond, DEFAULT.linkMegabytesPerSecond)
        .toString();
  }

  @Override
  public Basis basis(ReadView view) {
    return Basis.of(TierAwareAccess.figuresKnown(view, TierAwareAccess.Figure.THROUGHPUT), false);
  }

  @Override
  public double weight(ReadView view, int replica, Basis basis) {
    double switchLevels = Math.max(0, view.distance(replica)) / 2.0;
    if (!basis.byFigure) {
      return WeightedAccess.bounded(WeightedAccess.rankWeight(view, replica) / (1 + switchLevels));
    }
    double readBytesPerSecond =
        view.tiers().tier(view.tier(replica)).deviceClass().readBytesPerSecond();
    double secondsPerByte =
        1 / readBytesPerSecond + switchLevels / (linkMegabytesPerSecond * BYTES_PER_MEGABYTE);
    return WeightedAccess.bounded(1 / secondsPerByte);
  }
}
