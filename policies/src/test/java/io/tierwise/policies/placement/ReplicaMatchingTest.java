package io.tierwise.policies.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ArrayClusterView;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplicaMatchingTest {
  private static final int KINDS = 6;

  private final ArrayClusterView view = Clusters.uniform(Clusters.threeTiers(), 2, 2, 2);

  /** Volumes of each tier in each region; replicas may share one here. */
  private int volumeOf(int kind, int i) {
    return Clusters.volume(view, kind % 3, 2 * (kind / 3) + i % 2, 0);
  }

  /** Else the region is asked for again that has its replica already. */
  @Test
  void ofTwoWishesAReplicaTakesTheOneThatFewerOthersCouldTake() {
    Wish anywhere = Wish.inTiers(Wish.ALL_TIERS, Slot.ANY, Spread.ANYWHERE);
    Wish inRegion = Wish.inTiers(Wish.ALL_TIERS, 0, Spread.ANYWHERE);
    int[] replica = {volumeOf(0, 0)};
    assertThat(ReplicaMatching.wishOfReplica(replica, new Wish[] {anywhere, inRegion}, view))
        .containsExactly(1);
    assertThat(ReplicaMatching.wishOfReplica(replica, new Wish[] {inRegion, anywhere}, view))
        .containsExactly(0);
  }

  /**
   * Beside many replicas of a kind that fits nowhere, none goes without a wish that it could have.
   */
  @Test
  void fulfilsAsManyWishesAsTheirCountsAllow() {
    SplittableRandom random = new SplittableRandom(5);
    for (int run = 0; run < 3_000; run++) {
      int[] counts = new int[KINDS];
      int replicas = random.nextInt(1, 25);
      int[] volumes = new int[replicas];
      for (int i = 0; i < replicas; i++) {
        int kind = random.nextInt(KINDS);
        counts[kind]++;
        volumes[i] = volumeOf(kind, i);
      }
      Wish[] wishes = new Wish[random.nextInt(1, 25)];
      Arrays.setAll(
          wishes,
          i ->
              Wish.inTiers(
                  random.nextInt(1, 8),
                  random.nextInt(3) == 0 ? random.nextInt(2) : Slot.ANY,
                  Spread.ANYWHERE));
      int[] tiers = IntStream.range(0, KINDS).map(kind -> kind % 3).toArray();
      int[] regions = IntStream.range(0, KINDS).map(kind -> kind / 3).toArray();
      int most = new WishBalance(tiers, regions, counts, wishes).fulfilled();

      int[] wishOf = ReplicaMatching.wishOfReplica(volumes, wishes, view);

      assertThat(Arrays.stream(wishOf).filter(wish -> wish >= 0).count()).isEqualTo(most);
      assertThat(Arrays.stream(wishOf).filter(wish -> wish >= 0)).doesNotHaveDuplicates();
      for (int i = 0; i < replicas; i++) {
        assertThat(wishOf[i] < 0 || wishes[wishOf[i]].acceptsTier(view.tierOfVolume(volumes[i])))
            .isTrue();
      }
    }
  }
}
