package io.tierwise.hadoop.autotier.profiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.history.RunRecord;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkClientTest {
  private static final String START =
      "{\"Event\":\"SparkListenerApplicationStart\",\"App Name\":\"x\",\"App ID\":\"local-1\","
          + "\"Timestamp\":1763899200000}\n";
  private static final String END =
      "{\"Event\":\"SparkListenerApplicationEnd\",\"Timestamp\":1763899206000}\n";

  @TempDir private Path folder;
  private Path source;
  private EventLogs logs;

  @BeforeEach
  void make() throws IOException {
    source = Files.createDirectory(folder.resolve("conf"));
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "file:///");
    logs =
        EventLogs.make(
            FileSystem.getLocal(conf),
            conf,
            new org.apache.hadoop.fs.Path(folder.resolve("logs").toUri()));
  }

  private Properties settings(SparkClient client, String tier, String tag) throws IOException {
    Path written = Path.of(client.environment(tier, tag).get("SPARK_CONF_DIR"));
    Properties settings = new Properties();
    try (Reader in = Files.newBufferedReader(written.resolve("spark-defaults.conf"))) {
      settings.load(in);
    }
    return settings;
  }

  @Test
  void applicationsAskForTheTierAndLogWhereItIsFoundAndAllElseIsTheUsersOwn() throws IOException {
    String own =
        """
        # ours
        spark.master yarn
        spark.driver.extraJavaOptions=-Da=b -Dc:d
        spark.yarn.tags nightly
        spark.eventLog.dir hdfs:///spark-logs
        spark.eventLog.compression.codec lz4
        """;
    Files.writeString(source.resolve("spark-defaults.conf"), own);
    Files.writeString(source.resolve("log4j2.properties"), "status = error");
    Path copy;
    try (SparkClient client = SparkClient.of(source, logs, OwnFolders.of(new Journal(folder)))) {
      settings(client, "disk", "mark-1");
      Properties settings = settings(client, "ssd", "mark-2");

      assertThat(settings)
          .containsEntry("spark.master", "yarn")
          .containsEntry("spark.driver.extraJavaOptions", "-Da=b -Dc:d")
          .containsEntry("spark.yarn.tags", "nightly,mark-2")
          .containsEntry("spark.executorEnv.TIERWISE_INTERMEDIATE", "ssd")
          .containsEntry("spark.yarn.appMasterEnv.TIERWISE_INTERMEDIATE", "ssd")
          .containsEntry("spark.eventLog.enabled", "true")
          .containsEntry("spark.eventLog.compression.codec", "zstd");
      Path log = Path.of(URI.create(settings.getProperty("spark.eventLog.dir")).getPath());
      assertThat(log).isDirectory().hasFileName("mark-2");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log)))
          .isEqualTo("rwxrwxrwx");
      copy = Path.of(client.environment("ssd", "mark-2").get("SPARK_CONF_DIR"));
      assertThat(copy.resolve("log4j2.properties")).hasContent("status = error");
    }
    assertThat(folder.resolve("logs")).doesNotExist();
    assertThat(copy).doesNotExist();
    assertThat(source.resolve("spark-defaults.conf")).hasContent(own);
  }

  @Test
  void aDamagedConfigurationIsRefusedBeforeAnythingIsMade() throws IOException {
    SparkClient.require(null);
    SparkClient.require(folder.resolve("absent"));
    Path defaults = Files.writeString(source.resolve("spark-defaults.conf"), "a \\u12");
    assertThatThrownBy(() -> SparkClient.require(source))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("cannot read " + defaults + ": ");
    logs.close();
  }

  @Test
  void wholeLogsAreReadAndOthersAreNamed() throws IOException {
    try (SparkClient client = SparkClient.of(source, logs, OwnFolders.of(new Journal(folder)))) {
      client.environment("ssd", "a-run");
      Path run = folder.resolve("logs").resolve("a-run");
      Files.writeString(run.resolve("local-1"), START + END);
      Files.writeString(run.resolve("local-2"), START);
      Files.writeString(run.resolve("local-3.inprogress"), START);
      EventLogs.Found found = client.found("a-run", false, new StopSign());

      assertThat(found.runs()).extracting(RunRecord::id).containsExactly("local-1");
      assertThat(found.problems())
          .satisfiesExactlyInAnyOrder(
              cut -> assertThat(cut).contains("local-2", "ends before application"),
              open -> assertThat(open).contains("local-3.inprogress", "has not ended"));
    }
  }

  @Test
  void aCommandThatStartsSparkNeedsItsConfiguration() throws IOException {
    List<String> command = List.of("nice", "/opt/spark/bin/spark-submit", "x.jar");
    assertThatThrownBy(() -> SparkClient.requireKnown(null, command))
        .isInstanceOf(OperatorException.class)
        .hasMessageContainingAll("/opt/spark/bin/spark-submit", "SPARK_HOME", "--spark-conf");
    assertThatCode(() -> SparkClient.requireKnown(source, command)).doesNotThrowAnyException();
    assertThatCode(() -> SparkClient.requireKnown(null, List.of("hadoop", "jar", "x.jar")))
        .doesNotThrowAnyException();
    try (SparkClient none = SparkClient.of(null, null, null, "mark", null)) {
      assertThat(none.environment("ssd", "tag")).isEmpty();
      assertThat(none.found("tag", true, new StopSign()).runs()).isEmpty();
    }
    logs.close();
  }
}
