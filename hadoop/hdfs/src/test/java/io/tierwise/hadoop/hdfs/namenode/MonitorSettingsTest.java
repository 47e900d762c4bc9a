package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MonitorSettingsTest {
  private final Configuration conf = new Configuration(false);
  private final List<String> problems = new ArrayList<>();

  private MonitorSettings read() {
    return MonitorSettings.of(conf, problems::add);
  }

  @Test
  void withoutKeysItFindsAndItsDefaultsHold() {
    assertThat(read()).isEqualTo(MonitorSettings.DEFAULT);
    assertThat(MonitorSettings.DEFAULT.enabled()).isTrue();
    assertThat(MonitorSettings.DEFAULT.restFactor()).isEqualTo(49);
    assertThat(problems).isEmpty();
  }

  @Test
  void goodValuesHold() {
    conf.set(MonitorSettings.ENABLED_KEY, "FALSE");
    conf.set(MonitorSettings.INTERVAL_KEY, " 5 ");
    conf.set(MonitorSettings.QUEUE_KEY, "7");
    conf.set(MonitorSettings.HOLD_KEY, "1");
    conf.set(MonitorSettings.LOCK_KEY, "50");
    conf.set(MonitorSettings.UNDO_WINDOW_KEY, "11");
    conf.set(MonitorSettings.BACK_OFF_KEY, "13");
    assertThat(read()).isEqualTo(new MonitorSettings(false, 5, 7, 1, 50, 11, 13));
    assertThat(problems).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    MonitorSettings.ENABLED_KEY + ", maybe",
    MonitorSettings.INTERVAL_KEY + ", 0",
    MonitorSettings.INTERVAL_KEY + ", 60s",
    MonitorSettings.INTERVAL_KEY + ", 99999999999999999999",
    MonitorSettings.QUEUE_KEY + ", -1",
    MonitorSettings.QUEUE_KEY + ", 2000000000",
    MonitorSettings.HOLD_KEY + ", 1.5",
    MonitorSettings.LOCK_KEY + ", 100",
    MonitorSettings.UNDO_WINDOW_KEY + ", never",
    MonitorSettings.BACK_OFF_KEY + ", 0"
  })
  void aBadValueIsToldInOneLineThatNamesItAndTheDefaultHolds(String key, String value) {
    conf.set(key, value);
    assertThat(read()).isEqualTo(MonitorSettings.DEFAULT);
    assertThat(problems)
        .singleElement()
        .satisfies(line -> assertThat(line).contains(key, value, "holds").doesNotContain("\n"));
  }
}
