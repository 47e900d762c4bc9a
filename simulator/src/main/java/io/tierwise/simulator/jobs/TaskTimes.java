package io.tierwise.simulator.jobs;

import io.tierwise.core.work.Application;
import io.tierwise.core.work.Application.Past;
import io.tierwise.core.work.Demand;
import io.tierwise.core.work.Seconds;
import io.tierwise.core.work.SlotKind;
import io.tierwise.core.work.Stage;
import java.util.ArrayList;
import java.util.List;

/**
 * The past of an application while a run goes on, and its next job's stages by it: a map stage, and
 * a reduce stage that comes after it where there are reducers.
 */
final class TaskTimes {
  private static final List<SlotKind> STAGES = List.of(SlotKind.MAP, SlotKind.REDUCE);
  private static final List<Integer> AFTER_NONE = List.of();
  private static final List<Integer> AFTER_MAPS = List.of(0);

  private final String name;
  private final int nodeKinds;
  private final Sums[] sums;

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
  }

  TaskTimes(String name, int nodeKinds) {
    this.name = name;
    this.nodeKinds = nodeKinds;
    this.sums = new Sums[STAGES.size() * nodeKinds];
  }

  void add(JobRun job, boolean reduce, int nodeKind, double seconds) {
    int at = (reduce ? nodeKinds : 0) + nodeKind;
    if (sums[at] == null) {
      sums[at] = new Sums();
    }
    sums[at].add(taskBytes(job, reduce), seconds);
  }

  /** The mean of what its tasks take in; of a job without input, of what they write. */
  private static double taskBytes(JobRun job, boolean reduce) {
    if (reduce) {
      return (double) job.spec.mapOutputBytes() / job.reduceCount;
    }
    long bytes = job.input == null ? job.spec.outputBytes() : job.inputBytes;
    return (double) bytes / job.mapCount;
  }

  Application application() {
    List<Past> past = new ArrayList<>();
    for (int at = 0; at < sums.length; at++) {
      if (sums[at] != null) {
        Sums of = sums[at];
        double deviation =
            of.tasks < 2 ? Double.NaN : Math.sqrt(Math.max(0, of.squares) / (of.tasks - 1));
        past.add(
            new Past(
                STAGES.get(at / nodeKinds).text(),
                at % nodeKinds,
                of.tasks,
                of.bytes / of.tasks,
                of.seconds / of.tasks,
                deviation));
      }
    }
    return new Application(name, past);
  }

  /** The stages of a job that has just come. */
  List<Stage> stages(JobRun job, Application application) {
    boolean reduces = job.reduceCount > 0;
    long between = job.spec.mapOutputBytes();
    long out = job.spec.outputBytes();
    Demand ofMaps =
        new Demand(
            job.mapCount,
            job.spec.memory().mapBytes(),
            job.inputBytes,
            between,
            reduces ? 0 : out,
            seconds(application, SlotKind.MAP, taskBytes(job, false)));
    Stage maps = new Stage(SlotKind.MAP.text(), SlotKind.MAP, job.mapCount, AFTER_NONE, ofMaps);
    if (!reduces) {
      return List.of(maps);
    }
    Demand ofReducers =
        new Demand(
            job.reduceCount,
            job.spec.memory().reduceBytes(),
            0,
            0,
            out,
            seconds(application, SlotKind.REDUCE, taskBytes(job, true)));
    return List.of(
        maps,
        new Stage(
            SlotKind.REDUCE.text(), SlotKind.REDUCE, job.reduceCount, AFTER_MAPS, ofReducers));
  }

  private List<Seconds> seconds(Application application, SlotKind stage, double bytes) {
    if (application.past().isEmpty()) {
      return List.of();
    }
    List<Seconds> byKind = new ArrayList<>();
    for (int kind = 0; kind < nodeKinds; kind++) {
      byKind.add(application.taskSeconds(stage.text(), kind, bytes));
    }
    return byKind;
  }
}
