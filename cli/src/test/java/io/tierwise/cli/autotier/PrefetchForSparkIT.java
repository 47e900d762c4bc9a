package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.JournaledMoves;
import io.tierwise.cli.SiteFiles;
import io.tierwise.cli.profile.SparkHome;
import io.tierwise.lab.embedded.EmbeddedYarn;
import io.tierwise.policies.movement.AdaptivePlacement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Spark application is run by Spark's own client, and is learned from by its event log. The next
 * run waits on YARN, whose queue is full, and finds its input in the fast tier when it starts; its
 * intermediate data goes where the daemon said. It says what it reads, and sets nothing else of
 * ours.
 */
@Tag("long")
class PrefetchForSparkIT {
  private static final int LINES = 400_000;
  private static final long REGION_BYTES = 1L << 30;
  private static final int MINUTES_MAX = 5;

  @TempDir private static Path home;
  private static SparkHome spark;

  @TempDir private Path folder;

  @BeforeAll
  static void install() throws Exception {
    spark = new SparkHome(home);
  }

  private static void write(OneNode node, String path) throws IOException {
    try (FSDataOutputStream out = node.hdfs().fs().create(AuditedHdfs.hadoop(path), (short) 1)) {
      for (int i = 0; i < LINES; i++) {
        out.writeBytes("a rose is a rose is a rose\n");
      }
    }
  }

  private Path said(String day) {
    return folder.resolve("spark-" + day);
  }

  private Process submit(OneNode node, String day) throws IOException {
    String input = "/data/" + day;
    write(node, input + "/part-0");
    List<String> words =
        spark.words(
            input + "/part-0",
            "/out/" + day,
            "end",
            "--conf",
            "spark.tierwise.input=" + input,
            "--conf",
            "spark.eventLog.enabled=true",
            "--conf",
            "spark.eventLog.dir=" + node.hdfs().fs().getUri() + "/logs");
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(said(day).toFile());
    builder.environment().put("HADOOP_CONF_DIR", folder.resolve("conf").toString());
    builder.environment().put("SPARK_CONF_DIR", spark.conf().toString());
    return builder.start();
  }

  private void awaitSuccess(Process process, String day) throws Exception {
    assertThat(process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(said(day))).isZero();
  }

  private List<String> printed(String day, String pattern) throws IOException {
    return Pattern.compile(pattern)
        .matcher(Files.readString(said(day)))
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  @Test
  void itFindsItsInputInTheFastTierWhenItStarts() throws Exception {
    try (OneNode node = new OneNode(folder)) {
      EmbeddedYarn yarn = node.yarn();
      SiteFiles.write(folder.resolve("conf"), yarn.configuration());
      node.hdfs().fs().mkdirs(AuditedHdfs.hadoop("/logs"));
      awaitSuccess(submit(node, "monday"), "monday");
      assertThat(printed("monday", "input is on \\[(.*)]")).containsExactly("DISK");
      assertThat(node.learn(node.hdfs().fs().getUri() + "/logs").out()).contains("added 1 run");

      ApplicationId other = yarn.occupy();
      Process second = submit(node, "tuesday");
      try (DaemonThread daemon = node.daemon(REGION_BYTES)) {
        try {
          daemon.awaitSaid("job spark words (application_");
          await(
              "its input comes: " + daemon.said(),
              () -> node.type("/data/tuesday/part-0") == StorageType.SSD);
          assertThat(printed("tuesday", "(input is on)")).as("it waits").isEmpty();
          yarn.kill(other);
          awaitSuccess(second, "tuesday");
        } finally {
          second.destroy();
        }
        assertThat(printed("tuesday", "input is on \\[(.*)]")).containsExactly("SSD");
        boolean isFast = daemon.lastSaid("job spark words").contains("between phases go to ssd");
        assertThat(printed("tuesday", "intermediate data in (/\\S+)"))
            .isNotEmpty()
            .allMatch(each -> each.contains("-localDir-nm-0_0/") == isFast);
        assertThat(JournaledMoves.of(node.journal(), "ssd"))
            .containsExactly("/data/tuesday/part-0");
        assertThat(JobInput.reasons(node.journal())).containsExactly(AdaptivePlacement.NAME);
        await("NodeManagers are told nothing of it", () -> !node.tells());
      }
    }
  }
}
