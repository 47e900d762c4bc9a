package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.simulator.cluster.PageCache;
import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.cluster.Paths;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.cluster.WriteBuffers;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.measure.CostMeter;
import io.tierwise.simulator.measure.JobMeter;
import io.tierwise.simulator.measure.Meters;
import io.tierwise.simulator.scenario.ModelSpec;
import io.tierwise.simulator.storage.BlockPlacer;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.Repair;
import io.tierwise.simulator.storage.ReplicaReads;
import io.tierwise.simulator.workload.JobSpec;
import java.util.random.RandomGenerator;

/** The parts of a run that tasks use. */
public record TaskContext(
    Engine engine,
    VirtualCluster cluster,
    Transfers transfers,
    Paths paths,
    PageCache[] caches,
    WriteBuffers buffers,
    Namespace namespace,
    BlockPlacer placer,
    Repair repair,
    ReplicaReads reads,
    AccessSession session,
    ModelSpec model,
    Meters meters,
    JobMeter jobMeter,
    CostMeter costs,
    RandomGenerator random) {

  private static final int VOLUME_BITS = 24;

  /** Behind the numbers of jobs; {@link JobSpec#STAGES_MAX} fit below the bit that tells keys. */
  private static final int STAGE_SHIFT = VOLUME_BITS + 31;

  /** Whether tasks of the job read, compute and write one after the other. */
  boolean series(JobRun job) {
    return switch (job.spec.phases()) {
      case MODEL -> model.series();
      case OVERLAPPED -> false;
      case SERIES -> true;
    };
  }

  /** Whether tasks of the job spill while their input comes. */
  boolean spillsMeanwhile(JobRun job) {
    return model.spillsMeanwhile() && !series(job);
  }

  /** Key in a page cache of a block of HDFS. */
  static long blockKey(int block) {
    return block;
  }

  /** Key in a page cache of what a stage's tasks left on a volume of the node. */
  static long outputKey(StageRun stage, int volume) {
    return (1L << 62)
        | ((long) stage.index << STAGE_SHIFT)
        | ((long) stage.job.id << VOLUME_BITS)
        | (volume & ((1 << VOLUME_BITS) - 1));
  }

  /** Number among files of what a task leaves for stages that come after its own. */
  static long outputFile(StageRun stage, int task) {
    return (1L << 62) | ((long) stage.job.id << 31) | (stage.firstTask + task);
  }

  /** Number among files, and key in a page cache, of the runs that an attempt has on its node. */
  static long runsKey(TaskAttempt attempt) {
    return (1L << 61) | attempt.id;
  }

  /** Share of what the attempt has spilled that must be read from its device; 0 when of none. */
  double uncachedShareOfRuns(TaskAttempt attempt) {
    Runs runs = attempt.runs;
    if (runs == null || runs.volume == ClusterView.NONE || runs.areRead) {
      return 0;
    }
    return 1 - caches[attempt.node].share(runsKey(attempt));
  }

  /**
   * Adds to a path what the last merge of the attempt's runs reads from their device.
   *
   * @param inputBytes of a reducer for each byte that takes the path
   */
  void readRuns(PathBuffer path, TaskAttempt attempt, double inputBytes) {
    double uncached = uncachedShareOfRuns(attempt);
    if (uncached > 0) {
      Runs runs = attempt.runs;
      double share = inputBytes * runs.spilledShare * uncached;
      paths.readDevice(path, runs.volume, runs.lastBytesPerSeek, share);
    }
  }
}
