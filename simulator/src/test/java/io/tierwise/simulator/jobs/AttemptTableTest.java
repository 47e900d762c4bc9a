package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.jobs.TaskAttempt.Phase;
import io.tierwise.simulator.scenario.StageSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AttemptTableTest {
  private static final int NODES = 20;
  private static final List<Phase> PHASES = List.of(Phase.values());

  private final AttemptTable table = new AttemptTable();
  private final List<TaskAttempt> running = new ArrayList<>();
  private final StageRun stage =
      new JobRun(0, null, 0)
          .add(new StageSpec("maps", List.of(), "", 0, 1_000, 0, 0, 0, 1), 1_000, null, null);

  private TaskAttempt begin(int node) {
    TaskAttempt attempt = new TaskAttempt(stage, running.size(), node, table.nextId(), 0);
    table.add(attempt);
    running.add(attempt);
    return attempt;
  }

  /** What is counted is what a look at all attempts finds, whatever they did before. */
  @Test
  void aNodeFetchesWhileOneOfItsAttemptsDoes() {
    SplittableRandom random = new SplittableRandom(38);
    for (int step = 0; step < 20_000; step++) {
      int choice = random.nextInt(10);
      if (running.isEmpty() || choice == 0) {
        begin(random.nextInt(NODES));
      } else if (choice == 1) {
        table.remove(running.remove(random.nextInt(running.size())));
      } else {
        Phase next = PHASES.get(random.nextInt(PHASES.size()));
        table.enter(running.get(random.nextInt(running.size())), next);
      }
      int node = random.nextInt(NODES);
      assertThat(table.isFetching(node))
          .isEqualTo(
              running.stream()
                  .anyMatch(each -> each.node == node && each.phase() == Phase.FETCHING));
      if (step % 100 == 0) {
        table.check();
      }
    }
  }

  /** Its last transfer may end after it did. */
  @Test
  void anAttemptThatIsOverIsCountedNoMore() {
    TaskAttempt attempt = begin(7);
    table.enter(attempt, Phase.FETCHING);
    assertThat(table.isFetching(7)).isTrue();

    table.remove(attempt);
    table.enter(attempt, Phase.FETCHING);

    assertThat(table.isFetching(7)).isFalse();
    assertThat(table.isFetching(1_000_000)).isFalse();
    table.check();
  }
}
