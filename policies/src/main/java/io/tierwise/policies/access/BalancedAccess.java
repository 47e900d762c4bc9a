package io.tierwise.policies.access;

import io.tierwise.core.data.IdHash;
import io.tierwise.core.view.ReadView;
import java.math.BigDecimal;
import java.util.random.RandomGenerator;

/**
 * A share of the tasks reads remote high-performance storage, the others read what is near.
 *
 * <p>Task t has weight floor((t+1)p) - floor(tp), p the remote share; weight 1 orders fastest first
 * (as {@link GreedyAccess}), weight 0 nearest first. So any n consecutive tasks hold pn remote ones
 * within one, and exactly pn where pn is whole and n a multiple of the pattern's length.
 *
 * <p>Source: access strategies, sections III-A.2 (Balanced) and III-B (Weight Distributor: weights
 * 0 or 1 by task id). Deviation: a task of the remote share whose own node has the fastest replica
 * reads that one: no remote node has faster storage. Own: a reader that is no task takes t = hash
 * of the file + index of the block, so that the blocks of each file are balanced too.
 *
 * @param remoteHundredths the remote share in hundredths of a percent, 0 to 10,000
 */
public record BalancedAccess(int remoteHundredths) implements AccessStrategy {
  static final String NAME = "balanced";
  static final int WHOLE = 10_000;

  public BalancedAccess {
    if (remoteHundredths < 0 || remoteHundredths > WHOLE) {
      throw new IllegalArgumentException(
          "remote percentage " + percent(remoteHundredths) + " is outside 0-100");
    }
  }

  /** A strategy with a remote share of {@code percent}, 0 to 100. */
  public static BalancedAccess ofPercent(int percent) {
    if (percent < 0 || percent > 100) {
      throw new IllegalArgumentException("remote percentage " + percent + " is outside 0-100");
    }
    return new BalancedAccess(percent * 100);
  }

  @Override
  public String name() {
    return NAME + ":" + percent(remoteHundredths);
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    ReplicaOrder.asGiven(view, order);
    boolean remote = readsRemote(request);
    if (remote) {
      ReplicaOrder.fastestFirst(view, order, 0);
    } else {
      ReplicaOrder.nearestFirst(view, order, 0);
    }
    if (view.replicaCount() <= 1) {
      return AccessReason.ONLY_REPLICA;
    }
    return remote ? AccessReason.REMOTE_SHARE : AccessReason.LOCAL_SHARE;
  }

  /** Whether the reader of {@code request} has weight 1. */
  public boolean readsRemote(AccessRequest request) {
    long position =
        request.taskIndex() >= 0
            ? request.taskIndex()
            : IdHash.mix(request.fileId()) + request.blockIndex();
    long step = Math.floorMod(position, WHOLE);
    return (step + 1) * remoteHundredths / WHOLE > step * remoteHundredths / WHOLE;
  }

  private static String percent(int hundredths) {
    return BigDecimal.valueOf(hundredths, 2).stripTrailingZeros().toPlainString();
  }
}
