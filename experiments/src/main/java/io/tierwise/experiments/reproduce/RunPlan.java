package io.tierwise.experiments.reproduce;

import java.util.List;

/**
 * A run that numbers come out of.
 *
 * @param scenario file in the reproduction's folder
 * @param settings {@code key=value}, laid over it in order
 * @param seeds how many seeds it runs with
 * @param quick whether a test may run it each time
 * @param needsData whether a setting names {@code {data}}, the folder of the user's traces
 */
public record RunPlan(
    String name,
    String scenario,
    List<String> settings,
    int seeds,
    boolean quick,
    boolean needsData) {
  public RunPlan {
    settings = List.copyOf(settings);
  }
}
