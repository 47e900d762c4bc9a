package io.tierwise.simulator.jobs;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.simulator.cluster.PageCache;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSpec;
import io.tierwise.simulator.workload.Work;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;

/**
 * Takes jobs as they arrive and sees them through.
 *
 * <ol>
 *   <li>A job arrives; its input exists, or is laid out now, by the placement policy.
 *   <li>After its start-up time its maps wait for slots ({@link SlotAssigner}).
 *   <li>When enough maps are done its reducers wait for slots, too.
 *   <li>When all tasks are done the job is over, and the source is told.
 * </ol>
 */
public final class JobTracker implements TaskEvents {
  private final TaskContext context;
  private final Engine engine;
  private final JobSource source;
  private final Tasks tasks;
  private final SlotAssigner slots;
  private final Speculation speculation;
  private final NodeLoss nodeLoss;
  private final WarmInput warmInput;
  private final Set<JobRun> running = new LinkedHashSet<>();
  private JobWatch watch = (job, spec, maps, reduces, input) -> TierTable.NONE;
  private final int arrives;
  private final int ready;
  private JobSpec coming;
  private int jobCount;
  private double workDone;
  private long firstSubmitTick = -1;
  private long lastEndTick;
  private boolean sourceIsDry;

  /**
   * A tracker; {@link #start} must be called before the engine runs.
   *
   * @param policyRandom for the scheduling policy alone
   */
  public JobTracker(
      TaskContext context,
      JobSource source,
      SchedulingPolicy scheduling,
      RandomGenerator policyRandom) {
    this.context = context;
    this.engine = context.engine();
    this.source = source;
    this.tasks = new Tasks(context, this, scheduling.tasksATurn());
    this.slots = new SlotAssigner(context, tasks, scheduling, policyRandom);
    this.speculation = new Speculation(context, tasks, slots);
    this.nodeLoss = new NodeLoss(context, tasks, slots);
    this.warmInput = new WarmInput(context);
    this.arrives = engine.register(argument -> arrived());
    this.ready = engine.register(this::readied);
  }

  /** Tells somebody of each job. */
  public void tell(JobWatch watching) {
    watch = watching;
  }

  /** Asks for the first job. */
  public void start() {
    askForNext();
  }

  private void askForNext() {
    try {
      coming = source.next();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    sourceIsDry = coming == null;
    if (coming != null) {
      engine.at(Math.max(engine.now(), Ticks.ofSeconds(coming.submitSeconds())), arrives, 0);
    }
  }

  private void arrived() {
    JobSpec spec = coming;
    if (firstSubmitTick < 0) {
      firstSubmitTick = engine.now();
    }
    JobRun job = admit(spec);
    job.temporaryTier = watch.arrived(job.id, spec, job.mapCount, job.reduceCount, job.input);
    running.add(job);
    slots.arrived(job);
    long start = Ticks.ofSeconds(context.model().jobStartSeconds());
    engine.at(engine.now() + start, ready, job.id);
    askForNext();
  }

  private JobRun admit(JobSpec spec) {
    StoredFile input = spec.inputBytes() > 0 ? inputOf(spec) : null;
    int mapCount = mapCount(spec, input);
    int reduceCount = reduceCount(spec);
    StoredFile output = null;
    if (spec.outputBytes() > 0) {
      int parts = reduceCount > 0 ? reduceCount : mapCount;
      long partBytes = (spec.outputBytes() + parts - 1) / parts;
      int replicas =
          spec.outputReplication() > 0
              ? spec.outputReplication()
              : context.namespace().replication();
      output = context.namespace().create(spec.outputPath(), parts, partBytes, replicas);
    }
    PendingMaps pending =
        new PendingMaps(mapCount, context.namespace().slotCount(), context.cluster().nodeCount());
    JobRun job =
        new JobRun(jobCount++, spec, engine.now(), mapCount, reduceCount, input, output, pending);
    if (input != null) {
      input.opened();
      input.noteRead(nowMillis());
    }
    if (output != null) {
      output.setBeingWritten(true);
    }
    return job;
  }

  /** The job's input; laid out now when no job wrote it before. */
  private StoredFile inputOf(JobSpec spec) {
    StoredFile known = context.namespace().find(spec.inputPath());
    if (known != null) {
      return known;
    }
    long bytes = Math.max(spec.inputBytes(), spec.inputFileBytes());
    StoredFile file = context.namespace().create(spec.inputPath(), 1, bytes);
    // Its own first blocks make no room for its last ones.
    file.opened();
    int nodes = context.cluster().nodeCount();
    for (int index = 0; index < file.blockCount(); index++) {
      context.placer().place(file, index, context.random().nextInt(nodes));
    }
    warmInput.laidOut(file);
    file.closed();
    return file;
  }

  private static int mapCount(JobSpec spec, StoredFile input) {
    if (spec.mapCount() > 0) {
      return spec.mapCount();
    }
    return input == null
        ? 1
        : input.blockIndexAt(Math.min(spec.inputBytes(), input.bytes()) - 1) + 1;
  }

  private int reduceCount(JobSpec spec) {
    if (spec.mapOutputBytes() == 0 || spec.reduceCount() > 0) {
      return spec.mapOutputBytes() == 0 ? 0 : spec.reduceCount();
    }
    long bytesEach = context.model().bytesPerReducer();
    long wanted = (spec.mapOutputBytes() + bytesEach - 1) / bytesEach;
    return (int) Math.min(context.model().reducersPerJobMax(), wanted);
  }

  private void readied(long jobId) {
    JobRun job = slots.find((int) jobId);
    if (job == null) {
      return;
    }
    if (context.model().dropCaches() && running.size() == 1) {
      for (PageCache cache : context.caches()) {
        cache.clear();
      }
    }
    queueMaps(job);
    slots.mapsWait(job);
    releaseReduces(job);
  }

  private void queueMaps(JobRun job) {
    List<Integer> nodes = source.mapNodes(job.spec);
    int placedByData = (int) Math.round(job.spec.localityShare() * job.mapCount);
    for (int map = job.mapCount - 1; map >= 0; map--) {
      if (!nodes.isEmpty()) {
        job.pendingMaps.add(map);
        job.pendingMaps.addLocation(map, 0, nodes.get(map));
      } else if (job.input == null || map >= placedByData) {
        job.anywhere.push(map);
      } else {
        job.pendingMaps.add(map);
        locate(job, map);
      }
    }
  }

  private void locate(JobRun job, int map) {
    Namespace namespace = context.namespace();
    VirtualCluster cluster = context.cluster();
    int block = job.inputBlock(map);
    for (int i = 0; i < namespace.slotCount(); i++) {
      int volume = namespace.replica(block, i);
      if (volume != ClusterView.NONE) {
        job.pendingMaps.addLocation(map, i, cluster.volume(volume).node());
      }
    }
  }

  private void releaseReduces(JobRun job) {
    double share = context.model().slowStartShare();
    if (!job.reducesReleased
        && job.reduceCount > 0
        && (double) job.mapsDone >= share * job.mapCount) {
      job.reducesReleased = true;
      slots.reducesWait(job);
    }
  }

  @Override
  public void taskStarted(TaskAttempt attempt) {
    if (!attempt.reduce) {
      watch.mapStarted(attempt.job.id);
      speculation.changed(attempt.job);
    }
  }

  @Override
  public void taskDone(TaskAttempt attempt) {
    JobRun job = attempt.job;
    context.jobMeter().taskFinished(attempt.reduce);
    workDone +=
        attempt.reduce
            ? Work.ofReducers(job.spec) / job.reduceCount
            : Work.ofMaps(job.spec) / job.mapCount;
    if (attempt.reduce) {
      job.reducesDone++;
    } else {
      job.mapsDone++;
      job.finishedMapTicks += (double) (engine.now() - attempt.startTick);
    }
    slots.taskDone(attempt);
    tasks.end(attempt);
    speculation.endTwin(attempt);
    if (job.isDone()) {
      end(job);
    } else if (!attempt.reduce) {
      releaseReduces(job);
      if (job.mapsAreDone()) {
        tasks.mapsDone(job);
      }
      speculation.changed(job);
    }
    slots.slotFree(attempt);
  }

  private void end(JobRun job) {
    running.remove(job);
    slots.over(job);
    watch.over(job.id);
    tasks.mapOutput().delete(job);
    if (job.input != null) {
      job.input.closed();
    }
    if (job.output != null) {
      job.output.setBeingWritten(false);
      job.output.noteWritten(nowMillis());
    }
    lastEndTick = engine.now();
    if (!job.failed) {
      context
          .jobMeter()
          .finished(
              job.id,
              Ticks.toSeconds(job.submitTick),
              Ticks.toSeconds(engine.now() - job.submitTick));
    }
    if (source.finished(job.spec, Ticks.toSeconds(engine.now())) && sourceIsDry) {
      askForNext();
    }
  }

  private long nowMillis() {
    return engine.now() / (Ticks.PER_SECOND / 1000);
  }

  @Override
  public void jobFailed(TaskAttempt attempt, String reason) {
    fail(attempt.job, reason);
    slots.offerAll();
  }

  /** Fails all running jobs, because they wait for something that will not happen. */
  public void failAll() {
    List.copyOf(running).forEach(job -> fail(job, "waits for what is down for good"));
  }

  private void fail(JobRun job, String reason) {
    job.failed = true;
    context.jobMeter().failed(job.spec.name(), reason);
    for (TaskAttempt other : tasks.attempts().running()) {
      if (other.job == job) {
        tasks.end(other);
        context.jobMeter().taskKilled();
        slots.giveBack(other);
      }
    }
    end(job);
  }

  /** A node is gone: its tasks start anew elsewhere, and so do reads from it and writes to it. */
  public void nodeFailed(int node) {
    slots.setDown(node, true);
    nodeLoss.nodeLost(node, List.copyOf(running));
    slots.offerAll();
    running.forEach(speculation::changed);
  }

  /** A volume is gone: writes to it go on to other replicas, with what is left of them. */
  public void writesLost(int volume) {
    nodeLoss.writesLost(volume, List.copyOf(running));
    slots.offerAll();
    running.forEach(speculation::changed);
  }

  /** The volume's data is gone: reads from it go on at other replicas. */
  public void readsLost(int volume) {
    nodeLoss.readsLost(volume);
  }

  /** The node is back, without what it held. */
  public void nodeRepaired(int node) {
    slots.setDown(node, false);
    slots.offerAll();
  }

  /** Why the scheduling policy left a slot free when it last did; empty when it never did. */
  public String lastRefusal() {
    return slots.lastRefusal();
  }

  /** Slots that no task has, those of nodes that are down included. */
  public int freeSlotCount() {
    return slots.freeSlotCount();
  }

  /** Throws unless the tasks of each node hold what its memory lacks, and no more than it has. */
  public void checkMemory() {
    slots.checkMemory(tasks.attempts().running());
  }

  /** Attempts of tasks that run. */
  public int runningTaskCount() {
    return tasks.attempts().count();
  }

  /** Whether a reducer on the node fetches map output. */
  public boolean isShuffling(int node) {
    return tasks.isFetching(node);
  }

  /** The computing of all tasks now. */
  public Computing computing() {
    return tasks.computing();
  }

  /** Names the volumes that tasks read blocks from and write them to. */
  public void forEachVolumeInUse(IntConsumer volume) {
    tasks.forEachVolumeInUse(volume);
  }

  /** Work of the tasks that are done; one that has to be done again counts again. */
  public double workDone() {
    return workDone;
  }

  /** Jobs that run or wait. */
  public int runningJobCount() {
    return running.size();
  }

  /** Whether no job runs and none will come. */
  public boolean isDone() {
    return coming == null && running.isEmpty();
  }

  /** From the first submission to the end of the last job that is over, in seconds. */
  public double makespanSeconds() {
    return firstSubmitTick < 0 ? 0 : Ticks.toSeconds(Math.max(0, lastEndTick - firstSubmitTick));
  }
}
