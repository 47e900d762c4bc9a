package io.tierwise.experiments.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.experiments.run.StopAfter;
import io.tierwise.simulator.report.Figure;
import io.tierwise.simulator.report.StoppingRule;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A halving that Ctrl-C ends keeps what has run. */
class StoppedHalvingTest {
  private static final int POINTS = 4;
  private static final Figure MAKESPAN = Figure.named("makespan_seconds");

  @TempDir private Path folder;
  private Grid grid;
  private List<Grid.Point> points;

  @BeforeEach
  void readPoints() throws IOException {
    Path scenario = Files.writeString(folder.resolve("one.yaml"), StopAfter.SCENARIO);
    grid = Grid.parse(List.of("policies.replication=1,2,3,4"), "--vary");
    points = grid.points(ScenarioFiles.load(scenario.toString()));
  }

  /** Runs with one thread until so many runs are over. */
  private Optional<SweepResult> stoppedAfter(int stopAfter) {
    StopAfter stop = new StopAfter(stopAfter);
    SweepRuns runs = new SweepRuns(StoppingRule.exactly(8), 1, stop, stop, null);
    return runs.halved(grid.keys(), points, 0.5, MAKESPAN);
  }

  /** The first round has two runs of each point, the second two more of two points. */
  @Test
  void theTableHasThePointsThatRanWhereverItWasStopped() {
    assertThat(stoppedAfter(0)).isEmpty();
    for (int stopAfter = 1; stopAfter <= 14; stopAfter++) {
      SweepResult result = stoppedAfter(stopAfter).orElseThrow();

      assertThat(result.points()).as("" + stopAfter).hasSize(Math.min(stopAfter, POINTS));
      assertThat(result.table().rows()).hasSameSizeAs(result.points());
      assertThat(result.json()).containsKey("cases");
      assertThat(result.least()).hasSize(1);
      assertThat(result.least().get(0).value()).isFinite();
    }
  }
}
