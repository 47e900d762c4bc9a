package io.tierwise.policies.access;

import static io.tierwise.policies.access.AccessStrategyContract.orderOf;
import static io.tierwise.policies.access.PathView.NVME;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.DecisionMemory;
import java.util.SplittableRandom;
import net.jqwik.api.Example;

/**
 * Reports of readers at the edges of what {@link AutoAccess} knows, and what they cost an order.
 */
class AutoReportsTest {
  @Example
  void aReportOfWhatNobodyKnowsThePathOfSaysNothing() {
    AccessStrategy told = AccessSession.of(AutoAccess.DEFAULT).pick(0).strategy();
    ArrayReadView without = ArrayReadView.replicas(2, 0, 1, 2);
    told.reported(without, 0, new ReadReport(0, true, 1, 1_000, 0), 1);
    told.reported(without, 0, new ReadReport(0, false, 1, 1_000, 0), 2);
    assertThat(orderOf(told, without)).containsExactlyInAnyOrder(0, 1);
  }

  @Example
  void ordersPastWhatIsSlowAllocateNothing() {
    PathView view = new PathView(0, AutoAccessTest.TEN_GIGABITS, new int[] {1, 2}, NVME, 191e6);
    AccessStrategy told = AutoAccessTest.toldThatTheFirstIsSlow(AutoAccess.DEFAULT, view);
    int[] order = new int[2];
    SplittableRandom random = new SplittableRandom(1);
    assertThat(
            DecisionMemory.allocatedBytes(
                20_000, i -> told.order(AutoAccessTest.REQUEST, view, random, order)))
        .isLessThan(1);
  }
}
