package io.tierwise.simulator.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.network.FlowsScenario.Arrivals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * The common scenario against what others made of it: a file with the end of every flow by the
 * textbook solver, and the makespan of SimGrid 3.32, which {@code make bench-simulator} also
 * compares at larger sizes. The file also keeps the generator from changing unnoticed.
 *
 * <p>Run with {@code -Dtierwise.golden.update=true} to write the file anew.
 */
class FlowsGoldenTest {
  private static final Path GOLDEN =
      Path.of("src/test/resources/io/tierwise/simulator/network/flows-40-nodes-500.csv");

  /** Last end of the scenario in SimGrid 3.32. */
  private static final double SIMGRID_MAKESPAN_SECONDS = 19.513811798;

  /** Of 100 nodes and 10,000 flows at 60% load; equal on all machines and Java versions. */
  private static final long HASH = 6568843105776720585L;

  private final FlowsScenario scenario = new FlowsScenario(40, 500, Arrivals.STEADY, 42);

  @Test
  void everyFlowEndsWhenTheTextbookSolverSays() throws IOException {
    if (Boolean.getBoolean("tierwise.golden.update")) {
      Files.createDirectories(GOLDEN.getParent());
      Files.write(GOLDEN, golden());
    }
    List<String> lines = Files.readAllLines(GOLDEN);
    long[] finish = new long[scenario.flowCount()];
    run(scenario, finish);

    assertThat(lines).hasSize(scenario.flowCount());
    for (int i = 0; i < finish.length; i++) {
      int comma = lines.get(i).lastIndexOf(',');
      double expected = Double.parseDouble(lines.get(i).substring(comma + 1));
      assertThat(scenario.line(i)).isEqualTo(lines.get(i).substring(0, comma));
      assertThat(Ticks.toSeconds(finish[i]))
          .as("end of flow %d", i)
          .isCloseTo(expected, within(1e-9 * expected));
    }
  }

  @Test
  void theLastFlowEndsWhenItDoesInSimGrid() {
    Engine engine = run(scenario, new long[scenario.flowCount()]);

    assertThat(Ticks.toSeconds(engine.now())).isCloseTo(SIMGRID_MAKESPAN_SECONDS, within(1e-6));
  }

  @Test
  void theSameSeedGivesTheSameHashOnEveryMachine() {
    FlowsScenario larger = new FlowsScenario(100, 10_000, Arrivals.STEADY, 42);

    assertThat(run(larger, new long[10_000]).logHash()).isEqualTo(HASH);
  }

  private static Engine run(FlowsScenario scenario, long[] finish) {
    Engine engine = new Engine();
    FlowNetwork network = new FlowNetwork(engine, (flow, tag) -> finish[(int) tag] = engine.now());
    scenario.addResources(network);
    int[] path = new int[FlowsScenario.PATH_MAX];
    double[] unitsPerByte = new double[FlowsScenario.PATH_MAX];
    Arrays.fill(unitsPerByte, 1);
    int start =
        engine.register(
            i -> {
              int length = scenario.path((int) i, path);
              double bytes = scenario.bytes((int) i);
              network.start(path, unitsPerByte, length, bytes, Double.POSITIVE_INFINITY, i);
            });
    for (int i = 0; i < scenario.flowCount(); i++) {
      engine.at(scenario.startTick(i), start, i);
    }
    engine.runUntil(Ticks.NEVER);
    return engine;
  }

  private List<String> golden() {
    List<ConcurrencyCurve> resources = new ArrayList<>();
    for (int i = 0; i < scenario.resourceCount(); i++) {
      double capacity = scenario.capacity(i);
      resources.add(flowCount -> capacity);
    }
    List<Trial.Flow> flows = new ArrayList<>();
    int[] path = new int[FlowsScenario.PATH_MAX];
    for (int i = 0; i < scenario.flowCount(); i++) {
      int length = scenario.path(i, path);
      double[] unitsPerByte = new double[length];
      Arrays.fill(unitsPerByte, 1);
      flows.add(
          new Trial.Flow(
              Ticks.toSeconds(scenario.startTick(i)),
              Arrays.copyOf(path, length),
              unitsPerByte,
              scenario.bytes(i),
              Double.POSITIVE_INFINITY));
    }
    double[] finish = TextbookFlows.finishTimes(new Trial(resources, flows, List.of()));
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < finish.length; i++) {
      lines.add(String.format(Locale.ROOT, "%s,%.12f", scenario.line(i), finish[i]));
    }
    return lines;
  }
}
