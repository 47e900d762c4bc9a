package io.tierwise.simulator.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.history.TraceException;
import io.tierwise.simulator.scenario.StageSpec;
import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rumen, job history and Spark event logs. */
class JsonTraceTest {
  @TempDir Path folder;

  @Test
  void readsAJobALine() throws IOException {
    String text =
        """
        {"id":"a","submit_millis":1500,"path":"/f","input_bytes":1000,"file_bytes":4000,"maps":3,\
        "map_cpu_millis":500}

        {"id":"b","submit_millis":1500,"input_bytes":10}
        """;
    List<JobSpec> jobs =
        TraceText.read(TraceText.spec("jobs", TraceText.file(folder, "jobs", text)));

    JobSpec job = jobs.get(0);
    assertThat(job.submitSeconds()).isEqualTo(1.5);
    assertThat(job.inputPath()).isEqualTo("/f");
    assertThat(job.inputFileBytes()).isEqualTo(4000);
    assertThat(job.mapCount()).isEqualTo(3);
    assertThat(job.mapCyclesPerByte()).isEqualTo(0.5 * 2.4e9 / 1000);
    assertThat(jobs.get(1).mapCount()).isZero();
    assertThat(jobs.get(1).inputFileBytes()).isEqualTo(10);
    Path other = TraceText.file(folder, "other", "{\"id\":\"a\",\"mapz\":3}\n");
    assertThatThrownBy(() -> TraceText.read(TraceText.spec("jobs", other)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("other:1: has 'mapz', a job has id, path,");
  }

  @Test
  void readsRumenJobsByTheirSuccessfulAttempts() throws IOException {
    String text =
        TraceText.rumenJob("job_1", 1_000_000, 500, 60, 20)
            + TraceText.rumenJob("job_2", 1_002_500, 700, 0, 30);
    List<JobSpec> jobs = read("rumen", text);
    assertThat(jobs).extracting(JobSpec::name).containsExactly("job_1", "job_2");
    assertThat(jobs).extracting(JobSpec::submitSeconds).containsExactly(0.0, 2.5);
    assertThat(jobs).extracting(JobSpec::inputBytes).containsExactly(500L, 700L);
    assertThat(jobs).extracting(JobSpec::outputBytes).containsExactly(20L, 30L);
    assertThat(jobs)
        .extracting(JobSpec::mapOutputBytes)
        .as("what reducers fetched, else what maps put out")
        .containsExactly(60L, 77L);
    assertThat(jobs).extracting(JobSpec::reduceCount).containsExactly(1, 1);
  }

  /** As of a job that reads an object store: its maps compute, on bytes that nobody counted. */
  @Test
  void mapsWithoutInputComputeAsLongAsTheTraceSays() throws IOException {
    String cpu = "\"resourceUsageMetrics\":{\"cumulativeCpuUsage\":6000},\"mapOutputBytes\":77";
    String text =
        TraceText.rumenJob("job_1", 1_000_000, -1, 60, 20).replace("\"mapOutputBytes\":77", cpu);
    JobSpec job = read("rumen", text).get(0);

    assertThat(job.mapCyclesPerByte()).isZero();
    assertThat(job.taskSeconds() * (job.mapCount() + job.reduceCount())).isEqualTo(6);
  }

  @Test
  void readsRumenFromGzip() throws IOException {
    byte[] packed = TraceText.gzip(TraceText.rumenJob("job_1", 1_000_000, 500, 60, 20));
    Path file = TraceText.file(folder, "t.json.gz", packed);
    assertThat(TraceText.read(TraceText.spec("rumen", file))).hasSize(1);
  }

  @Test
  void leavesOutARumenJobWithABadFigureAndReadsTheNext() throws IOException {
    String text =
        TraceText.rumenJob("job_1", 1_000_000, -500, 60, 20)
            + TraceText.rumenJob("job_2", 1_002_500, 700, 0, 30);
    Path file = TraceText.file(folder, "t.json", text);
    assertThatThrownBy(() -> TraceText.read(TraceText.spec("rumen", file)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("t.json:1: hdfsBytesRead is '-500', must be a whole number from 0");
    try (TraceJobs jobs = TraceJobs.open(TraceText.skipping("rumen", file))) {
      assertThat(TraceText.all(jobs)).extracting(JobSpec::name).containsExactly("job_2");
      assertThat(jobs.badRows().count()).isEqualTo(1);
    }
  }

  @Test
  void saysWhichJobIdIsThereTwiceInWhicheverFormat() throws IOException {
    String rumen = TraceText.rumenJob("job_1", 1_000_000, 500, 60, 20);
    assertThatThrownBy(() -> read("rumen", rumen + rumen))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("trace:8: job id 'job_1' is that of job 1 of the trace, too");
    TraceText.file(folder, "a.jhist", TraceText.history("job_9", 5_000, TraceText.HISTORY_END));
    TraceText.file(folder, "b.jhist", TraceText.history("job_9", 7_000, TraceText.HISTORY_END));
    Path trace = folder.resolve("trace");
    Files.deleteIfExists(trace);
    assertThatThrownBy(() -> TraceText.read(TraceText.spec("jhist", folder)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("b.jhist: job id 'job_9' is that of job 1 of the trace, too");
  }

  @Test
  void saysWhereRumenJsonEndsTooEarly() {
    String text = TraceText.rumenJob("job_1", 1_000_000, 500, 60, 20);
    assertThatThrownBy(() -> read("rumen", text.substring(0, text.length() - 30)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("trace:7: is not JSON (Unexpected end-of-input")
        .message()
        .doesNotContain("\n");
  }

  @Test
  void saysThatRumenTopologyIsNoTrace() {
    assertThatThrownBy(() -> read("rumen", "{\"name\":\"<root>\",\"children\":[]}"))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("trace:1: job has no jobID; is this a Rumen trace?");
  }

  @Test
  void sumsTheTasksOfAJobHistory() throws IOException {
    String text = TraceText.history("job_9", 5_000_000, TraceText.HISTORY_END);
    List<JobSpec> jobs = read("jhist", text);
    assertThat(jobs).hasSize(1);
    JobSpec job = jobs.get(0);
    assertThat(job.name()).isEqualTo("job_9");
    assertThat(job.application()).isEqualTo("word count");
    assertThat(job.submitSeconds()).isEqualTo(0);
    assertThat(job.inputBytes()).isEqualTo(1500);
    assertThat(job.mapOutputBytes()).isEqualTo(58);
    assertThat(job.outputBytes()).isEqualTo(20);
    assertThat(job.mapCount()).isEqualTo(2);
    assertThat(job.reduceCount()).isEqualTo(1);
    assertThat(job.mapCyclesPerByte()).isEqualTo(0.003 * 2.4e9 / 1500);
  }

  @Test
  void saysThatAJobHistoryEndsBeforeItsJob() {
    assertThatThrownBy(() -> read("jhist", TraceText.history("job_9", 5_000_000, "")))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("ends before job 'job_9' does, the file is cut off");
  }

  /** Both files were written by the EventWriter of Hadoop 3.5.0, of the same events. */
  @Test
  void readsTheSameFromBothEncodingsOfAJobHistory() throws IOException {
    List<JobSpec> jobs = resource("history-binary.jhist.gz");
    assertThat(jobs).isEqualTo(resource("history-json.jhist.gz")).hasSize(1);
    JobSpec job = jobs.get(0);
    assertThat(job.name()).isEqualTo("job_1700000000000_0007");
    assertThat(job.application()).isEqualTo("word count");
    assertThat(job.inputBytes()).isEqualTo(134_217_728 + 1000);
    assertThat(job.mapOutputBytes()).isEqualTo(400_060);
    assertThat(job.outputBytes()).isEqualTo(30_000);
    assertThat(job.mapCount()).isEqualTo(2);
    assertThat(job.reduceCount()).isEqualTo(1);
    assertThat(job.mapCyclesPerByte()).isEqualTo(12.5 * 2.4e9 / (134_217_728 + 1000));
  }

  @Test
  void saysThatABinaryJobHistoryIsCutOffWhereverItIs() throws IOException {
    byte[] whole = TraceText.unpacked("history-binary.jhist.gz");
    for (int length = whole.length - 200; length < whole.length - 1; length++) {
      Path file = TraceText.file(folder, "cut.jhist", Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> TraceText.read(TraceText.spec("jhist", file)))
          .isInstanceOf(TraceException.class)
          .hasMessageContaining("cut off");
    }
  }

  @Test
  void saysWhatIsWrongWithABinaryJobHistory() {
    assertThatThrownBy(() -> read("jhist", "Avro-Binary\n{\"type\":\"no\"}\n\u0002"))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("trace:2: is an Avro schema with the unknown type 'no'");
    assertThatThrownBy(() -> read("jhist", "Avro-Binary\nnothing\n\u0002"))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("trace:2: is not JSON (");
    String endless =
        "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"r\",\"type\":\"R\"}]}";
    assertThatThrownBy(() -> read("jhist", "Avro-Binary\n" + endless + "\n\u0002"))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("event 1: is nested too deeply");
    String nothing = "{\"type\":\"record\",\"name\":\"R\",\"fields\":[]}";
    assertThatThrownBy(() -> read("jhist", "Avro-Binary\n" + nothing + "\n\u0002"))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("event 1: takes no byte, the schema on line 2 is damaged");
  }

  @Test
  void saysThatAFileIsNoJobHistory() {
    assertThatThrownBy(() -> read("jhist", "hello\n"))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("trace:1: is 'hello', a job history file starts with Avro-Json or");
  }

  @Test
  void readsAFolderOfJobHistoriesInOrderOfSubmission() throws IOException {
    TraceText.file(folder, "a.jhist", TraceText.history("b", 7_000, TraceText.HISTORY_END));
    TraceText.file(
        folder, "b.jhist.gz", TraceText.gzip(TraceText.history("a", 5_000, TraceText.HISTORY_END)));
    TraceText.file(folder, ".b.jhist.crc", "not looked at");
    List<JobSpec> jobs = TraceText.read(TraceText.spec("jhist", folder));
    assertThat(jobs).extracting(JobSpec::name).containsExactly("a", "b");
    assertThat(jobs).extracting(JobSpec::submitSeconds).containsExactly(0.0, 2.0);
  }

  @Test
  void leavesOutABadFileOfAFolderOnRequest() throws IOException {
    TraceText.file(folder, "a.jhist", "bad");
    TraceText.file(folder, "b.jhist", TraceText.history("b", 7_000, TraceText.HISTORY_END));
    assertThatThrownBy(() -> TraceText.read(TraceText.spec("jhist", folder)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("a.jhist:1: is 'bad'");
    try (TraceJobs jobs = TraceJobs.open(TraceText.skipping("jhist", folder))) {
      assertThat(TraceText.all(jobs)).hasSize(1);
      assertThat(jobs.badRows().count()).isEqualTo(1);
    }
  }

  @Test
  void makesAJobOfASparkJobAndOneOfAQuery() throws IOException {
    List<JobSpec> jobs = read("spark", TraceText.sparkLog("app-1", 1_000));
    assertThat(jobs).extracting(JobSpec::name).containsExactly("app-1-job-0", "app-1-query-7");
    assertThat(jobs).extracting(JobSpec::application).containsOnly("report");
    assertThat(jobs).extracting(JobSpec::submitSeconds).containsExactly(0.0, 2.0);
    assertThat(jobs).extracting(JobSpec::inputBytes).containsExactly(300L, 1000L);
    assertThat(jobs).extracting(JobSpec::mapOutputBytes).containsExactly(60L, 10L);
    assertThat(jobs).extracting(JobSpec::outputBytes).containsExactly(40L, 5L);
    assertThat(jobs).extracting(JobSpec::mapCount).containsExactly(2, 4);
    assertThat(jobs).extracting(JobSpec::reduceCount).containsExactly(3, 5);
  }

  @Test
  void givesAJobOfASparkLogItsStages() throws IOException {
    List<JobSpec> jobs = read("spark", TraceText.sparkLog("app-1", 1_000));

    StageSpec scan = jobs.get(0).stages().get(0);
    StageSpec result = jobs.get(0).stages().get(1);
    assertThat(scan.takes()).isEmpty();
    assertThat(scan.inputBytes()).isEqualTo(300);
    assertThat(scan.taskCount()).isEqualTo(2);
    assertThat(scan.betweenBytes()).isEqualTo(60);
    assertThat(scan.cyclesPerByte()).isCloseTo(2000e-9 * 2.4e9 / 300, within(1e-9));
    assertThat(result.takes()).containsExactly(new StageSpec.Edge(0, false));
    assertThat(result.taskCount()).isEqualTo(3);
    assertThat(result.outputBytes()).isEqualTo(40);
    assertThat(result.cyclesPerByte()).isCloseTo(1000e-9 * 2.4e9 / 60, within(1e-9));
    assertThat(jobs.get(1).stages())
        .extracting(StageSpec::name)
        .containsExactly("stage-0", "stage-1");
  }

  /**
   * Adaptive execution runs a stage by itself and announces it under another number, to skip it.
   */
  @Test
  void aStageThatIsSkippedStandsForTheOneThatComputedItsData() throws IOException {
    String text =
        TraceText.sparkLog("app-1", 1_000)
            .replace(
                "{\"Stage ID\":2,\"Number of Tasks\":4,\"Parent IDs\":[]},",
                "{\"Stage ID\":8,\"Number of Tasks\":4,\"RDD Info\":[{\"RDD ID\":5}],"
                    + "\"Parent IDs\":[]},")
            .replace(
                "{\"Stage ID\":2,\"Number of Tasks\":4,\"Parent IDs\":[]}],",
                "{\"Stage ID\":2,\"Number of Tasks\":4,\"RDD Info\":[{\"RDD ID\":5},"
                    + "{\"RDD ID\":3}],\"Parent IDs\":[]}],")
            .replace("\"Parent IDs\":[2]", "\"Parent IDs\":[8]");
    List<StageSpec> stages = read("spark", text).get(1).stages();

    assertThat(stages).hasSize(2);
    assertThat(stages.get(1).takes()).containsExactly(new StageSpec.Edge(0, false));
    assertThat(stages.get(1).inputBytes()).isZero();
    // Without its data nothing tells which stage it was: what was read of it is input.
    List<StageSpec> apart =
        read("spark", text.replace("\"RDD ID\":3", "\"RDD ID\":7")).get(1).stages();
    assertThat(apart).extracting(StageSpec::takes).containsOnly(List.of());
    assertThat(apart).extracting(StageSpec::inputBytes).containsExactly(1000L, 10L);
  }

  @Test
  void keepsComputingThatGoesWithNoBytes() throws IOException {
    String text =
        TraceText.rumenJob("job_1", 1_000_000, 0, 0, 0)
            .replace(
                "\"mapOutputBytes\":77", "\"resourceUsageMetrics\":{\"cumulativeCpuUsage\":9000}");
    JobSpec job = read("rumen", text).get(0);
    assertThat(job.mapCyclesPerByte()).isZero();
    assertThat(job.taskSeconds()).isEqualTo(9);
  }

  @Test
  void mergesOverlappingSparkApplications() throws IOException {
    Files.writeString(folder.resolve("one"), TraceText.sparkLog("one", 10_000));
    Files.writeString(folder.resolve("two"), TraceText.sparkLog("two", 11_000));
    List<JobSpec> jobs = TraceText.read(TraceText.spec("spark", folder));
    assertThat(jobs)
        .extracting(JobSpec::name)
        .containsExactly("one-job-0", "two-job-0", "one-query-7", "two-query-7");
    assertThat(jobs).extracting(JobSpec::submitSeconds).containsExactly(0.0, 1.0, 2.0, 3.0);
  }

  @Test
  void saysThatASparkLogEndsBeforeAJobDoesAndKeepsTheOthersOnRequest() throws IOException {
    String text = TraceText.sparkLog("app-1", 1_000);
    String cut = text.substring(0, text.lastIndexOf("{\"Event\":\"SparkListenerJobEnd\""));
    assertThatThrownBy(() -> read("spark", cut))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("ends before 'job-0' does");
    Path file = TraceText.file(folder, "cut", cut);
    assertThat(TraceText.read(TraceText.skipping("spark", file)))
        .extracting(JobSpec::name)
        .containsExactly("app-1-query-7");
  }

  @Test
  void skipsALineOfASparkLogThatIsNoJson() throws IOException {
    String text = "oops\n" + TraceText.sparkLog("app-1", 1_000) + "{\"Event\":";
    assertThatThrownBy(() -> read("spark", text))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("trace:1: is not JSON (");
    Path file = TraceText.file(folder, "t", text);
    try (TraceJobs jobs = TraceJobs.open(TraceText.skipping("spark", file))) {
      assertThat(TraceText.all(jobs)).hasSize(2);
      assertThat(jobs.badRows().count()).isEqualTo(2);
    }
  }

  private List<JobSpec> resource(String name) throws IOException {
    Path file = TraceText.file(folder, name, TraceText.resource(name));
    return TraceText.read(TraceText.spec("jhist", file));
  }

  private List<JobSpec> read(String format, String text) throws IOException {
    return TraceText.read(TraceText.spec(format, TraceText.file(folder, "trace", text)));
  }
}
