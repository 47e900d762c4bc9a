package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.policies.movement.TierPromotions.Choice;
import io.tierwise.policies.movement.TierPromotions.Claim;
import io.tierwise.policies.movement.TierPromotions.File;
import java.util.List;
import org.junit.jupiter.api.Test;

class TierPromotionsTest {
  private static final long BYTES = 100_000_000;

  /** A read saves 0.9 s, the way there costs 1.2 s, the way back 1.1 s. */
  private final TierPromotions promotions =
      new TierPromotions(
          new DeviceClass("ssd", 1e9, 500e6, Double.NaN, 0, Double.NaN),
          new DeviceClass("disk", 100e6, 100e6, Double.NaN, 0, Double.NaN));

  private static File file(long number, double reads) {
    return new File(number, BYTES, reads, 0, Claim.USUAL);
  }

  private static File there(long number, double reads) {
    return new File(number, BYTES, reads, BYTES, Claim.USUAL);
  }

  @Test
  void filesComeThatSaveMoreThanTheirWayCosts() {
    Choice choice = promotions.choose(List.of(file(1, 1), file(2, 2), file(3, 50)), 10 * BYTES);

    assertThat(choice.in().keySet()).containsExactly(3L, 2L);
    assertThat(choice.in().get(3L)).isCloseTo(45, within(1e-9));
    assertThat(choice.out()).isEmpty();
    assertThat(choice.why()).containsOnlyKeys(1L);
    assertThat(choice.why().get(1L)).contains("does not pay");
    assertThat(promotions.costSeconds(BYTES)).isCloseTo(1.2, within(1e-9));
  }

  @Test
  void aFileThatIsWorthLessLeavesForOneThatIsWorthMoreThanBothWays() {
    // 4.5 - 1.2 = 3.3 s gained; file 1 would have saved 1.8 s and takes 1.1 s back.
    Choice choice = promotions.choose(List.of(there(1, 2), there(2, 9), file(3, 5)), 0);

    assertThat(choice.in().keySet()).containsExactly(3L);
    assertThat(choice.out()).containsExactly(1L);
    assertThat(promotions.choose(List.of(there(1, 3), file(3, 5)), 0).why().get(3L))
        .contains("does not pay for what it would displace");
  }

  @Test
  void whatWasHeldOrIsNotNeededStays() {
    File held = new File(1, BYTES, 0, BYTES, Claim.HELD);
    assertThat(promotions.choose(List.of(held, file(2, 99)), 0).why().get(2L))
        .isEqualTo("the fast tier has no room for it");
    assertThat(promotions.choose(List.of(there(1, 0)), 0).out())
        .as("leaving saves nobody anything")
        .isEmpty();
  }

  private TierPromotions under(double slowStreams, double fastStreams) {
    return new TierPromotions(
        promotions.fast(), promotions.slow(), new TierLoad(slowStreams, fastStreams));
  }

  @Test
  void nothingComesToATierThatIsTheBottleneckAndNothingLeavesIt() {
    assertThat(promotions.isBottleneck()).isFalse();
    assertThat(under(0, 8).isBottleneck()).as("ten times as fast, nine times as busy").isFalse();
    assertThat(under(0, 10).isBottleneck()).isTrue();
    assertThat(under(5, 10).isBottleneck()).isFalse();

    Choice choice = under(0, 10).choose(List.of(there(1, 0), file(2, 99), first(3, 1, 0)), 0);
    assertThat(choice.in()).isEmpty();
    assertThat(choice.out()).isEmpty();
    assertThat(choice.why())
        .containsOnlyKeys(2L, 3L)
        .containsValue("the fast tier is the bottleneck");
  }

  @Test
  void whatPaysDependsOnWhatTheDevicesOfBothTiersHaveToDo() {
    // Idle, two reads save 1.8 s for 1.2 s.
    assertThat(promotions.choose(List.of(file(1, 2)), BYTES).in()).containsOnlyKeys(1L);
    // With four streams on the fast device a read saves 1 - 0.5 s, and the way there takes 2 s.
    assertThat(under(0, 4).savedSeconds(1, BYTES)).isCloseTo(0.5, within(1e-9));
    assertThat(under(0, 4).costSeconds(BYTES)).isCloseTo(2.0, within(1e-9));
    assertThat(under(0, 4).choose(List.of(file(1, 2)), BYTES).why().get(1L))
        .isEqualTo("a replica in the fast tier does not pay");
    assertThat(under(0, 4).choose(List.of(file(1, 5)), BYTES).in()).containsOnlyKeys(1L);
    // With one on the slow device a read saves 2 - 0.1 s.
    assertThat(under(1, 0).savedSeconds(1, BYTES)).isCloseTo(1.9, within(1e-9));
  }

  private static File first(long number, double reads, long thereBytes) {
    return new File(number, BYTES, reads, thereBytes, Claim.FIRST);
  }

  @Test
  void whatComesFirstTakesTheRoomOfHotterFilesAlsoOfHeldOnesAndKeepsIt() {
    File held = new File(1, BYTES, 50, BYTES, Claim.HELD);
    Choice choice = promotions.choose(List.of(held, there(2, 99), first(3, 0, 0)), 0);
    assertThat(choice.in()).containsOnlyKeys(3L);
    assertThat(choice.out()).as("others before what is held").containsExactly(2L);
    assertThat(choice.outForFirst()).containsExactly(2L);
    assertThat(promotions.choose(List.of(held, first(3, 0, 0)), 0).out()).containsExactly(1L);

    Choice later = promotions.choose(List.of(first(3, 0, BYTES), file(2, 999)), 0);
    assertThat(later.in()).isEmpty();
    assertThat(later.out()).isEmpty();
    assertThat(later.why().get(2L)).isEqualTo("the fast tier has no room for it");
  }

  @Test
  void roomThatIsShortGoesToWhatComesFirstBeforeWhatSavesMore() {
    Choice choice = promotions.choose(List.of(file(1, 99), first(2, 1, 0)), BYTES);
    assertThat(choice.in()).containsOnlyKeys(2L);
    assertThat(choice.outForFirst()).isEmpty();

    File inUse = new File(3, BYTES, 0, BYTES, Claim.IN_USE);
    assertThat(promotions.choose(List.of(inUse, first(4, 9, 0)), 0).why().get(4L))
        .as("a job reads what is there")
        .isEqualTo("the fast tier has no room for it");
  }

  private static File half(long number, double reads) {
    return new File(number, BYTES, reads, BYTES / 2, Claim.USUAL);
  }

  @Test
  void theRestOfAFileThatIsThereInPartComesWhenThatPays() {
    Choice choice = promotions.choose(List.of(half(1, 2)), BYTES / 2);
    assertThat(choice.in().get(1L)).isCloseTo(0.9, within(1e-9));

    assertThat(promotions.choose(List.of(half(1, 1)), BYTES).why().get(1L))
        .isEqualTo("a replica in the fast tier does not pay");
    assertThat(promotions.choose(List.of(half(1, 99)), 0).why().get(1L))
        .as("what is there of it is no room for its rest")
        .isEqualTo("the fast tier has no room for it");
  }

  @Test
  void theRestOfAFileDisplacesFilesThatAreWorthLessAndItsPartLeavesForOneThatIsWorthMore() {
    Choice rest = promotions.choose(List.of(half(1, 50), there(2, 1), there(3, 2)), 0);
    assertThat(rest.in()).containsOnlyKeys(1L);
    assertThat(rest.out()).containsExactly(2L);

    Choice another = promotions.choose(List.of(half(1, 2), file(2, 50)), BYTES / 2);
    assertThat(another.in()).containsOnlyKeys(2L);
    assertThat(another.out()).containsExactly(1L);
    assertThat(another.why().get(1L)).contains("leaves the fast tier");
  }

  /** Two files in turns would move every window if only the gain counted. */
  @Test
  void twoFilesThatTakeTurnsDoNotFlap() {
    Choice choice = promotions.choose(List.of(there(1, 5), file(2, 7)), 0);
    assertThat(choice.in()).isEmpty();
    assertThat(promotions.isMeasured()).isTrue();
    assertThat(
            new TierPromotions(DeviceClass.unmeasured("a"), DeviceClass.unmeasured("b"))
                .isMeasured())
        .isFalse();
  }
}
