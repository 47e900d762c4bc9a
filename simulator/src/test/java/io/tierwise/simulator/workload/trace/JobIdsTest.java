package io.tierwise.simulator.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JobIdsTest {
  private static final int JOBS = 200_000;

  @Test
  void knowsEachOfManyIdsAndTakesNoOtherForIt() {
    JobIds ids = new JobIds();
    for (int i = 1; i <= JOBS; i++) {
      assertThat(ids.add("job_201601010000_" + i)).isZero();
    }
    for (int i = 1; i <= JOBS; i++) {
      assertThat(ids.add("job_201601010000_" + i)).isEqualTo(i);
    }
    assertThat(ids.add("")).isZero();
    assertThat(ids.add("")).isEqualTo(JOBS + 1);
  }
}
