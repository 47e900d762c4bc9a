package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.JournaledMoves;
import io.tierwise.lab.embedded.EmbeddedYarn;
import io.tierwise.policies.movement.AdaptivePlacement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The daemon beside applications of Spark's type that wait on a real YARN, whose queue is full.
 * Spark itself is run by {@code PrefetchForSparkIT}.
 */
class WaitingSparkIT {
  /** For the input and the intermediate data of one application. */
  private static final long REGION_BYTES = 250_000;

  private static final String END = "/end";

  /** A map of 200 ms that reads one file, and spills. */
  private static final String EVENT_LOG =
      """
      {"Event":"SparkListenerLogStart","Spark Version":"4.2.0"}
      {"Event":"SparkListenerApplicationStart","App Name":"count",\
      "App ID":"application_1700000000000_0001","Timestamp":1700000000000,"User":"ann"}
      {"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":1700000000000,\
      "Stage Infos":[{"Stage ID":0,"Number of Tasks":1,"Parent IDs":[]}],"Properties":{}}
      {"Event":"SparkListenerTaskEnd","Stage ID":0,"Task End Reason":{"Reason":"Success"},\
      "Task Info":{"Task ID":0,"Host":"a","Launch Time":1700000000000,\
      "Finish Time":1700000000200},"Task Metrics":{"Executor CPU Time":5000000,\
      "Disk Bytes Spilled":0,"Shuffle Write Metrics":{"Shuffle Bytes Written":80000},\
      "Input Metrics":{"Bytes Read":100000},"Output Metrics":{"Bytes Written":0}}}
      {"Event":"SparkListenerApplicationEnd","Timestamp":1700000000200}
      """;

  @TempDir private Path folder;

  /** Its event log is where a cluster keeps them. */
  private void learn(OneNode node) throws IOException {
    Path logs = Files.createDirectory(folder.resolve("logs"));
    Files.writeString(logs.resolve("application_1700000000000_0001"), EVENT_LOG);
    assertThat(node.learn(logs.toString()).out()).contains("added 1 run");
  }

  private static String file(String directory) {
    return directory + "/part-0";
  }

  /** An application whose input is on a disk. */
  private static ApplicationId submit(OneNode node, SparkSubmissions spark, String directory)
      throws Exception {
    node.hdfs().write(file(directory), 1);
    assertThat(node.type(file(directory))).isEqualTo(StorageType.DISK);
    return spark.submit("count", directory, file(directory), END);
  }

  private static void awaitState(EmbeddedYarn yarn, ApplicationId id, YarnApplicationState state)
      throws Exception {
    await("it is " + state, () -> yarn.report(id).getYarnApplicationState() == state);
  }

  @Test
  void oneFindsItsInputInTheFastTierWhenItStartsAndLeavesItToTheNextInTheEnd() throws Exception {
    try (OneNode node = new OneNode(folder);
        SparkSubmissions spark =
            new SparkSubmissions(node.hdfs().fs(), node.yarn().configuration())) {
      EmbeddedYarn yarn = node.yarn();
      learn(node);
      ApplicationId other = yarn.occupy();
      ApplicationId first = submit(node, spark, "/data/first");
      try (DaemonThread daemon = node.daemon(REGION_BYTES)) {
        await("its input comes", () -> node.type("/data/first/part-0") == StorageType.SSD);
        await("NodeManagers are told", node::tells);
        assertThat(yarn.report(first).getYarnApplicationState())
            .isEqualTo(YarnApplicationState.ACCEPTED);
        daemon.awaitSaid("job count (" + first);
        assertThat(daemon.lastSaid("job count")).contains("between phases go to ssd");
        assertThat(JournaledMoves.of(node.journal(), "ssd")).containsExactly(file("/data/first"));
        assertThat(JobInput.reasons(node.journal())).containsExactly(AdaptivePlacement.NAME);

        yarn.kill(other);
        awaitState(yarn, first, YarnApplicationState.RUNNING);
        ApplicationId second = submit(node, spark, "/data/second");
        daemon.awaitSaid("no more: the temporary region has no room");
        assertThat(node.type(file("/data/first"))).as("it runs").isEqualTo(StorageType.SSD);

        yarn.kill(second);
        node.hdfs().fs().create(AuditedHdfs.hadoop(END)).close();
        awaitState(yarn, first, YarnApplicationState.FINISHED);
        assertThat(yarn.report(first).getDiagnostics())
            .as("its input and its directories")
            .matches("\\[SSD] [^,]*-localDir-nm-0_0/[^,]*");
        await("NodeManagers are told nothing of it", () -> !node.tells());
        assertThat(node.type(file("/data/first")))
            .as("nothing needs its room")
            .isEqualTo(StorageType.SSD);

        ApplicationId another = yarn.occupy();
        ApplicationId third = submit(node, spark, "/data/third");
        await(
            "the next one's input comes", () -> node.type("/data/third/part-0") == StorageType.SSD);
        assertThat(node.type(file("/data/first"))).isEqualTo(StorageType.DISK);
        daemon.awaitSaid("makes room: 1 file to disk");
        // YARN, when it stops, waits for what still runs.
        yarn.kill(third);
        yarn.kill(another);
      }
    }
  }
}
