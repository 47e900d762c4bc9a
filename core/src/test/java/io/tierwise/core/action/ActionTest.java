package io.tierwise.core.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.action.Place.GivenUp;
import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class ActionTest {
  private static final Slot SLOT = Slot.inTier(0, Spread.ANYWHERE);

  private static Choice choice(GivenUp given) {
    return new Choice(1, SLOT, given);
  }

  @Test
  void aDropMakesRoomAndMovesNothing() {
    assertThat(Drop.of("p", "r", 3, 100).cost()).isEqualTo(new Cost(0, 0, -100, 0, 0));
  }

  @Test
  void aPlaceIsExplainedByTheMostThatItGaveUp() {
    Place place =
        new Place(
            "p", List.of(choice(GivenUp.TIER), choice(GivenUp.REGION), choice(GivenUp.SPREAD)));

    assertThat(place.rule()).isEqualTo("other region");
    assertThat(place.leavingOut(2).async()).isEqualTo(2);
    assertThat(new Place("p", List.of()).rule()).isEqualTo("as wanted");
    assertThatThrownBy(() -> new Place("p", List.of(), -1)).hasMessageContaining("async is -1");
  }

  @Test
  void eachKindIsOneWord() {
    assertThat(Drop.of("p", "r", 3, 100).kind()).isEqualTo("drop");
    assertThat(new SetReplicas("p", "r", 2, Cost.NONE).kind()).isEqualTo("setReplicas");
    assertThat(new Assign.Refused("p", "r", Assign.Again.AS_EVER).kind()).isEqualTo("assign");
    assertThatThrownBy(() -> new SetReplicas("p", "r", 0, Cost.NONE)).hasMessageContaining("is 0");
  }
}
