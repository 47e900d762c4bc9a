package io.tierwise.simulator.scenario.yaml;

import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.StageSpec;
import io.tierwise.simulator.workload.StageGraph;
import io.tierwise.simulator.workload.StageGraph.Named;
import io.tierwise.simulator.workload.WorkloadException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Reads the stages of a job. */
final class StageReader {
  private StageReader() {}

  /** The stages in order; empty when the job has none of its own. */
  static List<StageSpec> read(Fields job, ClusterSpec cluster) {
    List<Named> stages = new ArrayList<>();
    for (Place item : job.items("stages")) {
      stages.add(read(Fields.of(item, ScenarioKeys.STAGES)));
    }
    if (stages.isEmpty()) {
      return List.of();
    }
    try {
      List<StageSpec> ordered = StageGraph.of(stages);
      boolean takesAny = ordered.stream().anyMatch(stage -> !stage.takes().isEmpty());
      requireSlots(job, NodeSpec::mapSlots, "map-slots", cluster);
      if (takesAny) {
        requireSlots(job, NodeSpec::reduceSlots, "reduce-slots", cluster);
      }
      return ordered;
    } catch (WorkloadException e) {
      throw job.at("stages").error(e.getMessage());
    }
  }

  private static Named read(Fields stage) {
    return new Named(
        new StageSpec(
            stage.name("name"),
            List.of(),
            "",
            stage.bytes("input"),
            stage.isWord("tasks") ? 0 : stage.intCount("tasks"),
            stage.number("cycles"),
            stage.measure("task-time"),
            stage.bytes("between"),
            stage.bytes("output")),
        names(stage, "after"),
        names(stage, "one-to-one"));
  }

  private static List<String> names(Fields stage, String key) {
    return stage.items(key).stream().map(Place::text).toList();
  }

  private static void requireSlots(
      Fields job, ToIntFunction<NodeSpec> slots, String key, ClusterSpec cluster) {
    if (!areAny(slots, cluster)) {
      throw job.at("stages").error("run in slots that no node has: set " + key + " above 0");
    }
  }

  /** Whether any node has such slots. */
  static boolean areAny(ToIntFunction<NodeSpec> slots, ClusterSpec cluster) {
    return cluster.racks().stream()
        .flatMap(rack -> rack.groups().stream())
        .anyMatch(group -> slots.applyAsInt(group.node()) > 0);
  }
}
