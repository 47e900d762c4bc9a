package io.tierwise.simulator.measure;

import io.tierwise.core.data.Ratio;
import io.tierwise.policies.movement.StorageConfiguration;
import io.tierwise.simulator.bound.ReadProblem;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of one run.
 *
 * @param scenario its name
 * @param placement canonical name of the placement policy
 * @param access canonical name of the access strategy
 * @param complete false when the run was interrupted: figures are those up to then
 * @param makespanSeconds from the first submission to the end of the last job
 * @param tierNames in the order of the tier arrays
 * @param movements in the order in which they began
 * @param repairs empty when there is no monitor
 * @param flushes one a tier that is looked after
 * @param fastTier empty when none is shared out
 */
public record RunResult(
    String scenario,
    String placement,
    String access,
    long seed,
    boolean complete,
    double makespanSeconds,
    List<String> tierNames,
    Jobs jobs,
    JobTimes jobTimes,
    Reads reads,
    Writes writes,
    Network network,
    Cost cost,
    Faults faults,
    List<MovementResult> movements,
    Optional<RepairResult> repairs,
    List<FlushResult> flushes,
    Stored stored,
    Optional<FastTier> fastTier,
    Optional<Share> share,
    AtEnd atEnd,
    Engine engine,
    List<Series> series) {
  public RunResult {
    tierNames = List.copyOf(tierNames);
    movements = List.copyOf(movements);
    flushes = List.copyOf(flushes);
    series = List.copyOf(series);
  }

  /**
   * Jobs: counts and completion times (submission to end) in seconds.
   *
   * @param firstFailure the first job that failed, and why; empty when none did
   */
  public record Jobs(
      long finished,
      long failed,
      long mapTasks,
      long reduceTasks,
      long killedTasks,
      double meanSeconds,
      double p50Seconds,
      double p95Seconds,
      double p99Seconds,
      double maxSeconds,
      String firstFailure) {}

  /**
   * When the jobs ran that finished: the i-th of each array is one job's.
   *
   * @param ids jobs are numbered as they arrive
   * @param submitSeconds since the start of the run
   * @param seconds from there to its end
   */
  public record JobTimes(int[] ids, double[] submitSeconds, double[] seconds) {}

  /**
   * Reads of HDFS data by tasks. Rates are TestDFSIO's: a task's bytes by its reading time.
   *
   * @param totalBytesPerSecond all tasks' bytes by the sum of their reading times
   * @param taskBytesPerSecondMean mean over tasks
   * @param taskBytesPerSecondDeviation standard deviation over tasks
   * @param bytesByTier by tier; from the page cache not counted here
   * @param sentBytesByTier that went to another node, by the tier that the replica is in
   * @param cachedBytes from page caches
   * @param localBytes same node
   * @param rackBytes same rack, other node
   * @param remoteBytes other rack, same region
   * @param otherRegionBytes other region
   * @param secondsByDistance that these four took, each from the question for a piece to its end
   * @param accessDeviation standard deviation of the accesses to a block's replicas, the mean over
   *     blocks that were read; not a number when there are too many
   * @param refusals reads that a serving node refused
   * @param together as a problem whose bound can be computed: when all begin together, from
   *     devices, and nothing breaks
   */
  public record Reads(
      long bytes,
      double totalBytesPerSecond,
      double taskBytesPerSecondMean,
      double taskBytesPerSecondDeviation,
      long[] bytesByTier,
      long[] sentBytesByTier,
      long cachedBytes,
      long localBytes,
      long rackBytes,
      long remoteBytes,
      long otherRegionBytes,
      double[] secondsByDistance,
      double accessDeviation,
      long refusals,
      Optional<ReadProblem> together) {}

  /**
   * Writes of HDFS data by tasks, and where the replicas went.
   *
   * @param bytesByTier of all replicas, by tier
   * @param singleRackBlockShare share of blocks all of whose replicas stand in one rack
   * @param bytesByRegion of all replicas, by region
   * @param blocksByRegionCount of blocks, the i-th: those whose replicas stand in i + 1 regions;
   *     replicas that follow after the write do not count
   * @param evictedBytes of files that were deleted to make room
   * @param cutShortBytes that copies of replicas had moved, in vain, when they were ended in the
   *     middle
   */
  public record Writes(
      long bytes,
      double totalBytesPerSecond,
      double taskBytesPerSecondMean,
      double taskBytesPerSecondDeviation,
      long[] bytesByTier,
      double singleRackBlockShare,
      long[] bytesByRegion,
      long[] blocksByRegionCount,
      long evictedBytes,
      long cutShortBytes) {}

  /**
   * Bytes between nodes, of what was ended in the middle those that had moved.
   *
   * @param shuffleBytes that reducers fetched, also from their own nodes
   */
  public record Network(
      long bytes, long crossRackBytes, long crossRegionBytes, long shuffleBytes) {}

  /**
   * The costs of the run.
   *
   * @param nodeJoules machines without devices
   * @param deviceJoulesByClass by device class, in the order of {@code deviceClasses}
   * @param writtenBytesByClass wear: what devices have, and what they will have of it
   * @param bufferedBytes of all of those, what no device has at the end of the run
   * @param dollars purchase price of nodes, devices and ports of the network
   * @param energyDollars price of all those joules
   */
  public record Cost(
      double nodeJoules,
      List<String> deviceClasses,
      double[] deviceJoulesByClass,
      long[] writtenBytesByClass,
      long bufferedBytes,
      double dollars,
      double energyDollars) {}

  /**
   * How the data stands at the end.
   *
   * @param nodeSets the different sets of nodes that hold all replicas of some block: the i-th,
   *     those of i nodes
   * @param nodesOfFile that hold some of a file, the mean over files; not a number when nothing is
   *     stored
   * @param fullestRackShare of a file's replicas, by bytes, likewise
   * @param dollarsPerGigabyte of all replicas, by the devices that hold them; not a number when
   *     nothing is stored
   */
  public record AtEnd(
      long[] nodeSets, double nodesOfFile, double fullestRackShare, double dollarsPerGigabyte) {}

  /** Faults, and the repairs after them. */
  public record Faults(long failures, long lostBlocks, long repairedBytes) {}

  /**
   * The storage of input files whose replicas follow their popularity; NaN where none do.
   *
   * @param bytesMean of all replicas, over the ends of windows
   * @param secondaryBytesMean of these, in the secondary store
   * @param filesWithMoreShare with more than the usual replicas, at the end of the last window
   * @param filesInSecondaryShare likewise
   */
  public record Stored(
      double bytesMean,
      double secondaryBytesMean,
      double filesWithMoreShare,
      double filesInSecondaryShare) {
    /** Nobody counted. */
    public static final Stored UNKNOWN = new Stored(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  /**
   * A fast tier that was shared out.
   *
   * @param bytesMax of both regions together, the most that was counted
   * @param prefetchedBytes for jobs that waited
   * @param rearrangedBytes into the persistent region
   * @param jobs that arrived, by what of their data it got
   */
  public record FastTier(
      long bytesMax,
      long prefetchedBytes,
      long rearrangedBytes,
      Map<StorageConfiguration, Long> jobs) {
    public FastTier {
      jobs = Map.copyOf(jobs);
    }
  }

  /**
   * The share of a zone that was chosen by the use of files.
   *
   * @param last of the first zone, at the end
   * @param changes of it
   */
  public record Share(Ratio last, long changes) {}

  /**
   * The effort of the run itself.
   *
   * @param logHash of all events in order: equal for equal runs
   */
  public record Engine(long events, long flows, double wallSeconds, long logHash) {}

  /** One line of a chart: {@code values[i]} is the mean over the i-th interval. */
  public record Series(String name, String unit, double intervalSeconds, double[] values) {}
}
