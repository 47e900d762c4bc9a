package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplicaMarkTest {
  private static Optional<ReplicaMark> read(String text) {
    return ReplicaMark.of(
        16_388, Map.of(ReplicaMark.ATTRIBUTE, text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aMarkIsOfOneFileAndVersion() {
    assertThat(read("1 16388 3 5 1000")).contains(new ReplicaMark(16_388, 3, 5, 1000, false));
    assertThat(read("1 16388 5 3 1000 undone")).contains(new ReplicaMark(16_388, 5, 3, 1000, true));
    for (String other :
        new String[] {"1 16389 3 5 1000", "2 16388 3 5 1000", "", "1 16388 3 5", "1 16388 3 5 x"}) {
      assertThat(read(other)).as(other).isEmpty();
    }
    assertThat(ReplicaMark.of(16_388, Map.of())).isEmpty();
  }

  @Test
  void bothNumbersAreTheDaemonsWhereverItEnds() {
    ReplicaMark mark = new ReplicaMark(1, 4, 5, 0, false);
    assertThat(mark.owns(4)).isTrue();
    assertThat(mark.owns(5)).isTrue();
    assertThat(mark.owns(3)).isFalse();
  }
}
