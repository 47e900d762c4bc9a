package io.tierwise.hadoop.autotier.profiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalRunTest {
  @TempDir private Path folder;
  private Path source;
  private Path told;
  private LocalChoice choice;

  @BeforeEach
  void make() throws IOException {
    source = Files.createDirectory(folder.resolve("conf"));
    told = folder.resolve("told");
    Path ssd = Files.createDirectory(folder.resolve("it's $HOME"));
    choice = LocalChoice.of(LocalTiers.parse(List.of("ssd=" + ssd)), "ssd");
  }

  private int run(String script) throws IOException {
    return new LocalRun(choice, source, List.of("bash", "-c", script, told.toString()))
        .run()
        .orElseThrow();
  }

  @Test
  void theCommandFindsTheDirectoriesAndItsExitCodeIsHandedOn() throws IOException {
    String own = "spark.master local[2]\nspark.local.dir /elsewhere\n";
    Files.writeString(source.resolve("spark-defaults.conf"), own);
    assertThat(run("cp $SPARK_CONF_DIR/spark-defaults.conf $0; echo >> $0; exit 7")).isEqualTo(7);

    Properties settings = SparkDefaults.read(source);
    assertThat(settings).containsEntry("spark.local.dir", "/elsewhere");
    try (var in = Files.newBufferedReader(told)) {
      settings.load(in);
    }
    assertThat(settings)
        .containsEntry("spark.master", "local[2]")
        .containsEntry("spark.local.dir", folder.resolve("it's $HOME").toString())
        .containsEntry("spark.executorEnv.TIERWISE_INTERMEDIATE", "ssd");
    assertThat(source.resolve("spark-defaults.conf")).hasContent(own);
  }

  /** Spark's scripts read it after our environment. */
  @Test
  void aScriptOfTheUsersDoesNotTakeItBack() throws IOException {
    Files.writeString(
        source.resolve("spark-env.sh"), "export SPARK_LOCAL_DIRS=/elsewhere OF_MINE=kept");
    String ssd = folder.resolve("it's $HOME").toString();
    run("printf '%s|' \"$SPARK_LOCAL_DIRS\" $SPARK_CONF_DIR > $0");
    String[] found = Files.readString(told).split("\\|");
    assertThat(found[0]).isEqualTo(ssd);
    assertThat(Path.of(found[1])).as("the copy").isAbsolute().doesNotExist();

    run(". $SPARK_CONF_DIR/spark-env.sh; printf '%s|' \"$SPARK_LOCAL_DIRS\" $OF_MINE > $0");
    assertThat(told).hasContent(ssd + "|kept|");
  }

  @Test
  void aScriptMayBeInAnyEncoding() throws IOException {
    Files.writeString(
        source.resolve("spark-env.sh"),
        "# für die Nacht\nexport OF_MINE=kept\n",
        StandardCharsets.ISO_8859_1);

    assertThat(run(". $SPARK_CONF_DIR/spark-env.sh; printf '%s' \"$OF_MINE\" > $0")).isZero();
    assertThat(told).hasContent("kept");
  }

  @Test
  void withoutRoomAnywhereAllIsAsTheUserHasIt() throws IOException {
    choice = new LocalChoice(null, List.of(), "nothing has room");
    Map<String, String> own = System.getenv();
    assertThat(run("printf '%s|' \"${SPARK_LOCAL_DIRS-}\" \"${SPARK_CONF_DIR-}\" > $0")).isZero();
    assertThat(told)
        .hasContent(
            own.getOrDefault("SPARK_LOCAL_DIRS", "")
                + "|"
                + own.getOrDefault("SPARK_CONF_DIR", "")
                + "|");
  }

  @Test
  void aSparkWhoseConfigurationNobodyNamesIsRefused() {
    assertThatThrownBy(() -> new LocalRun(choice, null, List.of("spark-submit", "a.jar")))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("SPARK_CONF_DIR");
  }
}
