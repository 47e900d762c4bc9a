package io.tierwise.policies.access;

import static io.tierwise.policies.access.ArrayReadView.DISK;
import static io.tierwise.policies.access.ArrayReadView.NVME;
import static io.tierwise.policies.access.ArrayReadView.SSD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class BalancedAccessTest extends AccessStrategyContract {
  @Override
  protected List<AccessStrategy> strategies() {
    return List.of(
        BalancedAccess.ofPercent(50),
        BalancedAccess.ofPercent(0),
        BalancedAccess.ofPercent(100),
        new BalancedAccess(3333));
  }

  @Property
  void aHundredConsecutiveTasksHoldExactlyThePercentage(
      @ForAll @IntRange(max = 100) int percent,
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE - 200) long firstTask) {
    assertThat(remoteCount(BalancedAccess.ofPercent(percent), firstTask, 100)).isEqualTo(percent);
  }

  @Property
  void anyRunOfTasksHoldsTheShareWithinOne(
      @ForAll @IntRange(max = BalancedAccess.WHOLE) int hundredths,
      @ForAll @LongRange(min = 0, max = 1_000_000) long firstTask,
      @ForAll @IntRange(max = 700) int taskCount) {
    double expected = (double) taskCount * hundredths / BalancedAccess.WHOLE;
    int count = remoteCount(new BalancedAccess(hundredths), firstTask, taskCount);
    assertThat(Math.abs(count - expected)).isLessThan(1);
  }

  @Property
  void theBlocksOfAFileReadByNoTaskAreBalancedToo(
      @ForAll long fileId, @ForAll @IntRange(max = 100) int percent) {
    BalancedAccess balanced = BalancedAccess.ofPercent(percent);
    int count = 0;
    for (int block = 0; block < 100; block++) {
      count += balanced.readsRemote(new AccessRequest(fileId, block, 1, -1)) ? 1 : 0;
    }
    assertThat(count).isEqualTo(percent);
  }

  @Example
  void filesOfOneBlockAreBalancedOverManyFiles() {
    BalancedAccess balanced = BalancedAccess.ofPercent(30);
    int count = 0;
    for (int file = 16_386; file < 26_386; file++) {
      count += balanced.readsRemote(new AccessRequest(file, 0, 1, -1)) ? 1 : 0;
    }
    // Four standard deviations of 10,000 draws at 30% are 183.
    assertThat(count).isBetween(2_817, 3_183);
  }

  @Example
  void remoteShareReadsTheFastestTierAndLocalShareWhatIsNear() {
    ArrayReadView view = ArrayReadView.replicas(SSD, 2, DISK, 0, NVME, 4);
    int[] order = new int[3];
    AccessReason remote = order(BalancedAccess.ofPercent(100), view, order);
    assertThat(order).containsExactly(2, 0, 1);
    assertThat(remote).isEqualTo(AccessReason.REMOTE_SHARE);
    AccessReason local = order(BalancedAccess.ofPercent(0), view, order);
    assertThat(order).containsExactly(1, 0, 2);
    assertThat(local).isEqualTo(AccessReason.LOCAL_SHARE);
  }

  @Example
  void refusesAPercentageOutsideZeroToAHundred() {
    for (int percent : new int[] {-1, 101, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> BalancedAccess.ofPercent(percent))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("remote percentage " + percent + " is outside 0-100");
    }
  }

  private static AccessReason order(BalancedAccess strategy, ArrayReadView view, int[] order) {
    return strategy.order(new AccessRequest(1, 0, 1, 17), view, new SplittableRandom(1), order);
  }

  private static int remoteCount(BalancedAccess balanced, long firstTask, int taskCount) {
    int count = 0;
    for (int i = 0; i < taskCount; i++) {
      count += balanced.readsRemote(new AccessRequest(9, 9, 1, firstTask + i)) ? 1 : 0;
    }
    return count;
  }
}
