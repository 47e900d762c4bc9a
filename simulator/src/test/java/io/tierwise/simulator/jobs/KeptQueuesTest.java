package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.Progress;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The queues that policies make and the simulator keeps: whatever begins, ends, is lost with its
 * node or its device, or runs a second time, they answer as queues that are made anew.
 */
class KeptQueuesTest {
  private static final String CROWDED =
      "src/test/resources/io/tierwise/simulator/golden/crowded.yaml";

  private static final String JOBS =
      "workload.applications.jobs=["
          + "{application: lsn/grep, count: 8, scale: 0.3, map-memory: 2 GiB},"
          + " {application: lsn/terasort, count: 4, scale: 0.1, map-memory: 3 GiB,"
          + " reduce-memory: 4 GiB}, {application: lsn/teragen, count: 4, scale: 0.1}]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fair:late-factor=1.2 | none",
        "capacity | none",
        "capacity:lsn/grep=20/40,lsn/terasort=30,late-factor=1.2 | none",
        "smallest-first:overtake-seconds=30 | none",
        "fair | 8 GiB",
        "capacity:lsn/grep=20/40 | 8 GiB",
      })
  void theyAnswerAsQueuesThatAreMadeAnew(String policy, String taskMemory) throws IOException {
    ScenarioFiles files = ScenarioFiles.load(CROWDED);
    for (String setting :
        new String[] {
          "policies.scheduler=checked:" + policy,
          JOBS,
          "nodes.old.task-memory=" + taskMemory,
          "model.stragglers=10%",
          "faults=[{at: 20 s, node: node-1, until: 60 s}, {at: 40 s, node: node-6},"
              + " {at: 50 s, device: node-3/0}]"
        }) {
      files = files.with(setting, "setting");
    }
    RunResult result = Simulation.of(files.scenario()).run(Progress.NONE);

    assertThat(result.jobs().finished() + result.jobs().failed()).isEqualTo(16);
    assertThat(result.jobs().killedTasks()).isPositive();
  }
}
