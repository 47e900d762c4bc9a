package io.tierwise.lab.testbed.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.lab.dfsio.ClientKeysFor;
import io.tierwise.lab.testbed.plan.DeviceKind;
import io.tierwise.policies.placement.PlacementPolicies;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BenchPhaseTest {
  static List<BenchPhase.Row> rows() {
    return BenchPhase.all().stream().flatMap(phase -> phase.rows().stream()).toList();
  }

  @Test
  void everyPhaseMeasuresStockHotFirst() {
    assertThat(BenchPhase.all())
        .allSatisfy(
            phase ->
                assertThat(phase.rows().get(0))
                    .isEqualTo(new BenchPhase.Row(BenchDataSet.HOT, "stock")));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void everyRowNamesAPlacementAndAStrategyThatExist(BenchPhase.Row row) {
    assertThatCode(() -> ClientKeysFor.access(row.specification(6.25e6)))
        .doesNotThrowAnyException();
    if (row.data().placement() != null) {
      TierTable tiers =
          TierTable.of(
              Arrays.stream(DeviceKind.values())
                  .map(kind -> DeviceClass.unmeasured(kind.tier()))
                  .toList());
      assertThatCode(() -> PlacementPolicies.parse(row.data().placement(), tiers, Map.of()))
          .doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hybrid", "auto"})
  void strategiesThatWeighLinksAreToldTheirSpeed(String access) {
    BenchPhase.Row row = new BenchPhase.Row(BenchDataSet.HYBRID, access);
    assertThat(row.specification(62.5e6)).isEqualTo(access + ":link-megabytes-per-second=63");
    assertThat(row.specification(0.1e6)).isEqualTo(access + ":link-megabytes-per-second=1");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 8, 2, 3, 1000, --tasks",
    "2, 0, 2, 3, 1000, --file-megabytes",
    "2, 8, 0, 3, 1000, --block-mebibytes",
    "2, 8, 2, 0, 1000, --repeats",
    "2, 8, 2, 3, 0, --links"
  })
  void settingsNameTheOptionAndTheValueThatAreWrong(
      int tasks, int megabytes, int block, int repeats, int link, String option) {
    assertThatThrownBy(
            () ->
                new BenchSettings(
                    "tw",
                    "f",
                    "r",
                    tasks,
                    megabytes,
                    block,
                    repeats,
                    List.of(link),
                    BenchSuite.ALL,
                    EnumSet.allOf(ReadsPart.class),
                    1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(option + " is ");
  }
}
