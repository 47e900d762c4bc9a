package io.tierwise.simulator.workload.trace;

import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.workload.JobSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Small traces for tests, written to files. */
final class TraceText {
  private TraceText() {}

  static Path file(Path folder, String name, String text) {
    return file(folder, name, text.getBytes(StandardCharsets.UTF_8));
  }

  static Path file(Path folder, String name, byte[] bytes) {
    try {
      return Files.write(folder.resolve(name), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] gzip(String text) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  /** A sample file that lies beside the tests. */
  static byte[] resource(String name) {
    try (InputStream in = TraceText.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] unpacked(String name) {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(resource(name)))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static WorkloadSpec.Trace spec(String format, Path file) {
    return new WorkloadSpec.Trace(format, file, 0, 1, 1, false);
  }

  static WorkloadSpec.Trace skipping(String format, Path file) {
    return new WorkloadSpec.Trace(format, file, 0, 1, 1, true);
  }

  static List<JobSpec> read(WorkloadSpec.Trace spec) throws IOException {
    try (TraceJobs jobs = TraceJobs.open(spec)) {
      return all(jobs);
    }
  }

  static List<JobSpec> all(TraceJobs jobs) throws IOException {
    List<JobSpec> all = new ArrayList<>();
    for (JobSpec job = jobs.next(); job != null; job = jobs.next()) {
      all.add(job);
    }
    return all;
  }

  /** A Rumen job of one map that read and one reducer that fetched and wrote so many bytes. */
  static String rumenJob(String id, long submitMillis, long read, long fetched, long written) {
    return """
        {"priority":"NORMAL","jobID":"%s","submitTime":%d,"totalMaps":1,"totalReduces":1,
         "outcome":"SUCCESS","mapTasks":[{"taskID":"m","attempts":[
           {"result":"KILLED","hdfsBytesRead":999,"hdfsBytesWritten":-1,"mapOutputBytes":999},
           {"result":"SUCCESS","hdfsBytesRead":%d,"hdfsBytesWritten":-1,"mapOutputBytes":77}],
           "preferredLocations":[{"layers":["rack","node"]}]}],
         "reduceTasks":[{"taskID":"r","attempts":[{"result":"SUCCESS","hdfsBytesRead":-1,
           "reduceShuffleBytes":%d,"hdfsBytesWritten":%d}],"preferredLocations":[]}]}
        """
        .formatted(id, submitMillis, read, fetched, written);
  }

  /** A job history file of two maps and a reducer. */
  static String history(String id, long submitMillis, String end) {
    return """
        Avro-Json
        {"type":"record","name":"Event","fields":[]}

        {"type":"JOB_SUBMITTED","event":{"org.apache.hadoop.mapreduce.jobhistory.JobSubmitted":\
        {"jobid":"%s","jobName":"word count","userName":"u","submitTime":%d,"acls":{}}}}
        {"type":"JOB_INITED","event":{"org.apache.hadoop.mapreduce.jobhistory.JobInited":\
        {"jobid":"x","launchTime":1,"totalMaps":2,"totalReduces":1,"jobStatus":"INITED"}}}
        %s%s%s%s"""
        .formatted(
            id,
            submitMillis,
            taskFinished("MAP", "HDFS_BYTES_READ", 1000, "MAP_OUTPUT_MATERIALIZED_BYTES", 60),
            taskFinished("MAP", "HDFS_BYTES_READ", 500, "CPU_MILLISECONDS", 3),
            taskFinished("REDUCE", "REDUCE_SHUFFLE_BYTES", 58, "HDFS_BYTES_WRITTEN", 20),
            end);
  }

  static final String HISTORY_END =
      """
      {"type":"JOB_FINISHED","event":{"org.apache.hadoop.mapreduce.jobhistory.JobFinished":\
      {"jobid":"x","finishTime":9}}}
      """;

  private static String taskFinished(
      String type, String counter1, long value1, String counter2, long value2) {
    return """
        {"type":"TASK_FINISHED","event":{"org.apache.hadoop.mapreduce.jobhistory.TaskFinished":\
        {"taskid":"t","taskType":"%s","finishTime":5,"status":"SUCCEEDED","counters":\
        {"name":"COUNTERS","groups":[{"name":"g","displayName":"d","counts":[\
        {"name":"%s","displayName":"d","value":%d},{"name":"GC_TIME_MILLIS","displayName":"d",\
        "value":-7},{"name":"%s","displayName":"d","value":%d}]}]}}}}
        """
        .formatted(type, counter1, value1, counter2, value2);
  }

  /** A Spark application of a job with two stages, and a query whose stages are jobs. */
  static String sparkLog(String application, long startMillis) {
    return """
        {"Event":"SparkListenerLogStart","Spark Version":"4.2.0"}
        {"Event":"SparkListenerApplicationStart","App Name":"report","App ID":"%s","Timestamp":1}
        {"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":%d,"Stage Infos":[\
        {"Stage ID":0,"Number of Tasks":2,"RDD Info":[{"RDD ID":1}],"Parent IDs":[]},\
        {"Stage ID":1,"Number of Tasks":3,"Parent IDs":[0]}],"Stage IDs":[0,1],"Properties":{}}
        %s%s%s{"Event":"SparkListenerTaskEnd","Stage ID":0,"Task End Reason":{"Reason":"TaskKilled"}}
        {"Event":"SparkListenerJobStart","Job ID":1,"Submission Time":%d,"Stage Infos":[\
        {"Stage ID":2,"Number of Tasks":4,"Parent IDs":[]}],\
        "Properties":{"spark.sql.execution.id":"7"}}
        %s{"Event":"SparkListenerJobEnd","Job ID":1,"Completion Time":5}
        {"Event":"SparkListenerJobStart","Job ID":2,"Submission Time":%d,"Stage Infos":[\
        {"Stage ID":2,"Number of Tasks":4,"Parent IDs":[]},\
        {"Stage ID":3,"Number of Tasks":5,"Parent IDs":[2]}],\
        "Properties":{"spark.sql.execution.id":"7"}}
        %s{"Event":"SparkListenerJobEnd","Job ID":2,"Completion Time":6}
        {"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd","executionId":7}
        {"Event":"SparkListenerJobEnd","Job ID":0,"Completion Time":9}
        """
        .formatted(
            application,
            startMillis,
            taskEnd(0, 100, 0, 0, 30),
            taskEnd(0, 200, 0, 0, 30),
            taskEnd(1, 0, 40, 60, 0),
            startMillis + 2000,
            taskEnd(2, 1000, 0, 0, 10),
            startMillis + 3000,
            taskEnd(3, 0, 5, 10, 0));
  }

  private static String taskEnd(
      int stage, long input, long output, long shuffleRead, long shuffleWrite) {
    return """
        {"Event":"SparkListenerTaskEnd","Stage ID":%d,"Task Type":"ResultTask",\
        "Task End Reason":{"Reason":"Success"},"Task Info":{"Task ID":1,"Accumulables":[{"ID":1}]},\
        "Task Metrics":{"Executor CPU Time":1000,"Shuffle Read Metrics":{"Remote Bytes Read":%d,\
        "Local Bytes Read":0},"Shuffle Write Metrics":{"Shuffle Bytes Written":%d},\
        "Input Metrics":{"Bytes Read":%d,"Records Read":1},"Output Metrics":{"Bytes Written":%d}}}
        """
        .formatted(stage, shuffleRead, shuffleWrite, input, output);
  }
}
