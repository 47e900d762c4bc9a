package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.text.SpecWriter;

/**
 * Weighted random choice by the slowest stage on the way of the block: the paper's hybrid strategy
 * with the network's cost corrected.
 *
 * <p>w = min(r, L) for a replica on another node, w = r on the reader's own: r read bytes per
 * second of the tier's class, L link bytes per second. A block's packets are on all stages at once,
 * so the slowest one decides and not the sum; a second switch on the way takes no more time than
 * the first.
 *
 * <p>Own: {@link HybridAccess} keeps what hatS describes, where stages add up. With an unmeasured
 * class w = rank weight wherever the replica is, as a link cannot be compared with a rank.
 *
 * @param linkMegabytesPerSecond what one reader gets from a free link, in 10^6 bytes; 1250 is 10
 *     Gbps
 */
public record PipelinedHybridAccess(int linkMegabytesPerSecond) implements WeightedAccess {
  static final String NAME = "hybrid-pipelined";
  static final PipelinedHybridAccess DEFAULT =
      new PipelinedHybridAccess(HybridAccess.DEFAULT.linkMegabytesPerSecond());

  private static final double BYTES_PER_MEGABYTE = 1e6;

  public PipelinedHybridAccess {
    HybridAccess.requireLink(linkMegabytesPerSecond);
  }

  @Override
  public String name() {
    return SpecWriter.of(NAME)
        .add(HybridAccess.LINK, linkMegabytesPerSecond, DEFAULT.linkMegabytesPerSecond)
        .toString();
  }

  @Override
  public Basis basis(ReadView view) {
    return Basis.of(TierAwareAccess.figuresKnown(view, TierAwareAccess.Figure.THROUGHPUT), false);
  }

  @Override
  public double weight(ReadView view, int replica, Basis basis) {
    if (!basis.byFigure) {
      return WeightedAccess.bounded(WeightedAccess.rankWeight(view, replica));
    }
    double device = view.tiers().tier(view.tier(replica)).deviceClass().readBytesPerSecond();
    double link = linkMegabytesPerSecond * BYTES_PER_MEGABYTE;
    return WeightedAccess.bounded(view.distance(replica) > 0 ? Math.min(device, link) : device);
  }
}
