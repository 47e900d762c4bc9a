package io.tierwise.core.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.action.Place.GivenUp;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.work.Nearness;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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

  private static ClusterView view() {
    ArrayClusterViewBuilder builder =
        new ArrayClusterViewBuilder(
            TierTable.of(List.of(DeviceClass.unmeasured("ssd"), DeviceClass.unmeasured("disk"))));
    int node = builder.addNode("a", "rack", "region");
    builder.addVolume(node, 0, 100);
    builder.addVolume(node, 1, 100);
    return builder.build();
  }

  /** One of each kind; what is the same in all of them is one text. */
  @Test
  void eachKindIsExplainedByPolicyRequestAndRule() {
    Map<Action, String> explained = new LinkedHashMap<>();
    explained.put(
        new Place("p", List.of(choice(GivenUp.TIER))),
        "p: disk@a(rack, fallback tier, wanted place)");
    explained.put(new Order("p", "r", List.of("x", "y")), "p: read x, then y: r");
    explained.put(new Move("p", "r", 0, 0, 1, Cost.NONE), "p: ssd@a -> disk@a: r");
    explained.put(new Copy("p", "r", 0, 1, Cost.NONE), "p: ssd@a => disk@a: r");
    explained.put(Drop.of("p", "r", 1, 100), "p: drop disk@a: r");
    explained.put(new SetReplicas("p", "r", 2, Cost.NONE), "p: 2 replicas: r");
    explained.put(new Stage("p", "r", "/f", 0, 7, Cost.NONE), "p: /f => ssd: r");
    explained.put(
        new Assign.Given("p", "r", 5, Nearness.ON_NODE, 1),
        "p: a task of job 5, " + Nearness.ON_NODE.text() + ": r");

    assertThat(explained.keySet().stream().map(Action::kind).collect(Collectors.toSet()))
        .hasSameSizeAs(Action.class.getPermittedSubclasses());
    explained.forEach(
        (action, text) -> {
          assertThat(action.describe(view())).isEqualTo(text);
          assertThat(text).startsWith(action.policy() + ": " + action.what(view()));
        });
  }
}
