package io.tierwise.simulator.jobs;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.work.SlotKind;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.simulator.cluster.PageCache;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.EndOfTimeException;
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
import java.util.Objects;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;

/**
 * Takes jobs as they arrive and sees them through.
 *
 * <ol>
 *   <li>A job arrives; its input exists, or is laid out now, by the placement policy.
 *   <li>After its start-up time the tasks of its first stages wait for slots ({@link
 *       SlotAssigner}).
 *   <li>When enough of a stage is done, tasks of those that come after it wait for slots, too.
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
  private final JobAdmission admission;
  private final Set<JobRun> running = new LinkedHashSet<>();
  private JobWatch watch = (job, spec, maps, reduces, inputs) -> TierTable.NONE;
  private final int arrives;
  private final int ready;
  private JobSpec coming;
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
    this.admission = new JobAdmission(context, source);
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
      long tick = Ticks.ofSeconds(coming.submitSeconds());
      if (tick == Ticks.NEVER) {
        throw new EndOfTimeException();
      }
      engine.at(Math.max(engine.now(), tick), arrives, 0);
    }
  }

  private void arrived() {
    JobSpec spec = coming;
    if (firstSubmitTick < 0) {
      firstSubmitTick = engine.now();
    }
    JobRun job = admission.admit(spec);
    int maps = job.taskCount(SlotKind.MAP);
    int reduces = job.taskCount(SlotKind.REDUCE);
    job.temporaryTier = watch.arrived(job.id, spec, maps, reduces, inputs(job));
    running.add(job);
    slots.arrived(job);
    long start = Ticks.ofSeconds(context.model().jobStartSeconds());
    engine.at(engine.now() + start, ready, job.id);
    askForNext();
  }

  private static List<StoredFile> inputs(JobRun job) {
    return job.stages.stream().map(stage -> stage.input).filter(Objects::nonNull).toList();
  }

  private void readied(long jobId) {
    JobRun job = slots.find((int) jobId);
    if (job == null) {
      return;
    }
    for (SlotKind kind : SlotKind.values()) {
      if (job.taskCount(kind) > 0 && !slots.areAny(kind)) {
        fail(job, "no node has slots for its tasks: set " + key(kind) + " above 0");
        return;
      }
    }
    if (context.model().dropCaches() && running.size() == 1) {
      for (PageCache cache : context.caches()) {
        cache.clear();
      }
    }
    queueMaps(job);
    slots.mapsWait(job);
    job.stages.forEach(this::releaseBehind);
  }

  private static String key(SlotKind kind) {
    return kind == SlotKind.MAP ? "map-slots" : "reduce-slots";
  }

  /** In an order in which the first ones are taken first. */
  private void queueMaps(JobRun job) {
    List<Integer> nodes = source.mapNodes(job.spec);
    for (int index = job.stages.size() - 1; index >= 0; index--) {
      StageRun stage = job.stages.get(index);
      if (stage.slots == SlotKind.MAP) {
        queueMaps(stage, nodes);
      }
    }
  }

  private void queueMaps(StageRun stage, List<Integer> nodes) {
    JobRun job = stage.job;
    int placedByData = (int) Math.round(job.spec.localityShare() * stage.taskCount);
    for (int task = stage.taskCount - 1; task >= 0; task--) {
      int number = stage.firstTask + task;
      if (!nodes.isEmpty()) {
        job.pendingMaps.add(number);
        job.pendingMaps.addLocation(number, 0, nodes.get(number));
      } else if (stage.input == null || task >= placedByData) {
        job.waitAnywhere(stage, task);
      } else {
        job.pendingMaps.add(number);
        locate(stage, task);
      }
    }
  }

  private void locate(StageRun stage, int task) {
    Namespace namespace = context.namespace();
    VirtualCluster cluster = context.cluster();
    int block = stage.inputBlock(task);
    for (int i = 0; i < namespace.slotCount(); i++) {
      int volume = namespace.wholeReplica(block, i);
      if (volume != ClusterView.NONE) {
        int node = cluster.nodeOfVolume(volume);
        stage.job.pendingMaps.addLocation(stage.firstTask + task, i, node);
      }
    }
  }

  /** Lets tasks of the stages that come after one wait for slots, when enough of it is done. */
  private void releaseBehind(StageRun stage) {
    for (StageRun child : stage.children) {
      if (!child.isReleased && mayStart(child)) {
        stage.job.release(child, context.cluster().nodeCount());
        slots.reducesWait(stage.job);
      }
    }
  }

  /** Reducers of MapReduce start when a share of the maps is done, other stages behind all. */
  private boolean mayStart(StageRun stage) {
    if (!stage.job.spec.stages().isEmpty()) {
      return stage.parentsAreDone();
    }
    StageRun maps = stage.parents.get(0);
    return (double) maps.tasksDone >= context.model().slowStartShare() * maps.taskCount;
  }

  @Override
  public void taskStarted(TaskAttempt attempt) {
    if (attempt.slots() == SlotKind.MAP) {
      watch.mapStarted(attempt.job().id);
    }
    speculation.changed(attempt.stage);
  }

  @Override
  public void taskDone(TaskAttempt attempt) {
    StageRun stage = attempt.stage;
    context.jobMeter().taskFinished(attempt.slots() == SlotKind.REDUCE);
    workDone += Work.of(stage.job.spec, stage.spec) / stage.taskCount;
    stage.taskDone(engine.now() - attempt.startTick);
    slots.taskDone(attempt);
    tasks.end(attempt);
    speculation.endTwin(attempt);
    if (stage.job.isDone()) {
      end(stage.job);
    } else if (stage.handsOn()) {
      releaseBehind(stage);
      if (stage.isDone()) {
        tasks.stageDone(stage);
      }
      speculation.changed(stage);
    }
    slots.slotFree(attempt);
  }

  private void end(JobRun job) {
    running.remove(job);
    slots.over(job);
    watch.over(job.id);
    tasks.mapOutput().delete(job);
    for (StageRun stage : job.stages) {
      if (stage.input != null) {
        stage.input.closed();
      }
      if (stage.output != null) {
        stage.output.setBeingWritten(false);
        stage.output.noteWritten(nowMillis());
      }
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
    fail(attempt.job(), reason);
    slots.offerAll();
  }

  /** Fails all running jobs, because they wait for something that will not happen. */
  public void failAll() {
    List.copyOf(running).forEach(job -> fail(job, "waits for what is down for good"));
  }

  /**
   * The job is over. What its tasks wrote goes with those that are not done, and stays of those
   * that are. Source: Hadoop's FileOutputCommitter, algorithm 2, its default.
   */
  private void fail(JobRun job, String reason) {
    job.failed = true;
    context.jobMeter().failed(job.spec.name(), reason);
    for (TaskAttempt other : tasks.attempts().running()) {
      if (other.job() == job) {
        tasks.end(other);
        tasks.discard(other);
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
    running.forEach(job -> job.stages.forEach(speculation::changed));
  }

  /** A volume is gone: writes to it go on to other replicas, with what is left of them. */
  public void writesLost(int volume) {
    nodeLoss.writesLost(volume, List.copyOf(running));
    slots.offerAll();
    running.forEach(job -> job.stages.forEach(speculation::changed));
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

  /** Throws when the output of a task that is done counts twice, or an attempt is unknown. */
  public void checkOutputs() {
    tasks.attempts().check();
    running.forEach(job -> job.stages.forEach(StageRun::checkOutputs));
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
