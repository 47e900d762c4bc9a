package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.LoadView;
import org.junit.jupiter.api.Test;

class ForegroundShareTest {
  private static final int BOUND = 16;
  private static final int OWN = 4;
  private static final long SHUFFLE = 25_000_000;

  /** A node that told of so many transfers, so long ago. */
  private record Told(int count, long millis, double shuffle) implements LoadView {
    @Override
    public int transfers(int node) {
      return count;
    }

    @Override
    public long ageMillis(int node) {
      return millis;
    }

    @Override
    public double shuffleBytesPerSecond(int node) {
      return shuffle;
    }
  }

  private static double share(int transfers, long ageMillis) {
    return new ForegroundShare(BOUND, OWN, SHUFFLE).of(new Told(transfers, ageMillis, 0), 0);
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
    assertThat(new ForegroundShare(0, OWN, 0).of(new Told(4096, 0, 1e9), 0)).isEqualTo(1);
    assertThat(new ForegroundShare(BOUND, OWN, SHUFFLE).of(LoadView.UNKNOWN, 0)).isEqualTo(1);
  }

  private static double besideShuffle(int transfers, long ageMillis, double bytesPerSecond) {
    return new ForegroundShare(BOUND, OWN, SHUFFLE)
        .of(new Told(transfers, ageMillis, bytesPerSecond), 0);
  }

  @Test
  void aShuffleCutsTheShareAsReadersDo() {
    assertThat(besideShuffle(0, 0, SHUFFLE)).isEqualTo(1);
    assertThat(besideShuffle(0, 0, 2 * SHUFFLE)).isEqualTo(0.5);
    assertThat(besideShuffle(0, 0, 1000.0 * SHUFFLE)).isEqualTo(0.1);
    assertThat(besideShuffle(0, 0, Double.NaN)).isEqualTo(1);
  }

  @Test
  void ofReadersAndAShuffleTheHeavierCountsAlone() {
    assertThat(besideShuffle(2 * BOUND + OWN, 0, 4 * SHUFFLE)).isEqualTo(0.25);
    assertThat(besideShuffle(4 * BOUND + OWN, 0, 2 * SHUFFLE)).isEqualTo(0.25);
  }

  @Test
  void aShuffleCountsThoughTheDataNodeHasNotToldOfLate() {
    assertThat(besideShuffle(4096, 30_001, 2 * SHUFFLE)).isEqualTo(0.5);
  }
}
