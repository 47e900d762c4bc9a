package io.tierwise.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.lab.embedded.device.DeviceModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * ASPS's quantifier from real runs: a MapReduce job runs twice in each configuration on an HDFS
 * whose disks read slowly. What Tierwise says of it is compared with what Hadoop's own reader finds
 * in the history of these runs, and with what such devices have to save.
 */
@Tag("long")
class IoRequirementIT {
  private static final double DISK_BYTES_PER_SECOND = 40_000;
  private static final double SSD_BYTES_PER_SECOND = 20e6;
  private static final int RUNS = 2;

  /** Seconds for each byte: a millisecond of one of these tasks is far more. */
  private static final double ROUNDING = 1e-12;

  /** A run, with its output's directory: {@code /out/config-3-1}. */
  private static final Pattern RUN =
      Pattern.compile("(job_\\d+_\\d+) writes to /out/config-(\\d)-\\d");

  private static final Map<StorageType, DeviceModel> DEVICES =
      Map.of(
          StorageType.DISK,
          new DeviceModel("disk", DISK_BYTES_PER_SECOND, SSD_BYTES_PER_SECOND, 0, 1, 1),
          StorageType.SSD,
          new DeviceModel("ssd", SSD_BYTES_PER_SECOND, SSD_BYTES_PER_SECOND, 0, 1, 1));

  @TempDir private Path folder;

  /** Tasks that succeeded. */
  private static double seconds(
      JobInfo job, TaskType type, ToDoubleFunction<TaskAttemptInfo> millis) {
    double sum = 0;
    for (TaskInfo task : job.getAllTasks().values()) {
      if (task.getTaskType() == type) {
        sum += millis.applyAsDouble(task.getAllTaskAttempts().get(task.getSuccessfulAttemptId()));
      }
    }
    return sum / 1_000;
  }

  private static double mapSecondsPerByte(JobInfo job) {
    double seconds =
        seconds(job, TaskType.MAP, attempt -> attempt.getFinishTime() - attempt.getStartTime());
    return seconds
        / job.getMapCounters().findCounter("HDFS", FileSystemCounter.BYTES_READ).getValue();
  }

  private static double reduceSecondsPerByte(JobInfo job) {
    double seconds =
        seconds(
            job,
            TaskType.REDUCE,
            attempt -> attempt.getFinishTime() - attempt.getShuffleFinishTime());
    return seconds
        / job.getReduceCounters().findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES).getValue();
  }

  private static JobInfo history(FileSystem fs, String job) throws IOException {
    RemoteIterator<LocatedFileStatus> files =
        fs.listFiles(ProfilingCluster.hadoop("/staging/history"), true);
    while (files.hasNext()) {
      org.apache.hadoop.fs.Path file = files.next().getPath();
      if (file.getName().matches(job + "\\D.*jhist")) {
        return new JobHistoryParser(fs, file).parse();
      }
    }
    throw new AssertionError("no history of " + job);
  }

  /** The mean over runs in Config-1, less that over runs in Config-2. */
  private static double difference(
      FileSystem fs, CommandRun run, ToDoubleFunction<JobInfo> secondsPerByte) throws IOException {
    double difference = 0;
    int slow = 0;
    int fast = 0;
    for (MatchResult each : RUN.matcher(run.err()).results().toList()) {
      if (each.group(2).equals("1")) {
        difference += secondsPerByte.applyAsDouble(history(fs, each.group(1))) / RUNS;
        slow++;
      } else if (each.group(2).equals("2")) {
        difference -= secondsPerByte.applyAsDouble(history(fs, each.group(1))) / RUNS;
        fast++;
      }
    }
    assertThat(slow).as(run.err()).isEqualTo(RUNS);
    assertThat(fast).as(run.err()).isEqualTo(RUNS);
    return difference;
  }

  @Test
  void saysWhatClocksAndCountersOfTheRunsSayAndWhatTheDevicesSave() throws Exception {
    try (ProfilingCluster cluster = new ProfilingCluster(folder, DEVICES)) {
      CommandRun run =
          ProfilingCluster.run(
              cluster.words("/out", "", "--json", "--times", Integer.toString(RUNS)));
      assertThat(run.exitCode()).as(run.err()).isZero();
      CommandRun show =
          CommandRun.of(
              "profile", "show", "count of words", "--catalog", cluster.catalog(), "--json");
      JsonNode told =
          new ObjectMapper()
              .readTree(show.out())
              .path("applications")
              .get(0)
              .path("io_requirement");

      assertThat(told.path("slow_runs").asInt()).isEqualTo(RUNS);
      assertThat(told.path("fast_runs").asInt()).isEqualTo(RUNS);
      double ofMaps = told.path("map_seconds_per_byte").path("expected").asDouble();
      double ofReducers = told.path("reduce_seconds_per_byte").path("expected").asDouble();
      assertThat(ofMaps)
          .isCloseTo(
              difference(cluster.fs(), run, IoRequirementIT::mapSecondsPerByte), within(ROUNDING));
      assertThat(ofReducers)
          .isCloseTo(
              difference(cluster.fs(), run, IoRequirementIT::reduceSecondsPerByte),
              within(ROUNDING));
      // Processes begin seconds earlier or later where others want the machine, too.
      double saved = 1 / DISK_BYTES_PER_SECOND - 1 / SSD_BYTES_PER_SECOND;
      assertThat(ofMaps).isBetween(saved / 2, saved * 3 / 2);
    }
  }
}
