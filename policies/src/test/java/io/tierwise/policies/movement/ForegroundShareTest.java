package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.LoadView;
import org.junit.jupiter.api.Test;

class ForegroundShareTest {
  private static final int BOUND = 16;
  private static final int OWN = 4;

  /** A node that told of so many transfers, so long ago. */
  private record Told(int count, long millis) implements LoadView {
    @Override
    public int transfers(int node) {
      return count;
    }

    @Override
    public long ageMillis(int node) {
      return millis;
    }
  }

  private static double share(int transfers, long ageMillis) {
    return new ForegroundShare(BOUND, OWN).of(new Told(transfers, ageMillis), 0);
  }

  @Test
  void upToTheBoundAndItsOwnMovesANodeKeepsAll() {
    assertThat(share(0, 0)).isEqualTo(1);
    assertThat(share(BOUND + OWN, 0)).isEqualTo(1);
    assertThat(share(BOUND + OWN + 1, 0)).isLessThan(1);
  }

  @Test
  void withTwiceTheBoundItKeepsHalfAndNeverLessThanATenth() {
    assertThat(share(2 * BOUND + OWN, 0)).isEqualTo(0.5);
    assertThat(share(10 * BOUND + OWN, 0)).isEqualTo(0.1);
    assertThat(share(4096, 0)).isEqualTo(0.1);
  }

  @Test
  void anOldReportSaysNothingAndZeroYieldsToNothing() {
    assertThat(share(4096, 30_001)).isEqualTo(1);
    assertThat(new ForegroundShare(0, OWN).of(new Told(4096, 0), 0)).isEqualTo(1);
    assertThat(new ForegroundShare(BOUND, OWN).of(LoadView.UNKNOWN, 0)).isEqualTo(1);
  }
}
