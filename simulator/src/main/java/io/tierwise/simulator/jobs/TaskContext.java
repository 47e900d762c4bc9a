package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.simulator.cluster.PageCache;
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

  /** Key in a page cache of a block of HDFS. */
  static long blockKey(int block) {
    return block;
  }

  /** Key in a page cache of what a job's maps left on the node. */
  static long mapOutputKey(JobRun job) {
    return 1L << 62 | job.id;
  }

  /** Share of what the attempt has spilled that must be read from its device; 0 when of none. */
  double uncachedShareOfRuns(TaskAttempt attempt) {
    if (attempt.runs == null || attempt.runs.volume == ClusterView.NONE) {
      return 0;
    }
    return 1 - caches[attempt.node].share(runsKey(attempt));
  }

  /** Key in a page cache of the runs that an attempt has on its node. */
  static long runsKey(TaskAttempt attempt) {
    return 1L << 61 | attempt.id;
  }
}
