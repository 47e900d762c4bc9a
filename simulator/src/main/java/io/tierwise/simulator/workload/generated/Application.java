package io.tierwise.simulator.workload.generated;

import io.tierwise.simulator.scenario.PhasePlan;
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
    Map<String, String> assumed) {
  public Application {
    assumed = Map.copyOf(assumed);
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
        assumed);
  }
}
