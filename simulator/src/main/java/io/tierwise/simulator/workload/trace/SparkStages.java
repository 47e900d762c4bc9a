package io.tierwise.simulator.workload.trace;

import io.tierwise.history.BadRowException;
import io.tierwise.simulator.scenario.StageSpec;
import io.tierwise.simulator.workload.JobSpec;
import io.tierwise.simulator.workload.StageGraph;
import io.tierwise.simulator.workload.WorkloadException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The stages of a job as its Spark event log has them: each one that ran, with its edges.
 *
 * <p>A stage that was skipped, since its output was there, stands for the one that computed the
 * same data set. Where that ran in a job before, what was read of it counts as input. Deviation:
 * every edge is a shuffle of all that its parent wrote; a broadcast, which leaves no edge in the
 * log, takes nothing; stages that stand beside each other in no job of a query may run at the same
 * time.
 */
final class SparkStages {
  private final String job;
  private final List<SparkStage> ran = new ArrayList<>();
  private final Map<Long, SparkStage> byId = new HashMap<>();
  private final Map<Long, SparkStage> byData = new HashMap<>();

  private SparkStages(String job) {
    this.job = job;
  }

  /**
   * The stages in order.
   *
   * @param job its name
   * @param all stages of the job, those that were skipped included
   * @return none when there are more than a job may have: it is then maps and reducers
   */
  static List<StageSpec> of(String job, List<SparkStage> all) throws BadRowException {
    SparkStages stages = new SparkStages(job);
    for (SparkStage stage : all) {
      stages.byId.put(stage.info.id(), stage);
      if (stage.ran) {
        stages.ran.add(stage);
        if (stage.info.rdd() >= 0) {
          stages.byData.put(stage.info.rdd(), stage);
        }
      }
    }
    return stages.ran.size() > JobSpec.STAGES_MAX ? List.of() : stages.ordered();
  }

  private List<StageSpec> ordered() throws BadRowException {
    Set<SparkStage> isTaken = new LinkedHashSet<>();
    ran.forEach(stage -> isTaken.addAll(parents(stage)));
    List<StageGraph.Named> named = new ArrayList<>();
    for (SparkStage stage : ran) {
      List<String> after = parents(stage).stream().map(this::name).toList();
      named.add(new StageGraph.Named(spec(stage, isTaken.contains(stage)), after, List.of()));
    }
    try {
      return StageGraph.of(named);
    } catch (WorkloadException e) {
      throw new BadRowException("job " + job + ": " + e.getMessage(), e);
    }
  }

  /** By place, so that stages of one name do the same in all runs of a query. */
  private String name(SparkStage stage) {
    return "stage-" + ran.indexOf(stage);
  }

  private Set<SparkStage> parents(SparkStage stage) {
    Set<SparkStage> parents = new LinkedHashSet<>();
    for (long id : stage.info.parents()) {
      SparkStage parent = byId.get(id);
      if (parent != null && !parent.ran) {
        parent = byData.get(parent.info.rdd());
      }
      if (parent != null && parent != stage) {
        parents.add(parent);
      }
    }
    return parents;
  }

  private StageSpec spec(SparkStage stage, boolean isTaken) {
    JobFigures figures = stage.figures;
    Set<SparkStage> parents = parents(stage);
    long input = figures.inputBytes + (parents.isEmpty() ? figures.shuffleReadBytes : 0);
    long between = isTaken ? figures.mapOutputBytes : 0;
    long output = isTaken ? 0 : figures.outputBytes;
    long tasks = Math.max(1, stage.info.taskCount());
    double bytes = input;
    for (SparkStage parent : parents) {
      bytes += parent.figures.mapOutputBytes;
    }
    boolean isOfOutput = parents.isEmpty() && input == 0;
    double computed = isOfOutput ? output : bytes;
    return new StageSpec(
        name(stage),
        List.of(),
        input > 0 ? TraceJobs.ownInput(job) + "/" + name(stage) : "",
        input,
        (int) tasks,
        computed > 0 ? stage.cpuSeconds() * JobFigures.CYCLES_PER_CPU_SECOND / computed : 0,
        computed > 0 ? 0 : stage.cpuSeconds() / tasks,
        between,
        output);
  }
}
