package io.tierwise.simulator.jobs;

import io.tierwise.core.work.Application;
import io.tierwise.core.work.Application.Past;
import io.tierwise.core.work.Demand;
import io.tierwise.core.work.Seconds;
import io.tierwise.core.work.SlotKind;
import io.tierwise.core.work.Stage;
import io.tierwise.simulator.scenario.StageSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The past of an application while a run goes on, and its next job's stages by it. */
final class TaskTimes {
  private final String name;
  private final int nodeKinds;

  /** By stage: one for each kind of node, or null where no task of it has ended. */
  private final Map<String, Sums[]> stages = new LinkedHashMap<>();

  /** The tasks of one stage that ended on one kind of node. */
  private static final class Sums {
    private long tasks;
    private double bytes;
    private double seconds;

    /** Squares of the distances from the mean. Source: Welford's method. */
    private double squares;

    void add(double taskBytes, double taskSeconds) {
      double before = tasks == 0 ? taskSeconds : seconds / tasks;
      tasks++;
      bytes += taskBytes;
      seconds += taskSeconds;
      squares += (taskSeconds - before) * (taskSeconds - seconds / tasks);
    }

    Past past(String stage, int nodeKind) {
      double deviation = tasks < 2 ? Double.NaN : Math.sqrt(Math.max(0, squares) / (tasks - 1));
      return new Past(stage, nodeKind, tasks, bytes / tasks, seconds / tasks, deviation);
    }
  }

  TaskTimes(String name, int nodeKinds) {
    this.name = name;
    this.nodeKinds = nodeKinds;
  }

  void add(StageRun stage, int nodeKind, double seconds) {
    Sums[] byKind = stages.computeIfAbsent(stage.spec.name(), none -> new Sums[nodeKinds]);
    if (byKind[nodeKind] == null) {
      byKind[nodeKind] = new Sums();
    }
    byKind[nodeKind].add(stage.meanTaskBytes(), seconds);
  }

  Application application() {
    List<Past> past = new ArrayList<>();
    stages.forEach(
        (stage, byKind) -> {
          for (int kind = 0; kind < nodeKinds; kind++) {
            if (byKind[kind] != null) {
              past.add(byKind[kind].past(stage, kind));
            }
          }
        });
    return new Application(name, past);
  }

  /** The stages of a job that has just come. */
  List<Stage> stages(JobRun job, Application application) {
    List<Stage> all = new ArrayList<>(job.stages.size());
    for (StageRun stage : job.stages) {
      List<Integer> after = stage.spec.takes().stream().map(StageSpec.Edge::stage).toList();
      all.add(
          new Stage(
              stage.spec.name(), stage.slots, stage.taskCount, after, demand(stage, application)));
    }
    return all;
  }

  private Demand demand(StageRun stage, Application application) {
    boolean isOfMaps = stage.slots == SlotKind.MAP;
    return new Demand(
        stage.taskCount,
        isOfMaps ? stage.job.spec.memory().mapBytes() : stage.job.spec.memory().reduceBytes(),
        stage.inputBytes,
        stage.spec.betweenBytes(),
        stage.spec.outputBytes(),
        seconds(application, stage));
  }

  private List<Seconds> seconds(Application application, StageRun stage) {
    if (application.past().isEmpty()) {
      return List.of();
    }
    List<Seconds> byKind = new ArrayList<>();
    for (int kind = 0; kind < nodeKinds; kind++) {
      byKind.add(application.taskSeconds(stage.spec.name(), kind, stage.meanTaskBytes()));
    }
    return byKind;
  }
}
