package io.tierwise.policies.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ReadView;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Racks whose uplinks carry less than one node's link: a quarter of what three nodes can send. */
class AutoUplinksTest {
  private static final double LINK = 125e6;
  private static final double UPLINK = 93.75e6;
  private static final AccessRequest BLOCK = new AccessRequest(1, 0, 40 << 20, -1);

  /** Keys of what the path from any other rack ends with; each reader has a link of its own. */
  private static final long READERS_UPLINK = 1_000;

  private static final long READERS_LINK = 1_001;

  @Test
  void anIdleDiskOfTheReadersOwnNodeIsBeforeUplinksThatOthersNeed() {
    for (int seed = 0; seed < 50; seed++) {
      assertThat(
              first(AutoAccess.DEFAULT, new Replicas(0, PathView.NVME, PathView.DISK, true), seed))
          .isEqualTo(1);
    }
  }

  @Test
  void ofReplicasBehindTheReadersBusyUplinkTheFasterDeviceIsFirst() {
    for (int seed = 0; seed < 50; seed++) {
      AccessStrategy counting = AutoAccess.DEFAULT.newSession().pick(0).strategy();
      Replicas others = new Replicas(500, PathView.NVME, PathView.NVME, false);
      Replicas view = new Replicas(0, PathView.DISK, PathView.NVME, false);
      for (int before = 0; before < 4; before++) {
        counting.answered(BLOCK, others, 0, 1, new AnswerCounts());
      }
      assertThat(first(counting, view, seed)).isEqualTo(1);
    }
  }

  private static int first(AccessStrategy strategy, ReadView view, long seed) {
    int[] order = new int[2];
    strategy.order(BLOCK, view, new SplittableRandom(seed), order);
    return order[0];
  }

  /**
   * The first of two replicas is in another rack; the second in a third one, or on the reader's own
   * node.
   *
   * @param firstKey of what is theirs and their reader's alone
   */
  private record Replicas(long firstKey, double first, double second, boolean secondIsLocal)
      implements ReadView {
    private boolean isLocal(int replica) {
      return replica == 1 && secondIsLocal;
    }

    @Override
    public TierTable tiers() {
      return ArrayReadView.HATS;
    }

    @Override
    public int replicaCount() {
      return 2;
    }

    @Override
    public int tier(int replica) {
      return ArrayReadView.DISK;
    }

    @Override
    public int distance(int replica) {
      return isLocal(replica) ? 0 : 4;
    }

    @Override
    public int activeTransfers(int replica) {
      return 0;
    }

    @Override
    public int nodeKey(int replica) {
      return replica;
    }

    @Override
    public int pathLength(int replica) {
      return isLocal(replica) ? 1 : 5;
    }

    @Override
    public long pathKey(int replica, int step) {
      return switch (step) {
        case 3 -> READERS_UPLINK;
        case 4 -> READERS_LINK + firstKey;
        default -> firstKey + 10L * (replica + 1) + step;
      };
    }

    @Override
    public double pathBytesPerSecond(int replica, int step) {
      return switch (step) {
        case 0 -> replica == 0 ? first : second;
        case 2, 3 -> UPLINK;
        default -> LINK;
      };
    }
  }
}
