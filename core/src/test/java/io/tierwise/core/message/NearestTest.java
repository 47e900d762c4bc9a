package io.tierwise.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
  /** Of the slips of a hand, two letters in the wrong order are one. */
  @ParameterizedTest
  @CsvSource({
    "cores, cores, 0",
    "coers, cores, 1",
    "core, cores, 1",
    "coress, cores, 1",
    "cares, cores, 1",
    "ocers, cores, 2",
    "'', cores, 5"
  })
  void lettersThatAreChangedAreCounted(String given, String word, int letters) {
    assertThat(Nearest.distance(given, word)).isEqualTo(letters);
    assertThat(Nearest.distance(word, given)).isEqualTo(letters);
  }

  @Test
  void theNearestIsNamedAndNothingThatIsFar() {
    assertThat(Nearest.to("caers", List.of("codes", "cares"))).contains("cares");
    assertThat(Nearest.to("disk", List.of("memory", "nvme"))).isEmpty();
  }
}
