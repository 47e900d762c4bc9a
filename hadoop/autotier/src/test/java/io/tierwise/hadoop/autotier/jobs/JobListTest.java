package io.tierwise.hadoop.autotier.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.history.RunRecord;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobListTest {
  private static SubmittedJob job(String application, long submittedMillis) {
    return new SubmittedJob(
        RunRecord.Engine.MAPREDUCE, application, "ann", "count", submittedMillis);
  }

  @Test
  void jobsThatWaitForLongerAreOverdueAndThoseThatRunAreNot() {
    JobList list =
        new JobList(
            Map.of("old", job("old", 0), "new", job("new", 1)), Map.of("runs", job("runs", 0)), 7);

    JobList bounded = list.within(1_000, 1_001);

    assertThat(bounded.waiting()).containsOnlyKeys("new");
    assertThat(bounded.overdue()).containsOnlyKeys("old");
    assertThat(bounded.running()).containsOnlyKeys("runs");
    assertThat(bounded.has("old")).isFalse();
    assertThat(bounded.has("new")).isTrue();
    assertThat(bounded.has("runs")).isTrue();
    assertThat(bounded.meanWaitSeconds()).isEqualTo(7);
    assertThat(list.overdue()).isEmpty();
  }
}
