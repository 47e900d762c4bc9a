package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MoveHindrancesTest {
  private static final String LOCKED = "another mover runs on this cluster";

  private final List<String> said = new ArrayList<>();
  private final MoveHindrances hindrances = new MoveHindrances(said::add);

  @Test
  void eachCauseIsSaidOnceHoweverOftenAMoveIsTriedAgain() {
    for (int attempt = 0; attempt < 3; attempt++) {
      hindrances.refused(LOCKED);
      hindrances.left("its tier is full", "/a/" + attempt);
    }

    assertThat(said)
        .containsExactly(LOCKED, "a prefetch left some: its tier is full; for example /a/0");
  }

  @Test
  void itIsSaidAgainWhereItComesBack() {
    hindrances.refused(LOCKED);
    hindrances.wentThrough();
    hindrances.refused(LOCKED);

    assertThat(said).containsExactly(LOCKED, LOCKED);
  }
}
