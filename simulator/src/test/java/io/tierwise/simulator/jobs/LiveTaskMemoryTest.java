package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.scenario.StageSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveTaskMemoryTest {
  private static final int TASKS = 100_000;
  private static final int REPLICAS = 3;

  /** Flows apart, each of which has 200 bytes of its own. */
  @Test
  void aTaskThatWritesThreeReplicasTakesLessThan200Bytes() {
    measure(1_000, false); // so that no class is loaded in between

    assertThat(measure(TASKS, false)).isBetween(50.0, 200.0);
  }

  @Test
  void aTaskThatHasSpilledTakesLessThan300Bytes() {
    measure(1_000, true);

    assertThat(measure(TASKS, true)).isBetween(100.0, 300.0);
  }

  private static double measure(int tasks, boolean spilled) {
    long before = usedBytes();
    AttemptTable table = new AttemptTable();
    StageSpec spec = new StageSpec("maps", List.of(), "", 0, tasks, 0, 0, 0, 1);
    StageRun stage = new JobRun(0, null, 0).add(spec, tasks, null, null);
    for (int task = 0; task < tasks; task++) {
      TaskAttempt attempt = new TaskAttempt(stage, task, task % 1000, table.nextId(), task);
      attempt.targets = new int[REPLICAS];
      attempt.addFlow(task);
      if (spilled) {
        attempt.runs = new Runs(task, 1, 1, 1, 1, 1, 1, 1);
      }
      table.add(attempt);
    }
    double bytesPerTask = (double) (usedBytes() - before) / tasks;
    assertThat(table.count()).isEqualTo(tasks);
    return bytesPerTask;
  }

  private static long usedBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least =
          Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }
    return least;
  }
}
