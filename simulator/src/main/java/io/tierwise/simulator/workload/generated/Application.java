package io.tierwise.simulator.workload.generated;

import io.tierwise.simulator.scenario.PhasePlan;
import io.tierwise.simulator.scenario.StageSpec;
import io.tierwise.simulator.workload.StageGraph;
import java.util.List;
import java.util.Map;

/**
 * The profile of an application: one row of {@code applications.yaml}.
 *
 * @param source where the figures stand
 * @param mapCount 0: one for each block of the input
 * @param reduceCount 0 for an application without map output
 * @param mapCyclesPerByte of map input, of output when there is no input
 * @param reduceCyclesPerByte of reduce input
 * @param outputReplication that the program itself asks for; 0: the file system's
 * @param phases of its tasks
 * @param assumed figures that the source does not print, and where they come from instead
 * @param stages of one that is more than maps and reducers; the other figures are then their sums
 */
public record Application(
    String name,
    String source,
    long inputBytes,
    long mapOutputBytes,
    long outputBytes,
    int mapCount,
    int reduceCount,
    double mapCyclesPerByte,
    double reduceCyclesPerByte,
    int outputReplication,
    PhasePlan phases,
    Map<String, String> assumed,
    List<StageSpec> stages) {
  public Application {
    assumed = Map.copyOf(assumed);
    stages = List.copyOf(stages);
  }

  /**
   * One that a scenario describes.
   *
   * @param stages in the order of {@link StageGraph#of}
   */
  static Application ofStages(String name, List<StageSpec> stages) {
    long input = 0;
    long between = 0;
    long output = 0;
    for (StageSpec stage : stages) {
      input = Math.addExact(input, stage.inputBytes());
      between = Math.addExact(between, stage.betweenBytes());
      output = Math.addExact(output, stage.outputBytes());
    }
    return new Application(
        name,
        "the scenario",
        input,
        between,
        output,
        tasks(stages, true),
        tasks(stages, false),
        StageGraph.meanCycles(stages, true),
        StageGraph.meanCycles(stages, false),
        0,
        PhasePlan.MODEL,
        Map.of(),
        stages);
  }

  private static int tasks(List<StageSpec> stages, boolean first) {
    return stages.stream()
        .filter(stage -> stage.takes().isEmpty() == first)
        .mapToInt(StageSpec::taskCount)
        .reduce(0, Math::addExact);
  }

  Application named(String otherName) {
    return new Application(
        otherName,
        source,
        inputBytes,
        mapOutputBytes,
        outputBytes,
        mapCount,
        reduceCount,
        mapCyclesPerByte,
        reduceCyclesPerByte,
        outputReplication,
        phases,
        assumed,
        stages);
  }
}
