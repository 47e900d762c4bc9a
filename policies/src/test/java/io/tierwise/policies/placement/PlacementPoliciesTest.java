package io.tierwise.policies.placement;

import static io.tierwise.policies.placement.Clusters.threeTiers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tierwise.core.cluster.TierTable;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementPoliciesTest {
  private static final TierTable TIERS = threeTiers();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hybrid | hybrid",
        "hybrid:racks=2 | hybrid",
        " hybrid : racks = 3 | hybrid:racks=3",
        "network-aware : tiers = disk + nvme | network-aware:tiers=nvme+disk",
        "tier-aware:rack-safe=true | tier-aware",
        "random:rack-safe=false | random:rack-safe=false",
        "region-aware | region-aware",
        "zone-ratio:0.3 | zone-ratio:nvme+sata=0.3,disk=0.7",
        "zone-ratio:nvme=1/3, sata=1/3, disk=1/3 | zone-ratio:nvme=1/3,sata=1/3,disk=1/3",
        "zone-ratio:0.07,scope=directory | zone-ratio:nvme+sata=0.07,disk=0.93,scope=directory",
        "layout:1 x nvme + 1  x nvme + 2 x any | layout:2 x nvme + 2 x any",
        "layout:2 x nvme on different racks + 1 x disk"
            + "| layout:2 x nvme on different racks + 1 x disk",
        "layout:1 x sata on the writer's node in region east + 2 x any on the same rack"
            + "| layout:1 x sata on the writer's node in region east + 2 x any on the same rack",
        "layout:3 x any in region 002 | layout:3 x any in region 002",
        "layout:1 x any in region #2 + 2 x any | layout:1 x any in region #2 + 2 x any",
        "layout:cold | layout:cold"
      })
  void readsASpecificationAndNamesItCanonically(String text, String canonical) {
    assertThat(PlacementPolicies.parse(text, TIERS, Map.of("cold", "3 x disk")).name())
        .isEqualTo(canonical);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fastest | unknown placement policy \"fastest\"; known: network-aware, tier-aware, hybrid",
        "'' | unknown placement policy \"\"",
        "Hybrid | unknown placement policy \"Hybrid\"",
        "stock | the host's own placement",
        "hybrid: | nothing stands after the colon",
        "hybrid:fast=true | \"fast=true\" is no setting; allowed: racks=2 or racks=3",
        "hybrid:racks=4 | \"racks=4\" is no setting; allowed: racks=2 or racks=3",
        "network-aware:tiers=nvme+tape | unknown tier \"tape\"; the tier table has: nvme, sata, disk",
        "network-aware:tiers= | unknown tier \"\"",
        "network-aware:tiers=nvme+nvme | \"nvme\" stands twice",
        "network-aware:racks=2 | \"racks=2\" is no setting; allowed: tiers=TIER+TIER",
        "tier-aware:rack-safe=maybe | allowed: rack-safe=true or rack-safe=false",
        "zone-ratio | write zone-ratio:SHARE",
        "zone-ratio:1.5 | \"1.5\" is no share: write a number from 0 to 1",
        "zone-ratio:-0.1 | \"-0.1\" is no share",
        "zone-ratio:NaN | \"NaN\" is no share",
        "zone-ratio:nvme=0.5 | the shares add up to 0.5, they must add up to 1",
        "zone-ratio:nvme=0.5,disk=0.6 | the shares add up to more than 1",
        "zone-ratio:nvme=0.5,nvme+disk=0.5 | a tier belongs to two zones",
        "zone-ratio:0.5,disk=0.5 | a tier belongs to two zones",
        "zone-ratio:nvme=0.5,0.5 | write TIER+TIER=SHARE",
        "zone-ratio:nvme=0.5,tape=0.5 | unknown tier \"tape\"",
        "zone-ratio:0.5,scope=cluster | write scope=file or scope=directory",
        "zone-ratio:0.5, | write TIER+TIER=SHARE",
        "zone-ratio:0.5,scope=directory,scope=file | scope stands twice",
        "layout | write layout:COUNT x TIER",
        "layout:hot | unknown layout \"hot\"; defined: cold",
        "layout:2 x tape | unknown tier \"tape\"",
        "layout:0 x nvme | \"0\" is no count: write a number from 1 to 512",
        "layout:513 x nvme | \"513\" is no count",
        "layout:-1 x nvme | \"-1\" is no count",
        "layout:300 x nvme + 300 x disk | has more than 512 replicas",
        "layout:2 nvme | is not understood: write COUNT x TIER",
        "layout:2 x nvme on other racks | is not understood",
        "layout:2 x nvme in region | is not understood",
        "layout:2 x nvme in region a b | is not understood",
        "layout:2 x nvme + | is not understood",
        "layout:+ 2 x nvme | is not understood"
      })
  void badSpecificationsGiveOneLineThatNamesTheValueAndWhatIsAllowed(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlacementPolicies.parse(text, TIERS, Map.of("cold", "3 x disk")))
        .satisfies(e -> assertThat(e.getMessage()).contains(message).hasLineCount(1));
  }

  @Example
  void ratioNeedsAFastAndASlowTier() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlacementPolicies.parse("zone-ratio:0.3", Clusters.tiers("disk")))
        .withMessage("zone-ratio:0.3 needs a fast and a slow tier; the tier table has: disk");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlacementPolicies.parse("zone-ratio:0.3", TIERS.counting(0b010)))
        .withMessage(
            "zone-ratio:0.3 needs a fast and a slow tier; the only tier with a volume is: sata");
  }

  @Example
  void aNamedLayoutThatIsWrongSaysSo() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlacementPolicies.parse("layout:cold", TIERS, Map.of("cold", "3 x tape")))
        .withMessageContaining("unknown tier \"tape\"");
  }

  @Example
  void everyPolicyIsListedUnderTheNameThatTheReaderKnows() {
    for (var policy : PlacementPolicies.all()) {
      assertThat(policy.usage()).startsWith(policy.name());
      assertThat(policy.summary()).isNotBlank().hasLineCount(1);
      // The reader may refuse a bare name, but never as unknown.
      try {
        assertThat(PlacementPolicies.parse(policy.name(), TIERS).name()).isEqualTo(policy.name());
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("write " + policy.name() + ":");
      }
    }
  }

  @Property(tries = 2000)
  void anyTextIsEitherReadOrRefusedInOneLine(
      @ForAll @StringLength(max = 300) String tail, @ForAll long seed) {
    String[] heads = {"", "layout:", "zone-ratio:", "network-aware:tiers=", "layout:2 x nvme "};
    String text = heads[new SplittableRandom(seed).nextInt(heads.length)] + tail;
    try {
      String name = PlacementPolicies.parse(text, TIERS).name();
      assertThat(PlacementPolicies.parse(name, TIERS).name()).isEqualTo(name);
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotBlank().hasLineCount(1);
    }
  }

  @Property
  void generatedLayoutsAndRatiosAreReadBackAsTheyAreNamed(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    String text = random.nextBoolean() ? layout(random) : zoneRatio(random);
    PlacementPolicy policy = PlacementPolicies.parse(text, TIERS);
    PlacementPolicy again = PlacementPolicies.parse(policy.name(), TIERS);
    assertThat(again.name()).isEqualTo(policy.name());
    PlacementRequest request = Clusters.newBlock(5, 3);
    var view = Clusters.uniform(TIERS, 2, 2, 3);
    assertThat(again.place(request, view, new SplittableRandom(seed)))
        .isEqualTo(policy.place(request, view, new SplittableRandom(seed)));
  }

  private static String layout(SplittableRandom random) {
    String[] tiers = {"nvme", "sata", "disk", "any"};
    String[] places = {"", " on different racks", " on the same rack", " on the writer's node"};
    String[] regions = {"", " in region region1", " in region 0", " in region #1"};
    StringBuilder text = new StringBuilder("layout:");
    int parts = random.nextInt(1, 5);
    for (int i = 0; i < parts; i++) {
      text.append(i == 0 ? "" : " + ")
          .append(random.nextInt(1, 4))
          .append(" x ")
          .append(tiers[random.nextInt(tiers.length)])
          .append(places[random.nextInt(places.length)])
          .append(regions[random.nextInt(regions.length)]);
    }
    return text.toString();
  }

  private static String zoneRatio(SplittableRandom random) {
    int fast = random.nextInt(0, 1001);
    int middle = random.nextInt(0, 1001 - fast);
    String scope = random.nextBoolean() ? ",scope=directory" : "";
    return String.format(
        "zone-ratio:nvme=%d/1000,sata=%d/1000,disk=%d/1000%s",
        fast, middle, 1000 - fast - middle, scope);
  }

  @ParameterizedTest
  @ValueSource(strings = {"+", " + ", "1 x nvme + ", "=", ",", "x ", "on different racks ", "\n"})
  void longHostileTextsAreRefusedAtOnce(String unit) {
    for (String head :
        new String[] {"layout:", "layout:a ", "zone-ratio:", "network-aware:tiers="}) {
      String shortest = head + unit.repeat((1024 - head.length()) / unit.length());
      Assertions.assertTimeoutPreemptively(
          Duration.ofSeconds(20),
          () ->
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> PlacementPolicies.parse(shortest, TIERS))
                  .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(600)));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlacementPolicies.parse("layout:" + "1 x nvme + ".repeat(1000), TIERS))
        .withMessageContaining("at most 1024 are allowed");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LayoutPlacement.of("1 x nvme + ".repeat(1000), TIERS))
        .withMessageContaining("longer than 4096");
  }
}
