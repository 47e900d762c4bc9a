package io.tierwise.simulator.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Event logs as Spark leaves them: rolled into parts, and of data that it keeps. */
class SparkLogsTest {
  @TempDir private Path folder;

  /** One line a part, as Spark rolls a log of many gigabytes. */
  private Path roll(String application, String log) throws IOException {
    Path rolled = Files.createDirectory(folder.resolve("eventlog_v2_" + application));
    List<String> lines = log.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      TraceText.file(
          rolled, "events_" + (i + 1) + "_" + application + ".gz", TraceText.gzip(lines.get(i)));
    }
    TraceText.file(rolled, "appstatus_" + application, "");
    TraceText.file(rolled, ".events_1_" + application + ".crc", "a checksum");
    return rolled;
  }

  @Test
  void aRolledLogIsOneApplicationAlsoWithTenPartsAndMore() throws IOException {
    String log = TraceText.sparkLog("app-1", 1_000);
    assertThat(log.lines().count()).isGreaterThan(10);
    List<JobSpec> whole =
        TraceText.read(TraceText.spec("spark", TraceText.file(folder, "app-1", log)));
    Files.delete(folder.resolve("app-1"));
    Path rolled = roll("app-1", log);

    assertThat(figures(TraceText.read(TraceText.spec("spark", rolled)))).isEqualTo(figures(whole));
    TraceText.file(folder, "app-0", TraceText.sparkLog("app-0", 500));
    List<JobSpec> both = TraceText.read(TraceText.spec("spark", folder));
    assertThat(both)
        .extracting(JobSpec::name)
        .containsAll(whole.stream().map(JobSpec::name).toList());
    assertThat(both).hasSize(2 * whole.size());
  }

  /** Names of stages' inputs hold the file's, which differs. */
  private static List<String> figures(List<JobSpec> jobs) {
    return jobs.stream()
        .map(
            job ->
                String.join(
                    " ",
                    job.name(),
                    "" + job.inputBytes(),
                    "" + job.mapOutputBytes(),
                    "" + job.outputBytes(),
                    "" + job.stages().size()))
        .toList();
  }

  @Test
  void aRolledLogThatLacksAPartIsRefused() throws IOException {
    Path rolled = roll("app-1", TraceText.sparkLog("app-1", 1_000));
    Files.delete(rolled.resolve("events_2_app-1.gz"));

    assertThatThrownBy(() -> TraceText.read(TraceText.spec("spark", folder)))
        .hasMessageContaining("eventlog_v2_app-1: lacks files of the log");
  }

  private static String job(int id, String level) {
    return """
        {"Event":"SparkListenerJobStart","Job ID":%d,"Submission Time":%d,"Stage Infos":[\
        {"Stage ID":%d,"Number of Tasks":2,"RDD Info":[{"RDD ID":1,"Name":"kept",\
        "Storage Level":{%s}}],"Parent IDs":[]}],"Properties":{}}
        %s%s{"Event":"SparkListenerJobEnd","Job ID":%d,"Completion Time":9}
        """
        .formatted(id, 1_000 + id, id, level, task(id, 0), task(id, 1), id);
  }

  private static String task(int stage, int part) {
    return """
        {"Event":"SparkListenerTaskEnd","Stage ID":%d,"Task End Reason":{"Reason":"Success"},\
        "Task Info":{"Index":%d},"Task Metrics":{"Input Metrics":{"Bytes Read":500}}}
        """
        .formatted(stage, part);
  }

  @Test
  void aStageOfKeptDataReadsNothingFromDisks() throws IOException {
    String start =
        """
        {"Event":"SparkListenerApplicationStart","App Name":"loop","App ID":"a","Timestamp":1}
        """;
    String kept = "\"Use Disk\":false,\"Use Memory\":true,\"Replication\":1";
    String none = "\"Use Disk\":false,\"Use Memory\":false,\"Replication\":1";
    Path log = TraceText.file(folder, "a", start + job(0, kept) + job(1, kept) + job(2, none));

    assertThat(TraceText.read(TraceText.spec("spark", log)))
        .extracting(JobSpec::inputBytes)
        .containsExactly(1_000L, 0L, 1_000L);
  }
}
