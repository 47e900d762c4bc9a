package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class StrategySelectorTest {
  private static final String TOLD = "auto:link-megabytes-per-second=125";

  private static String strategy(String ofClient, String ofNameNode) {
    Configuration conf = new Configuration(false);
    conf.set(ClientKeys.STRATEGY, ofClient);
    conf.set(TierwiseTopology.STRATEGY, ofNameNode);
    return StrategySelector.of(conf, TierConfiguration.load(conf), "cluster", directory -> null)
        .of("/file")
        .strategy()
        .name();
  }

  @Test
  void theNameAloneOfTheNameNodesStrategyTakesItsSettings() {
    assertThat(strategy("auto", TOLD)).isEqualTo(TOLD);
  }

  @Test
  void settingsOfTheClientStay() {
    assertThat(strategy("auto:link-megabytes-per-second=12", TOLD))
        .isEqualTo("auto:link-megabytes-per-second=12");
  }

  @Test
  void anotherStrategyOfTheNameNodeChangesNothing() {
    assertThat(strategy("hybrid", TOLD)).isEqualTo("hybrid");
    assertThat(strategy("auto", "")).isEqualTo("auto");
  }

  /** The client then says so as of a text that it does not know, and closes what it opened. */
  @Test
  void aStrategyThatMakesNoSessionIsRefusedInOneLine() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> strategy("without-session", ""))
        .withMessage(
            "tierwise.access.strategy: access strategy without-session failed:"
                + " java.lang.NoSuchMethodError: planted");
  }

  @Test
  void aStrategyThatTheNameNodeDoesNotUnderstandFailsNoClient() {
    assertThat(strategy("auto", "auto:link-megabytes-per-second=fast")).isEqualTo("auto");
  }
}
