package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredPriceTest {
  private static double dollarsPerGigabyte(String... settings) throws IOException {
    ScenarioFiles files =
        ScenarioFiles.parse(
            """
            devices:
              cheap: {based-on: hdd, price: $0.03}
              dear: {based-on: sata-ssd, price: $0.7}
            nodes:
              both: {volumes: [{device: cheap}, {device: dear, temporary: false}]}
            cluster: {racks: [{nodes: [{kind: both, count: 4}]}]}
            tiers: [dear, cheap]
            workload: {dfsio: {tasks: 7, file: 77777777 B}}
            """,
            "price");
    for (String setting : settings) {
      files = files.with(setting, "--set");
    }
    return Simulation.of(files.scenario()).run(Progress.NONE).atEnd().dollarsPerGigabyte();
  }

  /** Else a case would win over another one by the order in which prices were added. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void whereAllCostsTheSameTheMeanIsThatPriceToTheLastDigit(int replication) throws IOException {
    String placement = "policies.placement=layout:" + replication + " x cheap";

    assertThat(dollarsPerGigabyte(placement, "policies.replication=" + replication))
        .isEqualTo(0.03);
  }

  @Test
  void bytesOfSeveralPricesCountByTheirShares() throws IOException {
    assertThat(dollarsPerGigabyte("policies.placement=layout:1 x dear + 2 x cheap"))
        .isCloseTo((0.7 + 2 * 0.03) / 3, within(1e-12));
  }
}
