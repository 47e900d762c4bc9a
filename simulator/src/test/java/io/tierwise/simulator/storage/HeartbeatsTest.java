package io.tierwise.simulator.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeartbeatsTest {
  /** Their heartbeats are at 0, 3,000, 6,000 ms and at 1,500, 4,500, 7,500 ms. */
  private final int[] transfers = new int[2];

  private final Heartbeats heartbeats = new Heartbeats(transfers);

  private void begin(int node, long nowMillis) {
    heartbeats.catchUp(node, nowMillis);
    transfers[node]++;
  }

  private void end(int node, long nowMillis) {
    heartbeats.catchUp(node, nowMillis);
    transfers[node]--;
  }

  @Test
  void aNodeTellsWhatItServedAtItsLastHeartbeat() {
    begin(0, 100);
    assertThat(heartbeats.reported(0, 2_999)).isZero();
    end(0, 3_500);
    assertThat(heartbeats.reported(0, 5_999)).isEqualTo(1);
    assertThat(heartbeats.reported(0, 6_000)).isZero();
    assertThat(heartbeats.reported(1, 6_000)).isZero();
  }

  @Test
  void aConnectionThatIsKeptCountsForThreeSecondsAndUntilTheNextHeartbeat() {
    begin(0, 100);
    end(0, 400);
    heartbeats.keep(0, 400);
    assertThat(heartbeats.reported(0, 3_000)).isEqualTo(1);
    assertThat(heartbeats.reported(0, 5_999)).isEqualTo(1);
    assertThat(heartbeats.reported(0, 6_000)).isZero();
  }

  @Test
  void aConnectionThatIsUsedAgainOrClosedIsKeptNoMore() {
    Heartbeats.Kept used = heartbeats.keep(1, 400);
    heartbeats.keep(1, 500);
    assertThat(heartbeats.reported(1, 1_500)).isEqualTo(2);
    heartbeats.release(used, 1_600);
    assertThat(heartbeats.reported(1, 4_400)).as("as it was told").isEqualTo(2);
    heartbeats.keep(1, 4_400);
    assertThat(heartbeats.reported(1, 4_500)).as("the first ones are over").isEqualTo(1);
  }
}
