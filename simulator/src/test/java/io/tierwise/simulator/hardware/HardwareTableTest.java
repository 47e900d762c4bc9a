package io.tierwise.simulator.hardware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HardwareTableTest {
  private static final String TABLE =
      """
      devices:
        - {name: d, class: c, wattsIdle: 1, source: s, confidence: quoted}
      servers:
        - {name: s, processor: p, cores: 8, memoryGigabytes: 16, wattsIdle: 60, wattsBusy: 200, source: x}
      """;

  @Test
  void hasASourceForEveryRow() {
    HardwareTable table = HardwareTable.bundled();
    assertThat(table.devices())
        .hasSize(19)
        .allSatisfy(device -> assertThat(device.source()).isNotBlank());
    assertThat(table.servers())
        .hasSize(10)
        .allSatisfy(server -> assertThat(server.source()).contains("SPECpower"))
        .allSatisfy(server -> assertThat(server.wattsBusy()).isGreaterThan(server.wattsIdle()));
  }

  @Test
  void saysThatAFigureIsNotKnownAndNeverGuesses() {
    DeviceFigures device = HardwareTable.read(TABLE).devices().get(0);
    assertThat(device.wattsIdle()).isEqualTo(1);
    assertThat(device.wattsActive()).isNaN();
    assertThat(device.readBytesPerSecond()).isNaN();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "wattsIdle: 1,|wattsIdle: -1,|hardware.yaml.devices[0].wattsIdle: must be a number above 0",
        "confidence: quoted|confidence: sure|devices[0].confidence: must be quoted or secondary",
        "cores: 8|cors: 8|hardware.yaml.servers[0].cors: is an unknown key, is '8'",
        "wattsBusy: 200,||hardware.yaml.servers[0].wattsBusy: must be a number above 0, is 'null'",
      })
  void namesThePlaceOfAMistake(String good, String bad, String problem) {
    String yaml = TABLE.replace(good, bad == null ? "" : bad);
    assertThatThrownBy(() -> HardwareTable.read(yaml)).hasMessageContaining(problem);
  }
}
