package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AutotierSettingsTest {
  private static AutotierSettings below(String... directories) {
    return new AutotierSettings("ppa", 3_600_000, 20, 3, 0, List.of(directories), 1_000);
  }

  @Test
  void filesElsewhereAreNotItsBusiness() {
    AutotierSettings settings = below("/data/", "/logs");
    assertThat(settings.covers("/data/a")).isTrue();
    assertThat(settings.covers("/logs/x/y")).isTrue();
    assertThat(settings.covers("/database/a")).isFalse();
    assertThat(below().covers("/any")).isTrue();
    assertThat(below("/").covers("/any")).isTrue();
    assertThat(below("/").covers("/.reserved/.inodes/16418")).isFalse();
    assertThat(below().covers("/.reserved/raw/any")).isFalse();
    assertThat(settings.covers("/data/.snapshot/monday/a")).isFalse();
  }

  @Test
  void aDirectoryAboveCoveredOnesMayHaveThem() {
    AutotierSettings settings = below("/data/a");
    assertThat(settings.mayCover("/data")).isTrue();
    assertThat(settings.mayCover("/")).isTrue();
    assertThat(settings.mayCover("/data/a/x")).isTrue();
    assertThat(settings.mayCover("/dat")).isFalse();
    assertThat(settings.mayCover("/data/b")).isFalse();
    assertThat(below().mayCover("/any")).isTrue();
  }

  @Test
  void saysWholeDaysAsPeopleDo() {
    assertThat(AutotierSettings.text(Duration.ofDays(7))).isEqualTo("7 d");
    assertThat(AutotierSettings.text(Duration.ofHours(36))).isEqualTo("36.0 h");
    assertThat(AutotierSettings.text(Duration.ofSeconds(5))).isEqualTo("5.0 s");
  }

  @Test
  void badInputIsNamed() {
    assertThatThrownBy(() -> below("/data").toBuilder().unreadFor(Duration.ofHours(2)).build())
        .hasMessageStartingWith("--secondary 2.0 h is shorter than --hold 3 windows");
    assertThatThrownBy(() -> below("data"))
        .hasMessageContaining("--below data is no absolute path");
    assertThatThrownBy(() -> new AutotierSettings("ppa", 1_000, -1, 3, 0, List.of(), 1))
        .hasMessageContaining("--extra -1.0");
    assertThatThrownBy(() -> new AutotierSettings("ppa", 1_000, 1, 1 << 30, 0, List.of(), 1))
        .hasMessage("--hold 1073741824 is too much: give 10000 or less");
    assertThatThrownBy(() -> new AutotierSettings("pa", 1_000, 1, 3, 0, List.of(), 1).decisions())
        .hasMessageContaining("--predictor: unknown popularity predictor \"pa\"");
  }
}
