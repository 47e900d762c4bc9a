package io.tierwise.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TierTableTest {
  private final TierTable table =
      TierTable.of(
          List.of(
              DeviceClass.unmeasured("nvme"),
              DeviceClass.unmeasured("sata"),
              DeviceClass.unmeasured("disk")));

  @Test
  void keepsTheAdministratorsOrder() {
    assertThat(table.count()).isEqualTo(3);
    assertThat(table.names()).isEqualTo("nvme, sata, disk");
    assertThat(table.require("sata").index()).isEqualTo(1);
    assertThat(table.tiers()).extracting(Tier::index).containsExactly(0, 1, 2);
    assertThat(table).hasToString("TierTable[nvme, sata, disk]");
  }

  @Test
  void policiesThatNameNoTierCountAllUnlessTheHostSaysWhich() {
    assertThat(counted(table)).containsExactly(0, 1, 2);
    assertThat(table.countedSet()).isEqualTo(0b111);
    assertThat(counted(table.counting(0b101))).containsExactly(0, 2);
    assertThat(table.counting(0b101).countedSet()).isEqualTo(0b101);
    assertThat(table.counting(0b101).count()).as("others can be named").isEqualTo(3);
    assertThat(counted(table.counting(0))).as("nothing is known").containsExactly(0, 1, 2);
    assertThat(counted(table.counting(0b1000))).as("no such tier").containsExactly(0, 1, 2);
  }

  private static int[] counted(TierTable any) {
    return IntStream.range(0, any.countedCount()).map(any::counted).toArray();
  }

  @Test
  void tiersFallBackToSlowerOnesThenToFasterOnes() {
    assertThat(table.tier(0).fallback()).containsExactly(1, 2);
    assertThat(table.tier(1).fallback()).containsExactly(2, 0);
    assertThat(table.tier(2).fallback()).containsExactly(1, 0);
  }

  @Test
  void anUnknownTierIsNamedBesideTheKnownOnes() {
    assertThat(table.find("tape")).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table.require("tape"))
        .withMessage("unknown tier \"tape\"; the tier table has: nvme, sata, disk");
  }

  @Test
  void refusesTablesThatMakeNoSense() {
    refuses(List.of(), "empty");
    refuses(List.of(tier(1, "nvme")), "has index 1 but stands at 0");
    refuses(List.of(tier(0, "nvme"), tier(1, "nvme")), "two tiers are named nvme");
    refuses(List.of(tier(0, "nvme", 0)), "fallback index 0 is no other tier");
    refuses(List.of(tier(0, "nvme", 1)), "fallback index 1 is no other tier");
    refuses(List.of(tier(0, "nvme", -1)), "fallback index -1 is no other tier");
    refuses(
        IntStream.rangeClosed(0, TierTable.COUNT_MAX).mapToObj(i -> tier(i, "tier" + i)).toList(),
        "64 tiers, at most 63");
  }

  private static void refuses(List<Tier> tiers, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TierTable.ofTiers(tiers))
        .withMessageContaining(message);
  }

  private static Tier tier(int index, String name, Integer... fallback) {
    return new Tier(index, name, DeviceClass.unmeasured(name), List.of(fallback));
  }
}
