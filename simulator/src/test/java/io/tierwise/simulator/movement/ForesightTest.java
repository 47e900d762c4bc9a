package io.tierwise.simulator.movement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForesightTest {
  private static final long BYTES = 64_000_000;

  private static JobSource jobsAt(double... seconds) {
    List<JobSpec> jobs =
        Arrays.stream(seconds)
            .mapToObj(
                at ->
                    new JobSpec(
                        "j", "app", at, "/in", "/out", BYTES, BYTES, 0, 0, 1, 0, 0, 0, 0, 0, 3))
            .toList();
    Iterator<JobSpec> left = jobs.iterator();
    return new JobSource() {
      @Override
      public JobSpec next() {
        return left.hasNext() ? left.next() : null;
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void jobsOfOneMinuteReadAtOneTimeAndThoseOfAnotherDoNot() throws IOException {
    TwoStores stores = new TwoStores("500 GB");
    InputUse use = new InputUse(stores.namespace);
    use.read(stores.file("/in", BYTES, null), 1);
    try (Foresight ahead = new Foresight(jobsAt(1, 100, 140, 180, 220, 600))) {
      UseWindow window = ahead.window(use, 100, 400);
      assertThat(window.reads(0)).isEqualTo(4);
      assertThat(window.readersMax(0)).isEqualTo(2);
      assertThat(ahead.window(use, 600, 900).reads(0)).isOne();
    }
  }
}
