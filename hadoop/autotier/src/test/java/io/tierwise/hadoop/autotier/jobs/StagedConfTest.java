package io.tierwise.hadoop.autotier.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.hadoop.autotier.jobs.StagedSplits.Unusable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StagedConfTest {
  private static final String FILE = "__spark_conf__.properties";

  private static byte[] archive(String settings) throws Exception {
    return StagedJobs.zip(Map.of(FILE, settings));
  }

  @Test
  void pathsAreThoseOfTheKey() throws Exception {
    assertThat(
            StagedConf.input(
                archive(
                    "#Spark\nspark.app.name=a\nspark.tierwise.input=/a b, hdfs\\://nn/c,,/\\u00e4\n")))
        .containsExactly("/a b", "hdfs://nn/c", "/\u00e4");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "spark.tierwise.input=\n", "spark.tierwise.input= , \n"})
  void whoSaysNothingIsToldHow(String settings) throws Exception {
    byte[] archive = archive(settings);
    assertThatThrownBy(() -> StagedConf.input(archive))
        .isInstanceOf(Unusable.class)
        .hasMessage("it does not say what it reads: by --conf spark.tierwise.input=PATH,...");
  }

  @Test
  void whatIsNoArchiveOrHasNoSettingsIsDamaged() throws Exception {
    byte[] whole = archive("spark.tierwise.input=/a");
    byte[] cut = Arrays.copyOf(whole, whole.length / 2);
    for (byte[] odd :
        new byte[][] {
          {},
          cut,
          "PK".getBytes(StandardCharsets.UTF_8),
          StagedJobs.zip(Map.of("other", "spark.tierwise.input=/a")),
          archive("spark.tierwise.input=\\u12"),
        }) {
      assertThatThrownBy(() -> StagedConf.input(odd))
          .isInstanceOf(Unusable.class)
          .hasMessage("its archive of settings is damaged");
    }
  }

  /** A thousandth of it when packed. */
  @Test
  void whatUnpacksToALotIsNotUnpacked() throws Exception {
    byte[] other = StagedJobs.zip(Map.of("other", "x".repeat(65 << 20)));
    assertThatThrownBy(() -> StagedConf.input(other))
        .hasMessage("its archive of settings is larger than anybody reads");
    byte[] settings = archive("#" + "x".repeat(5 << 20));
    assertThatThrownBy(() -> StagedConf.input(settings))
        .hasMessage("its settings are larger than anybody reads");
  }
}
