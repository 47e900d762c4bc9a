package io.tierwise.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LossRiskTest {
  private static final double MANY = 1e15;

  /** Source: DerbyhatS, Table 5.1, HDFS rows: the limit of many blocks, to its printed digits. */
  @ParameterizedTest
  @CsvSource({"3, 1000, 6.44e-2", "3, 100, 1.1e-4"})
  void manyBlocksGiveThePrintedTable(int replicas, int nodes, double printed) {
    double risk = LossRisk.ofDay(nodes, replicas, MANY);
    assertThat(risk / printed).isCloseTo(1, within(0.06));
  }

  @Test
  void oneBlockIsLostWhenJustItsNodesFail() {
    // All replicas on 2 of 2 nodes: both must fail.
    assertThat(LossRisk.ofDay(2, 2, 1, 0.1)).isCloseTo(0.01, within(1e-12));
    // 1 replica on 4 nodes, one block: the chance that its node fails.
    assertThat(LossRisk.ofDay(4, 1, 1, 0.25)).isCloseTo(0.25, within(1e-12));
  }

  @Test
  void moreBlocksAreMoreRiskAndMoreReplicasLess() {
    assertThat(LossRisk.ofDay(30, 2, 100)).isLessThan(LossRisk.ofDay(30, 2, 1000));
    assertThat(LossRisk.ofDay(30, 3, 1000)).isLessThan(LossRisk.ofDay(30, 2, 1000));
    assertThat(LossRisk.ofDay(30, 3, 0)).isZero();
    assertThat(LossRisk.ofDay(10_000, 3, MANY)).isBetween(0.99, 1.0 + 1e-9);
  }
}
