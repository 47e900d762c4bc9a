package io.tierwise.hadoop.autotier.profiling;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.movement.PredictedSeconds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationChoiceTest {
  private static final ConfigurationChoice.Job JOB = new ConfigurationChoice.Job(1_000, 500);

  /** Of a tier table without measured speeds, which decide nothing here. */
  private static ConfigurationChoice choice(PredictedSeconds seconds, long roomBytes) {
    TierTable tiers = TierConfiguration.byStorageType().table();
    return ConfigurationChoice.of(
        seconds,
        JOB,
        new ConfigurationChoice.Devices(
            tiers.tier(0).deviceClass(), tiers.tier(tiers.count() - 1).deviceClass(), roomBytes));
  }

  /** Config-1, -4, -3, -2; each has to bring 5% of Config-1's time more than the one before. */
  @ParameterizedTest
  @CsvSource({
    "100, 60, 70, 40, 2",
    "100, 60, 70, 56, 4",
    "100, 96, 70, 66, 3",
    "100, 96, 97, 96, 1",
    "100, 120, 130, 110, 1"
  })
  void whatBringsEnoughIsChosen(double one, double four, double three, double two, int number) {
    ConfigurationChoice choice = choice(new PredictedSeconds(one, four, three, two), 1L << 40);

    assertThat(choice.configuration()).isEqualTo(number);
    assertThat(choice.gainShare()).isEqualTo(choice.gainSeconds() / one);
  }

  @Test
  void itSaysWhy() {
    PredictedSeconds seconds = new PredictedSeconds(100, 60, 70, 40);

    assertThat(choice(seconds, 1L << 40).text())
        .isEqualTo("DUX would choose Config-2, which takes 60 s (60.0%) less than Config-1");
    assertThat(choice(seconds, 600).text())
        .isEqualTo(
            "DUX would choose Config-4, which takes 40 s (40.0%) less than Config-1; the temporary"
                + " region has no room");
    assertThat(choice(new PredictedSeconds(100, 99, 98, 97), 1L << 40).text())
        .startsWith("DUX would choose Config-1: nothing in the fast tier brings 5.0% of its time");
  }
}
