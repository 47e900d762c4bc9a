package io.tierwise.simulator.workload;

import io.tierwise.core.message.Nearest;
import io.tierwise.simulator.scenario.StageSpec;
import io.tierwise.simulator.scenario.StageSpec.Edge;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Puts the stages of a job in order, and says what no job can do. */
public final class StageGraph {
  private final List<Named> named;
  private final Map<String, Integer> byName = new HashMap<>();

  /** By stage: those whose output it takes, and whether task by task. */
  private final List<Map<Integer, Boolean>> before = new ArrayList<>();

  private StageGraph(List<Named> named) {
    this.named = named;
  }

  /**
   * A stage whose edges have names.
   *
   * @param stage without edges
   * @param after stages whose output each of its tasks takes a share of
   * @param oneToOne stages of which each of its tasks takes the output of the task of its number
   */
  public record Named(StageSpec stage, List<String> after, List<String> oneToOne) {
    public Named {
      after = List.copyOf(after);
      oneToOne = List.copyOf(oneToOne);
    }
  }

  /**
   * The stages, each behind those whose output it takes, those that take none first.
   *
   * @throws WorkloadException when a name is not known or stands twice, when stages wait for
   *     themselves, or when one can not do what it says
   */
  public static List<StageSpec> of(List<Named> stages) throws WorkloadException {
    if (stages.size() > JobSpec.STAGES_MAX) {
      throw new WorkloadException(
          "a job has "
              + stages.size()
              + " stages, and "
              + JobSpec.STAGES_MAX
              + " at most: put stages together");
    }
    StageGraph graph = new StageGraph(stages);
    graph.connect();
    List<StageSpec> ordered = graph.ordered();
    check(ordered);
    return ordered;
  }

  private void connect() throws WorkloadException {
    for (int stage = 0; stage < named.size(); stage++) {
      String name = named.get(stage).stage().name();
      if (byName.put(name, stage) != null) {
        throw new WorkloadException("two stages have the name '" + name + "': name each once");
      }
    }
    for (Named stage : named) {
      Map<Integer, Boolean> first = new TreeMap<>();
      before.add(first);
      for (String name : stage.after()) {
        put(first, stage, name, "after", false);
      }
      for (String name : stage.oneToOne()) {
        put(first, stage, name, "one-to-one", true);
      }
    }
  }

  private void put(
      Map<Integer, Boolean> first, Named stage, String name, String key, boolean oneToOne)
      throws WorkloadException {
    String where = "stage '" + stage.stage().name() + "': " + key + " names '" + name + "'";
    Integer other = byName.get(name);
    if (other == null) {
      throw new WorkloadException(
          where + ", which is the name of no stage" + Nearest.hint(name, byName.keySet()));
    }
    if (first.put(other, oneToOne) != null) {
      throw new WorkloadException(where + " a second time: name each stage once");
    }
  }

  private List<StageSpec> ordered() throws WorkloadException {
    Precedence precedence = Precedence.of(before.stream().map(Map::keySet).toList());
    if (!precedence.cycle().isEmpty()) {
      String names =
          precedence.cycle().stream()
              .map(stage -> "'" + named.get(stage).stage().name() + "'")
              .collect(Collectors.joining(" after "));
      throw new WorkloadException(
          "stages wait for themselves: "
              + names
              + "; remove one of these from after or one-to-one");
    }
    int[] position = new int[named.size()];
    for (int i = 0; i < position.length; i++) {
      position[precedence.order().get(i)] = i;
    }
    List<StageSpec> ordered = new ArrayList<>();
    for (int stage : precedence.order()) {
      List<Edge> takes =
          before.get(stage).entrySet().stream()
              .map(edge -> new Edge(position[edge.getKey()], edge.getValue()))
              .sorted(Comparator.comparingInt(Edge::stage))
              .toList();
      ordered.add(named.get(stage).stage().withEdges(takes));
    }
    return ordered;
  }

  private static void check(List<StageSpec> stages) throws WorkloadException {
    boolean[] isTaken = new boolean[stages.size()];
    for (StageSpec stage : stages) {
      for (Edge edge : stage.takes()) {
        isTaken[edge.stage()] = true;
        if (edge.oneToOne()) {
          requireAsMany(stage, stages.get(edge.stage()));
        }
      }
    }
    for (int i = 0; i < isTaken.length; i++) {
      check(stages.get(i), isTaken[i]);
    }
  }

  private static void requireAsMany(StageSpec stage, StageSpec other) throws WorkloadException {
    boolean isFree =
        stage.taskCount() == 0 && stage.takes().stream().filter(Edge::oneToOne).count() == 1;
    boolean isEqual = stage.taskCount() > 0 && stage.taskCount() == other.taskCount();
    if (!isFree && !isEqual) {
      throw new WorkloadException(
          "stage '"
              + stage.name()
              + "' takes the output of '"
              + other.name()
              + "' task by task, and has "
              + tasks(stage)
              + ", the other one "
              + tasks(other)
              + ": give both the same number of tasks");
    }
  }

  private static String tasks(StageSpec stage) {
    return stage.taskCount() == 0 ? "no number of tasks" : stage.taskCount() + " tasks";
  }

  private static void check(StageSpec stage, boolean isTaken) throws WorkloadException {
    String where = "stage '" + stage.name() + "' ";
    if (stage.betweenBytes() > 0 && !isTaken) {
      throw new WorkloadException(
          where
              + "hands on "
              + stage.betweenBytes()
              + " bytes, and no stage comes after it: write output in the place of between");
    }
    if (stage.outputBytes() > 0 && isTaken) {
      throw new WorkloadException(
          where
              + "writes "
              + stage.outputBytes()
              + " bytes of output, and other stages come after it: write between in the place of"
              + " output");
    }
    boolean hasBytes =
        stage.inputBytes() > 0 || !stage.takes().isEmpty() || stage.outputBytes() > 0;
    if (stage.cyclesPerByte() > 0 && !hasBytes) {
      throw new WorkloadException(
          where + "computes on no bytes: give it input, or remove its cycles");
    }
  }

  /** Bytes that a stage takes in, of stages in the order of {@link #of}. */
  public static long takenBytes(StageSpec stage, List<StageSpec> stages) {
    return stage.inputBytes()
        + stage.takes().stream().mapToLong(edge -> stages.get(edge.stage()).betweenBytes()).sum();
  }

  /** Mean cycles for each byte of the stages that take none of others' output, or of the rest. */
  public static double meanCycles(List<StageSpec> stages, boolean ofFirst) {
    double bytes = 0;
    double cycles = 0;
    for (StageSpec stage : stages) {
      if (stage.takes().isEmpty() == ofFirst) {
        double taken = (double) takenBytes(stage, stages);
        double computed = taken > 0 ? taken : (double) stage.outputBytes();
        bytes += computed;
        cycles += computed * stage.cyclesPerByte();
      }
    }
    return bytes > 0 ? cycles / bytes : 0;
  }

  /** The stages whose output goes to the file system. */
  public static long writers(List<StageSpec> stages) {
    return stages.stream().filter(stage -> stage.outputBytes() > 0).count();
  }
}
