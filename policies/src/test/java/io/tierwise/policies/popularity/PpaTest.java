package io.tierwise.policies.popularity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Eq. 5.1, 5.2 and Alg. 1 of DerbyhatS, by hand. */
class PpaTest extends PopularityContract {
  private static final Offset<Double> CLOSE = within(1e-12);

  @Override
  protected PopularityPredictor predictor() {
    return PopularityPredictors.parse("ppa");
  }

  private static double[] after(String ppa, Uses uses) {
    return Uses.predictions(PopularityPredictors.parse(ppa), uses.windows(), 0);
  }

  @Test
  void anAccessRaisesByTheConstantOverIntervalLoadBlocksAndPopularity() {
    Uses uses = new Uses(2);
    uses.next(2);
    UseWindow window = uses.next();
    window.keep(0, 4);
    window.keep(1, 1);
    // Nothing was read before, so the interval is that since the window began: a half of it.
    window.read(0, window.startSeconds() + 1800, 1);

    double raise = 0.1 / (0.5 * 1 * 4 * 3);
    double mip = raise / 2;
    double[] predicted = after("ppa", uses);
    assertThat(predicted[0]).isCloseTo(3 + 2 * (raise - mip), CLOSE);
    assertThat(predicted[1]).isCloseTo(3 - 2 * mip, CLOSE);
  }

  @Test
  void eachAccessCountsFromThePopularityThatTheOneBeforeLeft() {
    Uses uses = new Uses(1);
    uses.next(1);
    UseWindow window = uses.next(1);
    window.read(0, window.startSeconds() + 900, 1);
    window.read(0, window.startSeconds() + 1800, 1);

    double first = 3 + 0.1 / (0.25 * 3);
    double second = first + 0.1 / (0.25 * first);
    // One file alone is the mean: what it gains it loses, unless s makes it lose half.
    assertThat(after("ppa", uses)[0]).isCloseTo(3, CLOSE);
    double now = second - (second - 3) / 2;
    assertThat(after("ppa:s=2", uses)[0]).isCloseTo(now + (now - 3), CLOSE);
  }

  @Test
  void theFirstAccessSetsTheAverageAndRaisesNothing() {
    Uses uses = new Uses(3);
    UseWindow first = uses.next(2);
    Uses.readAtOnce(first, 0, 1, 10);

    assertThat(after("ppa", uses)[0]).isEqualTo(3);
    Uses again = new Uses(3);
    Uses.readAtOnce(again.next(2), 0, 2, 10);
    // The second access at the same moment: the interval counts as a sixtieth of the window.
    assertThat(after("ppa", again)[0]).isCloseTo(3 + 2 * (0.1 * 60 / 3) / 2, CLOSE);
  }

  @Test
  void whereTheCreationWasSeenTheFirstReadRaises() {
    Uses uses = new Uses(2);
    UseWindow window = uses.next(1);
    window.create(1, 1);
    window.read(1, 1800, 1);

    double raise = 0.1 / (0.5 * 3);
    assertThat(after("ppa", uses)[1]).isCloseTo(3 + 2 * (raise - raise / 2), CLOSE);
  }

  @Test
  void aFileThatIsNewStartsAtTheAverageOfThoseThatThereAre() {
    Uses uses = new Uses(3);
    uses.next(2);
    Uses.readAtOnce(uses.next(2), 0, 9, 10);
    PopularityState state = new PopularityState();
    double[] predicted = new double[3];
    PopularityPredictor ppa = PopularityPredictors.parse("ppa");
    uses.windows().forEach(window -> ppa.predict(window, state, predicted));
    double average = (state.popularity(0) + state.popularity(1)) / 2;
    assertThat(state.popularity(0)).isGreaterThan(state.popularity(1));

    ppa.predict(uses.next(3), state, predicted);
    assertThat(predicted[2]).isCloseTo(average, CLOSE);
  }

  @Test
  void theOthersRiseWhenAPopularFileIsDeletedAndFallWhenAnUnpopularOneIs() {
    for (int deleted = 0; deleted < 2; deleted++) {
      Uses uses = new Uses(3);
      uses.next(3);
      Uses.readAtOnce(uses.next(3), 0, 3, 10);
      PopularityState state = new PopularityState();
      double[] predicted = new double[3];
      PopularityPredictor ppa = PopularityPredictors.parse("ppa");
      uses.windows().forEach(window -> ppa.predict(window, state, predicted));
      double average = (state.popularity(0) + 2 * state.popularity(1)) / 3;
      double gone = state.popularity(deleted);
      double before = state.popularity(2);
      UseWindow without = uses.next();
      without.keep(1 - deleted, 1);
      without.keep(2, 1);
      ppa.predict(without, state, predicted);

      assertThat(state.popularity(2)).isCloseTo(before - (average - gone) / 2, CLOSE);
      assertThat(state.popularity(2) > before).isEqualTo(deleted == 0);
    }
  }

  @Test
  void replicasStayWithinTheBounds() {
    PopularityPredictor ppa = PopularityPredictors.parse("ppa:min=2,max=5");
    Uses uses = new Uses(2);
    for (int window = 0; window < 9; window++) {
      Uses.readAtOnce(uses.next(2), 0, 50, 10);
      double[] predicted = Uses.predictions(ppa, uses.windows(), 0);
      assertThat(ppa.replicas(predicted[0])).isEqualTo(5);
      assertThat(ppa.replicas(predicted[1])).isEqualTo(2);
    }
  }

  @Test
  void twelveReadersAtOnceMakeAboutTwelveReplicasAndTwelveInAnHourFew() {
    Uses uses = new Uses(2000);
    uses.next(2000);
    UseWindow window = uses.next(2000);
    Uses.readAtOnce(window, 0, 12, 30);
    for (int read = 1; read <= 12; read++) {
      window.read(1, window.startSeconds() + read * 299, 1);
    }
    PopularityState state = new PopularityState();
    PopularityPredictor ppa = PopularityPredictors.parse("ppa");
    uses.windows().forEach(each -> ppa.predict(each, state, new double[2000]));

    assertThat(state.popularity(0)).isBetween(11.0, 12.0);
    assertThat(state.popularity(1)).isBetween(5.0, 6.5);
  }

  @Test
  void settingsThatMakeNoSenseAreRefusedInOneLine() {
    assertThatThrownBy(() -> PopularityPredictors.parse("ppa:s=0"))
        .hasMessage("popularity predictor \"ppa\": s is \"0\"; a number above 0 is allowed");
    assertThatThrownBy(() -> PopularityPredictors.parse("ppa:min=4"))
        .hasMessageContaining("from 4 to 12 replicas leaves out 3");
    assertThatThrownBy(() -> PopularityPredictors.parse("pba"))
        .hasMessageContaining("popularity predictor")
        .hasMessageContaining("ppa");
  }
}
