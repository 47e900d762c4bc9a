package io.tierwise.simulator.scenario;

/**
 * How tasks run: constants of the execution model, the same for all jobs.
 *
 * @param taskStartSeconds from the assignment of a slot to the first byte
 * @param jobStartSeconds from submission to the first assignment, clean-up included
 * @param sortBytes output that a map holds in memory; more is spilled in runs and merged
 * @param sortFactor runs that are merged at a time
 * @param reduceBufferBytes input of a reducer that gathers in memory before it goes to disk as a
 *     run
 * @param reduceKeptBytes input that a reducer keeps in memory while it reduces
 * @param bytesPerReducer for jobs that do not say how many reducers they have
 * @param reducersPerJobMax for the same
 * @param shuffleSourcesMax nodes that a reducer fetches from at a time; when map output lies on
 *     more, so many are drawn, each standing for its share of the others
 * @param slowStartShare share of finished maps at which reducers start
 * @param localityDelaySeconds how long a job waits for a slot near its data
 * @param speculative whether a second attempt of a slow task is started
 * @param mapCyclesPerByte for jobs of traces, which do not say what their maps compute
 * @param reduceCyclesPerByte likewise for reducers
 * @param stragglerShare share of tasks that run slowly
 * @param stragglerFactor how much longer their computing takes
 * @param granularitySeconds at most so often are rates divided anew while a thousand flows run or
 *     more; 0: at every change, exactly
 * @param evictWhenFull whether the least recently used input is deleted when a write finds no room
 * @param dropCaches whether page caches are emptied before a job that runs alone, as a careful
 *     benchmark does
 * @param writeThrough whether a write waits for the device, not for the buffer cache
 * @param series whether a task reads, computes and writes one after the other, and not at once
 * @param warmInputShare share of the blocks of input that stand in page caches when the run begins
 * @param heartbeatSeconds from one moment at which a node is given tasks to the next; 0: at once
 * @param streams what moving bytes between processes costs
 * @param spillsMeanwhile whether a task spills while its input comes, where it does not work in
 *     series
 * @param mergeReadBytes that a merge of several runs reads of one before it turns to the next,
 *     which costs a seek; {@link Long#MAX_VALUE}: all of it
 */
public record ModelSpec(
    double taskStartSeconds,
    double jobStartSeconds,
    long sortBytes,
    int sortFactor,
    long reduceBufferBytes,
    long reduceKeptBytes,
    long bytesPerReducer,
    int reducersPerJobMax,
    int shuffleSourcesMax,
    double slowStartShare,
    double localityDelaySeconds,
    boolean speculative,
    double mapCyclesPerByte,
    double reduceCyclesPerByte,
    double stragglerShare,
    double stragglerFactor,
    double granularitySeconds,
    boolean evictWhenFull,
    boolean dropCaches,
    boolean writeThrough,
    boolean series,
    double warmInputShare,
    double heartbeatSeconds,
    StreamCosts streams,
    boolean spillsMeanwhile,
    long mergeReadBytes) {

  /**
   * A model in which a node is given a task as soon as it has a slot for it, streams cost nothing,
   * tasks spill when all of their input is there, and merges read one run after the other.
   */
  public ModelSpec(
      double taskStartSeconds,
      double jobStartSeconds,
      long sortBytes,
      int sortFactor,
      long reduceBufferBytes,
      long reduceKeptBytes,
      long bytesPerReducer,
      int reducersPerJobMax,
      int shuffleSourcesMax,
      double slowStartShare,
      double localityDelaySeconds,
      boolean speculative,
      double mapCyclesPerByte,
      double reduceCyclesPerByte,
      double stragglerShare,
      double stragglerFactor,
      double granularitySeconds,
      boolean evictWhenFull,
      boolean dropCaches,
      boolean writeThrough,
      boolean series,
      double warmInputShare) {
    this(
        taskStartSeconds,
        jobStartSeconds,
        sortBytes,
        sortFactor,
        reduceBufferBytes,
        reduceKeptBytes,
        bytesPerReducer,
        reducersPerJobMax,
        shuffleSourcesMax,
        slowStartShare,
        localityDelaySeconds,
        speculative,
        mapCyclesPerByte,
        reduceCyclesPerByte,
        stragglerShare,
        stragglerFactor,
        granularitySeconds,
        evictWhenFull,
        dropCaches,
        writeThrough,
        series,
        warmInputShare,
        0,
        StreamCosts.NONE,
        false,
        Long.MAX_VALUE);
  }
}
