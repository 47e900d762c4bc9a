package io.tierwise.simulator.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LaneTableTest {
  private static final double[] COSTS = {1};

  /** Against a set of bits, while lanes come and go and their number grows past several lengths. */
  @Test
  void namesTheIdsInUseInTheirOrder() {
    SplittableRandom random = new SplittableRandom(11);
    LaneTable lanes = new LaneTable();
    BitSet expected = new BitSet();
    for (int step = 0; step < 4_000; step++) {
      int some = expected.nextSetBit(random.nextInt(300));
      if (some >= 0 && random.nextInt(3) == 0) {
        lanes.free(some);
        expected.clear(some);
      } else {
        int made = lanes.find(new int[] {step}, COSTS, 1, Double.POSITIVE_INFINITY);
        assertThat(expected.get(made)).isFalse();
        expected.set(made);
      }
      int from = random.nextInt(lanes.idLimit() + 70);
      assertThat(lanes.nextInUse(from)).as("from %s", from).isEqualTo(expected.nextSetBit(from));
    }
    assertThat(lanes.count()).isEqualTo(expected.cardinality());
  }

  /** Each number keeps its place when its neighbours in the same word change. */
  @Test
  void keepsNumbersApart() {
    LaneTable lanes = new LaneTable();
    int lane = lanes.find(new int[] {5, 6}, new double[] {0.5, 2}, 2, 100);
    lanes.setBottleneck(lane, 6);
    lanes.addWeight(lane, 3);
    lanes.startChange(lane);
    lanes.setNextChanged(lane, 17);
    lanes.addWeight(lane, -2);
    lanes.setHead(lane, 9);
    assertThat(lanes.weight(lane)).isEqualTo(1);
    assertThat(lanes.bottleneck(lane)).isEqualTo(6);
    assertThat(lanes.weightBefore(lane)).isEqualTo(3);
    assertThat(lanes.nextChanged(lane)).isEqualTo(17);
    assertThat(lanes.head(lane)).isEqualTo(9);
    lanes.setBottleneck(lane, LaneTable.NONE);
    lanes.setNextChanged(lane, LaneTable.NONE);
    assertThat(lanes.weight(lane)).isEqualTo(1);
    assertThat(lanes.weightBefore(lane)).isEqualTo(3);
    assertThat(lanes.bottleneck(lane)).isEqualTo(LaneTable.NONE);
    assertThat(lanes.nextChanged(lane)).isEqualTo(LaneTable.NONE);
    lanes.setRate(lane, 12.5);
    lanes.keepRateBefore(lane);
    lanes.setRate(lane, 50);
    assertThat(lanes.rateBefore(lane)).isEqualTo(12.5);
    assertThat(lanes.rate(lane)).isEqualTo(50);
    assertThat(lanes.rateMax(lane)).isEqualTo(100);
    assertThat(lanes.length(lane)).isEqualTo(2);
    assertThat(lanes.unitsOn(lane, 6)).isEqualTo(2);
  }
}
