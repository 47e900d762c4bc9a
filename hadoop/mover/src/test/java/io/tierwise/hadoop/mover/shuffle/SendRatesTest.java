package io.tierwise.hadoop.mover.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.shuffle.SendRates.Told;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SendRatesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Set<String> LISTED = Set.of("a:1", "a:2", "b:1");

  private final SendRates rates = new SendRates();

  private static Told told(String id, long bytes, long second) {
    return new Told(id, Set.of(id.substring(0, 1)), bytes, second * SECOND);
  }

  @Test
  void aRateNeedsTwoCounts() {
    assertThat(rates.learn(LISTED, List.of(told("a:1", 1_000, 0)))).isEmpty();
    assertThat(rates.learn(LISTED, List.of(told("a:1", 3_000, 10))))
        .containsOnlyKeys("a")
        .containsEntry("a", 200.0);
    assertThat(rates.learn(LISTED, List.of(told("a:1", 3_000, 20)))).isEmpty();
  }

  @Test
  void aNodeManagerThatStartedAgainCountsFromThen() {
    rates.learn(LISTED, List.of(told("a:1", 5_000, 0)));
    assertThat(rates.learn(LISTED, List.of(told("a:1", 1_000, 10)))).isEmpty();
    assertThat(rates.learn(LISTED, List.of(told("a:1", 2_000, 20)))).containsEntry("a", 100.0);
  }

  @Test
  void aRoundWithoutAnswerIsPartOfTheMean() {
    rates.learn(LISTED, List.of(told("a:1", 0, 0)));
    assertThat(rates.learn(LISTED, List.of())).isEmpty();
    assertThat(rates.learn(LISTED, List.of(told("a:1", 2_000, 20)))).containsEntry("a", 100.0);
  }

  @Test
  void aNodeManagerThatIsNotListedIsForgotten() {
    rates.learn(LISTED, List.of(told("a:1", 0, 0)));
    rates.learn(Set.of("b:1"), List.of());
    assertThat(rates.learn(LISTED, List.of(told("a:1", 2_000, 20)))).isEmpty();
  }

  @Test
  void nodeManagersOfOneHostAreSummed() {
    rates.learn(LISTED, List.of(told("a:1", 0, 0), told("a:2", 0, 0), told("b:1", 0, 0)));
    assertThat(
            rates.learn(
                LISTED, List.of(told("a:1", 100, 1), told("a:2", 50, 1), told("b:1", 7, 1))))
        .containsOnlyKeys("a", "b")
        .containsEntry("a", 150.0)
        .containsEntry("b", 7.0);
  }

  @Test
  void namesDifferInMoreThanTheirCase() {
    Set<String> names = Set.of("Node1.Example.org", "10.0.0.1");
    rates.learn(LISTED, List.of(new Told("a:1", names, 0, 0)));
    assertThat(rates.learn(LISTED, List.of(new Told("a:1", names, 5, SECOND))))
        .containsOnlyKeys("node1.example.org", "10.0.0.1");
  }
}
