package io.tierwise.simulator.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tierwise.history.TraceException;
import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Traces of real clusters, which are not part of the project. Skipped unless the system property
 * {@code tierwise.traces} or the environment variable {@code TIERWISE_TRACES} names a folder with
 * {@code swim} and {@code hadoop} in it.
 */
class RealTracesTest {
  private static final Path BESIDE_THE_PROJECT = Path.of("..", "..", "shared", "data");

  private static final double TEBIBYTE = Math.pow(2, 40);

  @Test
  void countsTheFacebook2010TraceExactly() throws IOException {
    TraceSummary summary =
        summary("swim", "swim/FB-2010_samples_24_times_1hr_withInputPaths_0.tsv");
    assertThat(summary.jobs()).isEqualTo(25_428);
    assertThat(summary.paths()).isEqualTo(17_158);
    assertThat(summary.sharedPaths()).isEqualTo(1_375);
    assertThat(summary.readsOfOnePathMax()).isEqualTo(721);
    assertThat(summary.mapOnlyJobs()).isEqualTo(8_489);
    assertThat(summary.inputBytes() / TEBIBYTE).isCloseTo(1096.8, within(0.05));
    assertThat(summary.mapOutputBytes() / TEBIBYTE).isCloseTo(375.7, within(0.05));
    assertThat(summary.outputBytes() / TEBIBYTE).isCloseTo(337.1, within(0.05));
    assertThat(summary.lastSubmitSeconds()).isEqualTo(86_407);
    assertThat(summary.badRows().count()).isZero();
  }

  @Test
  void countsTheFacebook2009TraceExactly() throws IOException {
    TraceSummary summary = summary("swim", "swim/FB-2009_samples_24_times_1hr_0.tsv");
    assertThat(summary.jobs()).isEqualTo(5_894);
    assertThat(summary.sharedPaths()).isZero();
  }

  @Test
  void readsTheRumenTrace() throws IOException {
    Path file = real("hadoop/19-jobs.trace.json.gz");
    List<JobSpec> jobs = TraceText.read(TraceText.spec("rumen", file));
    assertThat(jobs).hasSize(19);
    assertThat(jobs.stream().mapToInt(JobSpec::mapCount).sum()).isEqualTo(8_573);
    JobSpec third = jobs.get(2);
    assertThat(third.name()).isEqualTo("job_200904211745_0004");
    assertThat(third.inputBytes()).isEqualTo(4_431_391_494L);
    assertThat(third.reduceCount()).isEqualTo(47);
  }

  @Test
  void readsAllJobHistoryFilesButTheSecondOneOfAJob() throws IOException {
    Path folder = real("hadoop/jhist");
    // Two of the nine files are histories of one job.
    assertThatThrownBy(() -> TraceText.read(TraceText.spec("jhist", folder)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("job id 'job_1329348432655_0001' is that of job 1 of the trace, too");
    try (TraceJobs trace = TraceJobs.open(TraceText.skipping("jhist", folder))) {
      List<JobSpec> jobs = TraceText.all(trace);
      assertThat(jobs).hasSize(8);
      assertThat(trace.badRows().count()).isEqualTo(1);
      JobSpec sleep = jobs.get(0);
      assertThat(sleep.name()).isEqualTo("job_1329348432655_0001");
      assertThat(sleep.inputBytes()).as("HDFS_BYTES_READ of the job's totals").isEqualTo(480);
      assertThat(sleep.mapOutputBytes()).as("REDUCE_SHUFFLE_BYTES of the totals").isEqualTo(120);
      assertThat(sleep.mapCount()).isEqualTo(10);
    }
  }

  private static TraceSummary summary(String format, String path) throws IOException {
    try (TraceJobs jobs = TraceJobs.open(TraceText.spec(format, real(path)))) {
      return TraceSummary.of(jobs);
    }
  }

  private static Path real(String path) {
    String named = System.getProperty("tierwise.traces", System.getenv("TIERWISE_TRACES"));
    Path folder = named == null ? BESIDE_THE_PROJECT : Path.of(named);
    Path file = folder.resolve(path);
    // The traces are not ours to publish: a machine without them skips this, which the build's
    // summary counts. A machine that names their folder must have them.
    if (named != null) {
      assertThat(file).exists();
    }
    assumeTrue(Files.exists(file), () -> "skipped: there is no " + file);
    return file;
  }
}
