package io.tierwise.simulator.jobs;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.simulator.storage.StoredFile;
import io.tierwise.simulator.workload.JobSpec;
import java.util.List;

/** Is told what becomes of jobs, and may say where their intermediate data goes. */
public interface JobWatch {
  /**
   * A job has arrived; it may wait before its first task starts.
   *
   * @param job its number, which no other job of the run has
   * @param maps how many it has
   * @param reduces likewise
   * @param inputs that its stages read
   * @return the tier of its intermediate data, or {@link TierTable#NONE} for any volume in turn; a
   *     scheduling policy that names one goes before
   */
  int arrived(int job, JobSpec spec, int maps, int reduces, List<StoredFile> inputs);

  /** A map of the job has got a slot. */
  default void mapStarted(int job) {}

  /** The job is over, however it ended. */
  default void over(int job) {}
}
