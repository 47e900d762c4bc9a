package io.tierwise.simulator;

import io.tierwise.core.action.Action;
import io.tierwise.core.message.OperatorException;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.simulator.bound.ReadProblem;
import io.tierwise.simulator.cluster.PageCache;
import io.tierwise.simulator.cluster.Paths;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.cluster.WriteBuffers;
import io.tierwise.simulator.engine.EndOfTimeException;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.RandomStreams;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.fault.FaultInjector;
import io.tierwise.simulator.jobs.JobTracker;
import io.tierwise.simulator.jobs.JobWatch;
import io.tierwise.simulator.jobs.TaskContext;
import io.tierwise.simulator.jobs.ToldScheduling;
import io.tierwise.simulator.measure.CostMeter;
import io.tierwise.simulator.measure.JobMeter;
import io.tierwise.simulator.measure.Meters;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.measure.Sampler;
import io.tierwise.simulator.movement.FastTierHost;
import io.tierwise.simulator.movement.MovementHost;
import io.tierwise.simulator.movement.ReplicationHost;
import io.tierwise.simulator.movement.ShareHost;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.ScenarioTiers;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.storage.BlockPlacer;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.Repair;
import io.tierwise.simulator.storage.ReplicaReads;
import io.tierwise.simulator.storage.StoredAtEnd;
import io.tierwise.simulator.workload.AdjustedJobs;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSources;
import io.tierwise.simulator.workload.Work;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;

/** A scenario, ready to run. Start reading here. */
public final class Simulation {
  /** Events between two looks at the wall clock. */
  private static final int EVENTS_PER_LOOK = 4096;

  private static final long UPDATE_NANOS = 100_000_000L;

  private final Scenario scenario;
  private final Decisions decisions;
  private final RandomStreams streams;
  private final Engine engine;
  private final VirtualCluster cluster;
  private final TaskContext context;
  private final PlacementPolicy placement;
  private final Sampler sampler;
  private double checkFromSeconds = Double.NaN;
  private double checkUntilSeconds = Double.NaN;
  private double expectedWork = Double.NaN;
  private int eventsPerLook = EVENTS_PER_LOOK;
  private long updateNanos = UPDATE_NANOS;
  private long checkedEvents;
  private DecisionListener listener;

  private Simulation(Scenario scenario, Decisions decisions) {
    this.scenario = scenario;
    this.decisions = decisions;
    this.streams = new RandomStreams(scenario.seed());
    this.engine = new Engine();
    Transfers transfers = new Transfers(engine);
    if (scenario.model().granularitySeconds() > 0) {
      transfers.network().setGranularity(Ticks.ofSeconds(scenario.model().granularitySeconds()));
    }
    this.cluster =
        new VirtualCluster(
            scenario.cluster(),
            ScenarioTiers.table(scenario),
            transfers.network(),
            FaultSpec.slowed(scenario.faults()),
            scenario.model().streams());
    this.placement = decisions.placement();
    Paths paths = new Paths(cluster);
    Namespace namespace = ReplicationHost.namespace(scenario.policies(), scenario.upkeep());
    BlockPlacer placer =
        new BlockPlacer(
            cluster,
            namespace,
            placement,
            streams.stream("placement", 0),
            scenario.model().evictWhenFull());
    WriteBuffers buffers =
        new WriteBuffers(engine, cluster, transfers, paths, scenario.model().writeThrough());
    Meters meters = new Meters(cluster);
    this.context =
        new TaskContext(
            engine,
            cluster,
            transfers,
            paths,
            pageCaches(),
            buffers,
            namespace,
            placer,
            new Repair(
                cluster,
                transfers,
                paths,
                buffers,
                namespace,
                placer,
                meters,
                streams.stream("repair", 0)),
            new ReplicaReads(
                cluster,
                namespace,
                streams.stream("access", 0),
                () -> engine.now() / (Ticks.PER_SECOND / 1000)),
            AccessSession.of(decisions.access()),
            scenario.model(),
            meters,
            new JobMeter(),
            new CostMeter(cluster, transfers.network(), buffers),
            streams.stream("tasks", 0));
    this.sampler = new Sampler(engine);
  }

  private PageCache[] pageCaches() {
    PageCache[] caches = new PageCache[cluster.nodeCount()];
    for (int node = 0; node < caches.length; node++) {
      caches[node] = new PageCache(cluster.node(node).pageCacheBytes());
    }
    return caches;
  }

  /** The simulation of a scenario. Nothing has run yet. */
  public static Simulation of(Scenario scenario) {
    return new Simulation(scenario, Decisions.of(Objects.requireNonNull(scenario, "scenario")));
  }

  /** The simulation of a scenario where some things were decided elsewhere. */
  public static Simulation of(Scenario scenario, Decisions decisions) {
    return new Simulation(
        Objects.requireNonNull(scenario, "scenario"),
        Objects.requireNonNull(decisions, "decisions"));
  }

  /**
   * Checks all invariants ({@link Conservation}) after every event of a part of the run, which
   * makes that part very slow.
   */
  public Simulation checkBetween(double fromSeconds, double untilSeconds) {
    checkFromSeconds = fromSeconds;
    checkUntilSeconds = untilSeconds;
    return this;
  }

  /** The number of events that were checked. */
  public long checkedEventCount() {
    return checkedEvents;
  }

  /**
   * Says how much there is to do, so that the share that is done can be told.
   *
   * @param work of all jobs together ({@link Work#of})
   */
  public Simulation expectWork(double work) {
    expectedWork = work;
    return this;
  }

  /** Tells somebody of every decision of its policies, at the moment when it is made. */
  public Simulation tell(DecisionListener hearing) {
    listener = hearing;
    return this;
  }

  private void told(Action made) {
    listener.decided(Ticks.toSeconds(engine.now()), made, cluster.view());
  }

  private SchedulingPolicy heardScheduling() {
    SchedulingPolicy policy = scenario.policies().scheduling(scenario.model());
    if (listener == null) {
      return policy;
    }
    context.placer().tell(this::told);
    context.reads().tell(this::told);
    return new ToldScheduling(policy, this::told);
  }

  /** The parts that its tasks share. */
  TaskContext context() {
    return context;
  }

  /** Says how far it is after every so many events, whatever the time. */
  Simulation updateEvery(int events) {
    eventsPerLook = events;
    updateNanos = 0;
    return this;
  }

  /**
   * Runs it, from the start to the end of the last job. Can be called once.
   *
   * @return what it brought; not complete when {@code progress} ended it
   * @throws IOException when the workload's trace cannot be read; the message names file and line
   * @throws OperatorException when it would go on after the end of simulated time
   */
  public RunResult run(Progress progress) throws IOException {
    long startNanos = System.nanoTime();
    try (JobSource source = source();
        ReplicationHost replication = replicationHost()) {
      JobTracker tracker =
          new JobTracker(context, source, heardScheduling(), streams.stream("scheduling", 0));
      FaultInjector injector = new FaultInjector(scenario.faults(), context, tracker);
      MovementHost movement = movementHost();
      injector.start(movement);
      Optional<FastTierHost> fastTier =
          scenario.upkeep().fastTier().map(spec -> new FastTierHost(spec, context, tracker));
      fastTier.filter(host -> listener != null).ifPresent(host -> host.tell(this::told));
      Optional<ShareHost> share =
          scenario.upkeep().share().map(spec -> new ShareHost(spec, context));
      Optional<? extends JobWatch> watch = fastTier.isPresent() ? fastTier : share;
      tracker.tell(watch.isPresent() ? watch.get() : replication);
      if (checkUntilSeconds >= checkFromSeconds) {
        Conservation conservation = new Conservation(context, tracker, movement);
        engine.registerCheck(
            () -> {
              conservation.check();
              checkedEvents++;
            });
        engine.assertBetween(Ticks.ofSeconds(checkFromSeconds), Ticks.ofSeconds(checkUntilSeconds));
      }
      addLines();
      sampler.start();
      StoredAtStart.layOut(scenario.stored(), context, streams.stream("stored", 0));
      movement.start();
      tracker.start();
      boolean complete = runToTheEnd(tracker, injector, movement, progress);
      double wallSeconds = (double) (System.nanoTime() - startNanos) / 1e9;
      return result(tracker, movement, replication, fastTier, share, complete, wallSeconds);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (EndOfTimeException e) {
      throw OperatorException.badInput(
          scenario.name()
              + ": jobs or moves would go on after 106 days, when simulated time ends: give them"
              + " less to do, or faster devices and links, or moves more bandwidth");
    }
  }

  private JobSource source() throws IOException {
    boolean traced = scenario.workload() instanceof WorkloadSpec.Trace;
    return new AdjustedJobs(
        JobSources.open(scenario.workload(), streams.stream("workload", 0)),
        decisions.nodesByJob(),
        traced ? scenario.model().mapCyclesPerByte() : 0,
        traced ? scenario.model().reduceCyclesPerByte() : 0);
  }

  private ReplicationHost replicationHost() throws IOException {
    ReplicationHost host =
        new ReplicationHost(
            scenario.upkeep().popularity(),
            engine,
            cluster,
            context.namespace(),
            context.placer(),
            context.repair());
    host.tell(listener == null ? action -> {} : this::told);
    if (host.needsForesight() && scenario.workload() instanceof WorkloadSpec.Trace) {
      host.foresee(source());
    }
    return host;
  }

  private MovementHost movementHost() {
    MovementHost host =
        new MovementHost(
            scenario,
            engine,
            cluster,
            context.transfers(),
            context.paths(),
            context.buffers(),
            context.namespace(),
            context.placer(),
            context.meters());
    host.know(context.reads().load());
    if (listener != null) {
      host.tell((file, index, move) -> told(move));
    }
    return host;
  }

  private boolean runToTheEnd(
      JobTracker tracker, FaultInjector injector, MovementHost movement, Progress progress) {
    long nextUpdateNanos = System.nanoTime() + updateNanos;
    for (long events = 1; !(tracker.isDone() && movement.isDone()); events++) {
      if (!engine.step()) {
        failWaiting(tracker, injector);
      }
      if (events % eventsPerLook == 0 && System.nanoTime() >= nextUpdateNanos) {
        nextUpdateNanos = System.nanoTime() + updateNanos;
        double seconds = Ticks.toSeconds(engine.now());
        long jobs = context.jobMeter().overCount();
        if (!progress.update(seconds, jobs, Math.min(1, tracker.workDone() / expectedWork))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Jobs that wait for what is down for good fail; a closed loop may then send the next ones. */
  private void failWaiting(JobTracker tracker, FaultInjector injector) {
    if (!injector.isAnythingBroken() && context.transfers().network().flowCount() > 0) {
      // Some transfers are so slow that no tick is their end.
      throw new EndOfTimeException();
    }
    if (!injector.isAnythingBroken() || tracker.runningJobCount() == 0) {
      throw new IllegalStateException(
          tracker.runningJobCount()
              + " jobs wait for what can no longer happen; the scheduling policy's last refusal: "
              + tracker.lastRefusal());
    }
    tracker.failAll();
  }

  private void addLines() {
    Meters meters = context.meters();
    sampler.add("reads", "bytes per second", () -> (double) meters.readBytes(), 1);
    sampler.add("writes", "bytes per second", () -> (double) meters.writtenBytes(), 1);
    sampler.add("network", "bytes per second", () -> (double) meters.networkBytes(), 1);
    context.costs().addUtilisation(sampler);
  }

  private Optional<ReadProblem> readsTogether() {
    return scenario.faults().isEmpty()
        ? context.meters().startedReads().together(context.paths(), context.transfers().network())
        : Optional.empty();
  }

  private RunResult result(
      JobTracker tracker,
      MovementHost movement,
      ReplicationHost replication,
      Optional<FastTierHost> fastTier,
      Optional<ShareHost> share,
      boolean complete,
      double wallSeconds) {
    double makespan = complete ? tracker.makespanSeconds() : Ticks.toSeconds(engine.now());
    return new RunResult(
        scenario.name(),
        placement.name(),
        context.session().strategy().name(),
        scenario.seed(),
        complete,
        makespan,
        cluster.view().tiers().tiers().stream().map(tier -> tier.name()).toList(),
        context.jobMeter().jobs(),
        context.jobMeter().times(),
        context.meters().reads(readsTogether(), context.namespace()::wholeReplicas),
        context.meters().writes(context.placer().evictedBytes()),
        context.meters().network(),
        context.costs().cost(Ticks.toSeconds(engine.now())),
        context.repair().faults(),
        movement.results(),
        movement.repairs(),
        movement.flushed(),
        replication.stored(),
        fastTier.map(FastTierHost::result),
        share.map(ShareHost::result),
        StoredAtEnd.of(context.namespace(), cluster),
        new RunResult.Engine(
            engine.eventCount(),
            context.transfers().network().finishedFlows(),
            wallSeconds,
            engine.logHash()),
        sampler.series());
  }
}
