package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Holds every event of some scenarios as it was: a change of the simulator's inside that is to
 * change no outcome leaves these hashes alone, and one that changes an outcome says so here.
 *
 * <p>Run with {@code -Dtierwise.golden.update=true} to write the file anew.
 */
class EventHashesTest {
  private static final Path GOLDEN =
      Path.of("src/test/resources/io/tierwise/simulator/golden/event-hashes.txt");

  private static final String CROWDED =
      "src/test/resources/io/tierwise/simulator/golden/crowded.yaml";
  private static final String EXAMPLES = "../examples/scenarios/";

  private record Run(String name, String file, List<String> settings) {
    static Run of(String name, String file, String... settings) {
      return new Run(name, file, List.of(settings));
    }
  }

  private static final List<Run> RUNS =
      List.of(
          Run.of("mixed day", EXAMPLES + "mixed-day.yaml"),
          Run.of("mixed day, fifo", EXAMPLES + "mixed-day.yaml", "policies.scheduler=fifo"),
          Run.of("mixed day, capacity", EXAMPLES + "mixed-day.yaml", "policies.scheduler=capacity"),
          Run.of("two regions", EXAMPLES + "two-regions.yaml"),
          Run.of("two regions, local readers", EXAMPLES + "two-regions.yaml", dfsio(48, 0.6)),
          Run.of("hats", EXAMPLES + "hats-dfsio.yaml"),
          Run.of("hats, local readers", EXAMPLES + "hats-dfsio.yaml", dfsio(200, 0.4)),
          Run.of("lsn", EXAMPLES + "lsn.yaml"),
          Run.of("lsn together", EXAMPLES + "lsn.yaml", "workload.applications.arrival=together"),
          Run.of("which rho", EXAMPLES + "which-rho.yaml"),
          Run.of("query", EXAMPLES + "query.yaml"),
          Run.of(
              "query, capacity, second attempts",
              EXAMPLES + "query.yaml",
              "policies.scheduler=capacity",
              "model.speculative=true",
              "model.stragglers=10%"),
          Run.of("crowded", CROWDED),
          Run.of("crowded, fair", CROWDED, "policies.scheduler=fair"),
          Run.of("crowded, capacity", CROWDED, "policies.scheduler=capacity"),
          Run.of(
              "crowded together, fair",
              CROWDED,
              "policies.scheduler=fair",
              "workload.applications.arrival=together"),
          Run.of(
              "crowded together, capacity",
              CROWDED,
              "policies.scheduler=capacity",
              "workload.applications.arrival=together"),
          Run.of("crowded, no delay", CROWDED, "model.locality-delay=0 s"),
          Run.of(
              "crowded, long delay",
              CROWDED,
              "model.locality-delay=20 s",
              "policies.scheduler=fair",
              "policies.replication=1"),
          Run.of(
              "crowded, clients",
              CROWDED,
              "workload.applications.arrival={clients: 5, think: 2 s}",
              "policies.scheduler=capacity"),
          Run.of(
              "crowded, second attempts",
              CROWDED,
              "model.speculative=true",
              "model.stragglers=10%",
              "model.straggler-factor=8"),
          Run.of("crowded, nodes fail", CROWDED, nodesFail()),
          Run.of(
              "crowded, nodes fail, spills meanwhile",
              CROWDED,
              nodesFail(),
              "model.spills=meanwhile",
              "model.sort=10 MB",
              "model.reduce-buffer=10 MB"),
          Run.of(
              "crowded, nodes fail, streams cost",
              CROWDED,
              nodesFail(),
              "model.send-cycles=6",
              "model.receive-cycles=8"),
          Run.of("crowded, nodes fail, fair", CROWDED, nodesFail(), "policies.scheduler=fair"),
          Run.of(
              "crowded, nodes fail, capacity",
              CROWDED,
              nodesFail(),
              "policies.scheduler=capacity",
              "model.speculative=true",
              "model.stragglers=10%"));

  private static String dfsio(int tasks, double local) {
    return "workload={dfsio: {tasks: " + tasks + ", file: 256 MB, local: " + local + "}}";
  }

  private static String nodesFail() {
    return "faults=[{at: 20 s, node: node-1, until: 60 s}, {at: 40 s, node: node-6},"
        + " {at: 50 s, device: node-3/0}]";
  }

  @Test
  void everyScenarioHandlesTheEventsThatItDid() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Run run : RUNS) {
      lines.add(line(run));
    }
    if (Boolean.getBoolean("tierwise.golden.update")) {
      Files.write(GOLDEN, lines);
    }
    assertThat(lines).hasSizeGreaterThanOrEqualTo(20);
    assertThat(lines).isEqualTo(Files.readAllLines(GOLDEN));
  }

  private static String line(Run run) throws IOException {
    ScenarioFiles files = ScenarioFiles.load(run.file());
    for (String setting : run.settings()) {
      files = files.with(setting, "setting");
    }
    RunResult result = Simulation.of(files.scenario()).run(Progress.NONE);
    return "%s: %d jobs, %d failed, %d events, %016x"
        .formatted(
            run.name(),
            result.jobs().finished(),
            result.jobs().failed(),
            result.engine().events(),
            result.engine().logHash());
  }
}
