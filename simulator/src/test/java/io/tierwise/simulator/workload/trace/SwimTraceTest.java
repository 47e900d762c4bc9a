package io.tierwise.simulator.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.history.TraceException;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SwimTraceTest {
  private static final String WITHOUT_PATHS =
      """
      job0\t49\t49\t740773\t2339561\t627471
      job1\t101\t52\t736346\t0\t432269
      job2\t122\t21\t0\t0\t5
      """;

  private static final String WITH_PATHS =
      """
      job0\t1\t1\t2267942\t0\t1937944\tpathA\t\t
      job1\t2\t1\t20791551476\t12295202125\t1491950225\tpathB\t\t
      job2\t2\t0\t90015105\t110986156\t2783997\tpathA\t\t
      job3\t3\t0\t0\t0\t0\tpathB\t\t
      """;

  @TempDir Path folder;

  @Test
  void readsATraceWithoutPaths() throws IOException {
    List<JobSpec> jobs = read(WITHOUT_PATHS);
    assertThat(jobs).extracting(JobSpec::name).containsExactly("job0", "job1", "job2");
    assertThat(jobs).extracting(JobSpec::submitSeconds).containsExactly(49.0, 101.0, 122.0);
    assertThat(jobs).extracting(JobSpec::mapOutputBytes).containsExactly(2339561L, 0L, 0L);
    assertThat(jobs).extracting(JobSpec::outputBytes).containsExactly(627471L, 432269L, 5L);
  }

  @Test
  void givesEachJobWithoutPathDataOfItsOwn() throws IOException {
    List<JobSpec> jobs = read(WITHOUT_PATHS);
    assertThat(jobs.get(0).inputPath()).isNotEqualTo(jobs.get(1).inputPath()).contains("job0");
    assertThat(jobs.get(2).inputPath()).as("reads nothing").isEmpty();
    assertThat(jobs.get(2).mapCount()).as("a job without input still has a map").isEqualTo(1);
  }

  @Test
  void makesAPathAsLargeAsTheLargestInputReadOfIt() throws IOException {
    List<JobSpec> jobs = read(WITH_PATHS);
    assertThat(jobs).extracting(JobSpec::inputBytes).startsWith(2267942L, 20791551476L, 90015105L);
    assertThat(jobs)
        .extracting(JobSpec::inputFileBytes)
        .containsExactly(90015105L, 20791551476L, 90015105L, 20791551476L);
  }

  @Test
  void saysWhichJobIdIsThereTwiceAndWhere() throws IOException {
    String twice = WITHOUT_PATHS + WITHOUT_PATHS.lines().findFirst().orElseThrow() + "\n";
    String later = twice.replaceFirst("(?s)(.*)job0\t49", "$1job0\t149");
    assertThatThrownBy(() -> read(later))
        .isInstanceOf(TraceException.class)
        .hasMessageMatching(
            ".*:4: job id 'job0' is that of job 1 of the trace, too; give each job an id of its"
                + " own");
    Path file = TraceText.file(folder, "twice.tsv", later);
    try (TraceJobs jobs = TraceJobs.open(TraceText.skipping("swim", file))) {
      assertThat(TraceText.all(jobs))
          .extracting(JobSpec::name)
          .containsExactly("job0", "job1", "job2");
      assertThat(jobs.badRows().first()).contains("twice.tsv:4: job id 'job0'");
    }
  }

  @Test
  void readsTheSameFromGzipWithCarriageReturnsAndBlankLines() throws IOException {
    byte[] packed = TraceText.gzip("\n" + WITH_PATHS.replace("\n", "\r\n") + "\n\n");
    Path file = TraceText.file(folder, "trace.tsv.gz", packed);
    assertThat(TraceText.read(TraceText.spec("swim", file))).isEqualTo(read(WITH_PATHS));
  }

  @Test
  void readsTheLastRowWithoutNewline() throws IOException {
    Path file =
        TraceText.file(folder, "trace.tsv", WITHOUT_PATHS.substring(0, WITHOUT_PATHS.length() - 1));
    try (TraceJobs jobs = TraceJobs.open(TraceText.spec("swim", file))) {
      assertThat(TraceSummary.of(jobs).jobs()).isEqualTo(3);
      assertThat(jobs.warning())
          .contains("trace.tsv:3: the last line has no newline")
          .contains("column 6 (output bytes) lacks its end");
    }
  }

  /** All places but those inside the last column, where nobody can tell. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void refusesALastRowThatIsCutOffBeforeItsLastColumn(boolean withPaths) {
    String whole = withPaths ? WITH_PATHS : WITHOUT_PATHS;
    int from = whole.stripTrailing().lastIndexOf('\n') + 1;
    int lastColumn = whole.lastIndexOf('\t') + 1;
    for (int end = from + 1; end < lastColumn; end++) {
      String cut = whole.substring(0, end);
      assertThatThrownBy(() -> read(cut))
          .as(cut.substring(from))
          .isInstanceOf(TraceException.class)
          .hasMessageContaining("trace.tsv:" + (withPaths ? 4 : 3) + ": ")
          .hasMessageContaining("cut off");
    }
  }

  @Test
  void saysThatABinaryFileIsNotText() {
    assertThatThrownBy(() -> read("\0\1\2 no\ttrace"))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("trace.tsv:1: ")
        .hasMessageContaining("is not text, a SWIM trace has 6 to 9 tab separated columns");
  }

  @Test
  void skipsARowThatIsCutOffOnRequest() throws IOException {
    Path file =
        TraceText.file(folder, "trace.tsv", WITH_PATHS.substring(0, WITH_PATHS.length() - 4));
    try (TraceJobs jobs = TraceJobs.open(TraceText.skipping("swim", file))) {
      assertThat(TraceSummary.of(jobs).jobs()).isEqualTo(3);
      assertThat(jobs.badRows().count()).isEqualTo(1);
      assertThat(jobs.badRows().first()).contains(":4: ").contains("cut off");
    }
  }

  @Test
  void warnsOfNothingWhenTheLastLineEndsWithANewline() throws IOException {
    Path file = TraceText.file(folder, "trace.tsv", WITH_PATHS);
    try (TraceJobs jobs = TraceJobs.open(TraceText.spec("swim", file))) {
      assertThat(TraceSummary.of(jobs).jobs()).isEqualTo(4);
      assertThat(jobs.warning()).isEmpty();
    }
  }

  @Test
  void countsJobsPathsAndBytesExactly() throws IOException {
    Path file = TraceText.file(folder, "trace.tsv", WITH_PATHS);
    try (TraceJobs jobs = TraceJobs.open(TraceText.spec("swim", file))) {
      TraceSummary summary = TraceSummary.of(jobs);
      assertThat(summary.jobs()).isEqualTo(4);
      assertThat(summary.paths()).isEqualTo(2);
      assertThat(summary.sharedPaths()).isEqualTo(2);
      assertThat(summary.readsOfOnePathMax()).isEqualTo(2);
      assertThat(summary.mapOnlyJobs()).isEqualTo(2);
      assertThat(summary.inputBytes()).isEqualTo(2267942.0 + 20791551476.0 + 90015105.0);
      assertThat(summary.lastSubmitSeconds()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "job0;x;0;1;1;1|column 2 (submit time in seconds) is 'x'",
        "job0;-5;0;1;1;1|column 2 (submit time in seconds) is '-5'",
        "job0;1.5;0;1;1;1|column 2 (submit time in seconds) is '1.5'",
        "job0;1;0;99999999999999999999999;1;1|column 4 (map input bytes) is '9999999999",
        "job0;1;0;1152921504606846977;1;1|column 4 (map input bytes) is '1152921504606846977'",
        "job0;1;0;1;;1|column 5 (shuffle bytes) is ''",
        "job0;1;0;1;1;NaN|column 6 (output bytes) is 'NaN'",
        "job0;1;;1;1;1|column 3 (gap in seconds) is ''",
        ";1;0;1;1;1|column 1 (job id) is ''",
        "job0;1;0;1;1|has 5 tab separated columns, a SWIM trace has 6 to 9",
        "a;1;0;1;1;1;p;;;more|has more than 9 tab separated columns",
        "{\"jobID\":1}|has 1 tab separated columns",
      })
  void namesFileLineAndValueOfABadRow(String row, String problem) {
    String text = "ok\t0\t0\t1\t1\t1\n" + row.replace(';', '\t') + "\n";
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("trace.tsv:2: ")
        .hasMessageContaining(problem)
        .message()
        .doesNotContain("\n");
  }

  @Test
  void refusesABadRowBeforeTheFirstJobIsHandedOut() {
    Path file = TraceText.file(folder, "trace.tsv", WITHOUT_PATHS + "bad row\n");
    assertThatThrownBy(() -> TraceJobs.open(TraceText.spec("swim", file)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining(":4: 'bad row' has 1 tab separated columns");
  }

  @Test
  void leavesOutAndCountsBadRowsOnRequest() throws IOException {
    String text = "bad\n" + WITH_PATHS + "job9\t1\t0\t5\t5\t5\nworse\n";
    Path file = TraceText.file(folder, "trace.tsv", text);
    try (TraceJobs jobs = TraceJobs.open(TraceText.skipping("swim", file))) {
      assertThat(TraceText.all(jobs)).hasSize(4);
      assertThat(jobs.badRows().count()).isEqualTo(3);
      assertThat(jobs.badRows().first()).contains("trace.tsv:1: 'bad' has 1 tab");
    }
  }

  @Test
  void saysWhichRowIsOutOfOrder() {
    String text = "a\t10\t0\t1\t0\t1\nb\t9\t0\t1\t0\t1\n";
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(TraceException.class)
        .hasMessageEndingWith(
            "trace.tsv:2: job 'b' is submitted at 9.0 s, before the job above it (10.0 s);"
                + " sort the trace by submit time");
  }

  @Test
  void refusesALineThatIsNoRowWithoutKeepingIt() {
    assertThatThrownBy(() -> read("x".repeat(1 << 20)))
        .isInstanceOf(TraceException.class)
        .hasMessageEndingWith("trace.tsv:1: is longer than 65536 bytes, not a row");
  }

  @Test
  void goesOnBehindALineThatIsTooLong() throws IOException {
    Path file = TraceText.file(folder, "t", "x".repeat(1 << 20) + "\n" + WITH_PATHS);
    assertThat(TraceText.read(TraceText.skipping("swim", file))).hasSize(4);
  }

  @Test
  void showsABinaryValueInPrintableCharacters() {
    assertThatThrownBy(() -> read("\u0000\u0007\u001b[31m\t\n"))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("'???[31m?' is not text");
  }

  @Test
  void scalesTimesAndSizesAndEndsAfterSoManyJobs() throws IOException {
    Path file = TraceText.file(folder, "trace.tsv", WITH_PATHS);
    List<JobSpec> jobs = TraceText.read(new WorkloadSpec.Trace("swim", file, 3, 0.5, 0.001, false));
    assertThat(jobs).extracting(JobSpec::submitSeconds).containsExactly(0.5, 1.0, 1.0);
    assertThat(jobs).extracting(JobSpec::inputBytes).containsExactly(2268L, 20791551L, 90015L);
    assertThat(jobs.get(0).inputFileBytes()).isEqualTo(90015);
  }

  /** Volumes of a replay that are printed one by one: each its own product, nothing lost. */
  @Test
  void scalesWhatIsShuffledAndWrittenOnceMore() throws IOException {
    String rows =
        """
        a\t1\t1\t1000000\t500000\t20
        b\t2\t1\t7000\t0\t0
        """;
    Path file = TraceText.file(folder, "scaled.tsv", rows);
    List<JobSpec> jobs =
        TraceText.read(new WorkloadSpec.Trace("swim", file, 0, 1, 0.1, 0.02, 0.001, false));
    assertThat(jobs).extracting(JobSpec::inputBytes).containsExactly(100000L, 700L);
    assertThat(jobs).extracting(JobSpec::mapOutputBytes).containsExactly(1000L, 0L);
    assertThat(jobs).extracting(JobSpec::outputBytes).containsExactly(1L, 0L);
  }

  /** Without a shuffle it would be a job of maps alone, without input one that reads nothing. */
  @Test
  void aJobThatIsScaledToLessThanAByteStaysOfItsKind() throws IOException {
    Path file = TraceText.file(folder, "tiny.tsv", "a\t1\t1\t3\t2\t1\nb\t2\t1\t0\t0\t0\n");
    List<JobSpec> jobs = TraceText.read(new WorkloadSpec.Trace("swim", file, 0, 1, 0.001, false));
    assertThat(jobs).extracting(JobSpec::inputBytes).containsExactly(1L, 0L);
    assertThat(jobs).extracting(JobSpec::inputFileBytes).containsExactly(1L, 0L);
    assertThat(jobs).extracting(JobSpec::mapOutputBytes).containsExactly(1L, 0L);
    assertThat(jobs).extracting(JobSpec::outputBytes).containsExactly(1L, 0L);
  }

  @Test
  void refusesAScaleThatMakesAbsurdJobs() {
    Path file = TraceText.file(folder, "trace.tsv", WITH_PATHS);
    assertThatThrownBy(
            () -> TraceText.read(new WorkloadSpec.Trace("swim", file, 0, 1, 1e12, false)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("make the size scale smaller");
  }

  @ParameterizedTest
  @CsvSource({
    "-1,1,1,1,time scale is -1.0",
    "NaN,1,1,1,time scale is NaN",
    "1,0,1,1,size scale is 0.0",
    "1,1,0,1,shuffle scale is 0.0",
    "1,1,1,-2,output scale is -2.0",
  })
  void refusesScalesThatMakeNoSense(
      double time, double size, double shuffle, double output, String problem) {
    Path file = TraceText.file(folder, "trace.tsv", WITH_PATHS);
    assertThatThrownBy(
            () ->
                TraceJobs.open(
                    new WorkloadSpec.Trace("swim", file, 0, time, size, shuffle, output, false)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void knowsHowFarItIs() throws IOException {
    Path file = TraceText.file(folder, "trace.tsv", WITH_PATHS);
    try (TraceJobs jobs = TraceJobs.open(new WorkloadSpec.Trace("swim", file, 2, 1, 1, false))) {
      assertThat(jobs.next()).isNotNull();
      assertThat(jobs.progress()).isBetween(0.5, 1.0);
      assertThat(jobs.next()).isNotNull();
      assertThat(jobs.next()).isNull();
      assertThat(jobs.progress()).isEqualTo(1);
    }
  }

  private List<JobSpec> read(String text) throws IOException {
    return TraceText.read(TraceText.spec("swim", TraceText.file(folder, "trace.tsv", text)));
  }
}
