package io.tierwise.policies.movement;

import static io.tierwise.policies.movement.MovementCases.DISK;
import static io.tierwise.policies.movement.MovementCases.SSD;
import static io.tierwise.policies.movement.MovementCases.TIERS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class FlushLayoutsTest {
  private final FlushLayouts layouts =
      new FlushLayouts(
          TIERS,
          name -> name.equals("hot") ? "2 x ssd + 1 x disk" : name,
          SSD,
          OptionalInt.of(DISK));

  @Test
  void replicasOfTheTierGoToTheSlowerOneAndNoneIsLost() {
    assertThat(layouts.after("layout:1 x ssd + 2 x disk")).isEqualTo("layout:3 x disk");
    assertThat(layouts.after("layout: hot")).isEqualTo("layout:3 x disk");
  }

  @Test
  void onlyALayoutWithReplicasInTheTierMayLeave() {
    assertThat(layouts.hindrance(Optional.of("layout:hot"))).isEmpty();
    assertThat(layouts.hindrance(Optional.of("layout:3 x disk")).orElseThrow())
        .contains("wants it elsewhere");
    assertThat(layouts.hindrance(Optional.of("tier-aware")).orElseThrow()).contains("no layout");
    assertThat(layouts.hindrance(Optional.empty()).orElseThrow()).contains("no layout");
  }

  @Test
  void surplusReplicasAreDroppedAlsoWhereNoSlowerTierHasRoom() {
    FlushLayouts nowhere = new FlushLayouts(TIERS, name -> name, SSD, OptionalInt.empty());
    Optional<String> marked = Optional.of("layout:1 x ssd + 1 x disk + 1 x ssd surplus");

    assertThat(nowhere.keptWithoutSurplus(marked, 3)).isEqualTo(2);
    assertThat(nowhere.keptWithoutSurplus(Optional.of("tier-aware"), 3)).isEqualTo(3);
    assertThat(nowhere.keptWithoutSurplus(Optional.empty(), 3)).isEqualTo(3);
    assertThat(nowhere.hindrance(marked)).hasValue("no slower tier has room");
    assertThat(layouts.after(marked.orElseThrow())).isEqualTo("layout:2 x disk + 1 x ssd surplus");
  }

  @Test
  void theNextSlowerTierWithRoomIsTaken() {
    assertThat(FlushLayouts.slowerTier(TIERS, SSD, tier -> tier)).hasValue(DISK);
    assertThat(FlushLayouts.slowerTier(TIERS, SSD, tier -> 0)).isEmpty();
    assertThat(FlushLayouts.slowerTier(TIERS, DISK, tier -> 1)).isEmpty();
  }
}
