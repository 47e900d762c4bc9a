package io.tierwise.simulator.workload.generated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSources;
import io.tierwise.simulator.workload.JobSpec;
import io.tierwise.simulator.workload.WorkloadException;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DfsioJobsTest {
  @Test
  void readsWhatItWroteWhenTheWriteIsOver() throws IOException {
    try (JobSource source = open(new WorkloadSpec.Dfsio(8, 1000, true, true))) {
      JobSpec write = source.next();
      assertThat(write.inputPath()).isEmpty();
      assertThat(write.outputBytes()).isEqualTo(8000);
      assertThat(write.mapCount()).isEqualTo(8);
      assertThat(source.next()).as("waits for the write").isNull();
      assertThat(source.finished(write, 12.5)).isTrue();
      JobSpec read = source.next();
      assertThat(read.submitSeconds()).isEqualTo(12.5);
      assertThat(read.inputPath()).isEqualTo(write.outputPath()).isNotEmpty();
      assertThat(read.inputBytes()).isEqualTo(8000);
      assertThat(read.outputBytes()).isZero();
      assertThat(read.localityShare()).isZero();
      assertThat(source.next()).isNull();
      assertThat(source.finished(read, 20)).isFalse();
      assertThat(source.next()).isNull();
    }
  }

  @Test
  void onlyWritesOrOnlyReads() throws IOException {
    try (JobSource source = open(new WorkloadSpec.Dfsio(8, 1000, true, false))) {
      JobSpec write = source.next();
      assertThat(write.name()).isEqualTo("dfsio-write");
      assertThat(source.finished(write, 1)).isFalse();
      assertThat(source.next()).isNull();
    }
    try (JobSource source = open(new WorkloadSpec.Dfsio(8, 1000, false, true))) {
      assertThat(source.next().name()).isEqualTo("dfsio-read");
      assertThat(source.next()).isNull();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, true, task count is 0",
    "1, 0, true, file size is 0 bytes",
    "10000000, 9223372036854775807, true, file size is 9223372036854775807 bytes",
    "1, 1, false, neither writes nor reads",
  })
  void refusesSettingsThatMakeNoSense(int tasks, long bytes, boolean write, String problem) {
    assertThatThrownBy(() -> open(new WorkloadSpec.Dfsio(tasks, bytes, write, false)))
        .isInstanceOf(WorkloadException.class)
        .hasMessageContaining(problem);
  }

  private static JobSource open(WorkloadSpec spec) throws IOException {
    return JobSources.open(spec, new SplittableRandom(1));
  }
}
