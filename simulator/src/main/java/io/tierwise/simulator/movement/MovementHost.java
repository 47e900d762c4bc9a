package io.tierwise.simulator.movement;

import io.tierwise.core.action.Move;
import io.tierwise.core.view.LoadView;
import io.tierwise.policies.movement.Misplaced;
import io.tierwise.policies.movement.MoveClaim;
import io.tierwise.policies.movement.MoveTurns;
import io.tierwise.simulator.cluster.Paths;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.cluster.WriteBuffers;
import io.tierwise.simulator.engine.EndOfTimeException;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.measure.FlushResult;
import io.tierwise.simulator.measure.Meters;
import io.tierwise.simulator.measure.MovementResult;
import io.tierwise.simulator.measure.RepairResult;
import io.tierwise.simulator.scenario.MovementSpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.storage.BlockPlacer;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.ReplicaCopies;
import io.tierwise.simulator.storage.ReplicaCopies.Copy;
import io.tierwise.simulator.storage.StoredFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * A cluster's one mover: makes a scenario's movements, what its monitor wants repaired, and its
 * flushes, one at a time.
 *
 * <p>Deviation from a running cluster: a copy between nodes serves no read before the old replica
 * is dropped; and devices have no storage types, by which a DataNode refuses moves between two
 * volumes of one.
 */
public final class MovementHost implements MovementRun.Surroundings {
  private final VirtualCluster cluster;
  private final Engine engine;
  private final Namespace namespace;
  private final BlockPlacer placer;
  private final List<PlannedMovement> planned;
  private final Optional<RepairMonitor> monitor;
  private final List<TierFlushes> flushes;
  private final Deque<MoverJob> waiting = new ArrayDeque<>();
  private final Map<Long, BlockWork> toLookAgain = new LinkedHashMap<>();
  private final Map<Long, ReplicaMove> toDrop = new LinkedHashMap<>();
  private final Map<Long, StoredFile> toLookAt = new LinkedHashMap<>();
  private final ReplicaCopies<ReplicaMove> copies;

  /** Of each job's last run, from which its next one takes over what moves owe to the rates. */
  private final Map<MoverJob, MoveTurns<ReplicaMove, Integer>> turns = new HashMap<>();

  private final int begins;
  private final int wakes;
  private final int looksAgain;
  private final int drops;
  private final int looks;
  private Listener listener = (file, index, move) -> {};
  private LoadView load = LoadView.UNKNOWN;
  private MovementRun run;
  private MoverJob job;
  private long nextTicket;
  private long wakeTick = Ticks.NEVER;
  private boolean isBeginning;

  /** Nothing is scheduled yet. */
  public MovementHost(
      Scenario scenario,
      Engine engine,
      VirtualCluster cluster,
      Transfers transfers,
      Paths paths,
      WriteBuffers buffers,
      Namespace namespace,
      BlockPlacer placer,
      Meters meters) {
    this.engine = engine;
    this.cluster = cluster;
    this.namespace = namespace;
    this.placer = placer;
    this.copies =
        new ReplicaCopies<>(
            cluster, transfers, paths, buffers, meters, copy -> copied(copy.what()));
    this.planned =
        scenario.movements().stream()
            .sorted(Comparator.comparingDouble(MovementSpec::atSeconds))
            .map(spec -> new PlannedMovement(spec, cluster, namespace))
            .toList();
    this.monitor =
        scenario
            .upkeep()
            .monitor()
            .map(spec -> new RepairMonitor(spec, engine, cluster, namespace, placer, this::take));
    this.flushes =
        scenario.upkeep().flushes().stream()
            .map(spec -> new TierFlushes(spec, engine, cluster, namespace, placer, this::take))
            .toList();
    this.begins = engine.register(this::begin);
    this.wakes = engine.register(this::wake);
    this.looksAgain = engine.register(this::lookAgain);
    this.drops = engine.register(this::drop);
    this.looks = engine.register(this::look);
  }

  /** Hears of each move that is in place. */
  @FunctionalInterface
  public interface Listener {
    /**
     * @param index of the block in its file
     * @param move its volumes are those of the cluster's view
     */
    void moved(StoredFile file, int index, Move move);
  }

  /** Tells somebody of every move. */
  public void tell(Listener hearing) {
    listener = hearing;
  }

  /** Hears of each block that the monitor gives the mover, the most urgent of a batch first. */
  @FunctionalInterface
  public interface RepairListener {
    void repairs(StoredFile file, Misplaced block);
  }

  /** Tells somebody of every block to repair. */
  public void tellRepairs(RepairListener hearing) {
    monitor.ifPresent(one -> one.tell(hearing));
  }

  /** Plans from now on by how busy nodes are. */
  public void know(LoadView reported) {
    load = reported;
  }

  @Override
  public LoadView load() {
    return load;
  }

  /** Schedules all. */
  public void start() {
    for (int i = 0; i < planned.size(); i++) {
      engine.at(Ticks.ofSeconds(planned.get(i).atSeconds()), begins, i);
    }
    monitor.ifPresent(RepairMonitor::start);
    flushes.forEach(TierFlushes::start);
  }

  /** Whether all movements are over, and nothing is left to repair that can be repaired now. */
  public boolean isDone() {
    return job == null
        && waiting.isEmpty()
        && planned.stream().allMatch(PlannedMovement::isOver)
        && monitor.stream().allMatch(RepairMonitor::isSettled);
  }

  private void begin(long index) {
    PlannedMovement due = planned.get((int) index);
    if (due.moves()) {
      take(due);
    } else {
      due.setPolicyAlone(Ticks.toSeconds(engine.now()));
      changed();
    }
  }

  private void take(MoverJob another) {
    waiting.add(another);
    beginNext();
  }

  /** A run that is over at once may bring the next one, which this loop then begins, too. */
  private void beginNext() {
    if (isBeginning) {
      return;
    }
    isBeginning = true;
    while (run == null && !waiting.isEmpty()) {
      job = waiting.remove();
      run = begun(job.begin());
      run.proceed();
      endIfOver();
    }
    isBeginning = false;
  }

  private MovementRun begun(MovementRun.Order order) {
    MoveTurns<ReplicaMove, Integer> ofRun =
        turns.compute(
            job,
            (one, last) ->
                last == null
                    ? new MoveTurns<>(order.limits(), this::claim)
                    : last.next(Ticks.toNanos(engine.now())));
    return new MovementRun(cluster, namespace, placer, this, copies, ofRun, order);
  }

  private MoveClaim<Integer> claim(ReplicaMove move) {
    int to = move.decision().to();
    int source = move.decision().source();
    return new MoveClaim<>(nodeOfView(to), nodeOfView(source), to, source, move.bytes());
  }

  private int nodeOfView(int viewVolume) {
    return cluster.view().nodeOfVolume(viewVolume);
  }

  private void endIfOver() {
    if (run != null && run.isOver()) {
      MoverJob over = job;
      MovementRun last = run;
      job = null;
      run = null;
      over.ended(last);
      if (over instanceof PlannedMovement) {
        changed();
      }
    }
  }

  private void afterwards() {
    endIfOver();
    beginNext();
  }

  private void copied(ReplicaMove move) {
    run.copied(move);
    afterwards();
  }

  private void wake(long argument) {
    if (engine.now() != wakeTick) {
      // An earlier one was asked for meanwhile.
      return;
    }
    wakeTick = Ticks.NEVER;
    if (run != null) {
      run.proceed();
      afterwards();
    }
  }

  private void lookAgain(long ticket) {
    run.lookAgain(toLookAgain.remove(ticket));
    afterwards();
  }

  private void drop(long ticket) {
    ReplicaMove move = toDrop.remove(ticket);
    if (run != null) {
      run.dropped(move);
      afterwards();
    }
  }

  private void look(long ticket) {
    StoredFile file = toLookAt.remove(ticket);
    if (run != null) {
      run.look(file);
      afterwards();
    }
  }

  @Override
  public long nowTick() {
    return engine.now();
  }

  @Override
  public void wakeAt(long tick) {
    requireInTime(tick);
    if (tick < wakeTick || wakeTick <= engine.now()) {
      wakeTick = Math.max(tick, engine.now() + 1);
      engine.at(wakeTick, wakes, 0);
    }
  }

  private static void requireInTime(long tick) {
    // Now and a delay that together are more than a tick can say are below 0.
    if (tick < 0 || tick == Ticks.NEVER) {
      throw new EndOfTimeException();
    }
  }

  @Override
  public void lookAgainAt(long tick, BlockWork work) {
    toLookAgain.put(nextTicket, work);
    engine.at(tick, looksAgain, nextTicket++);
  }

  @Override
  public void droppedAt(long tick, ReplicaMove move) {
    toDrop.put(nextTicket, move);
    engine.at(tick, drops, nextTicket++);
  }

  @Override
  public void lookAt(long tick, StoredFile file) {
    requireInTime(tick);
    toLookAt.put(nextTicket, file);
    engine.at(tick, looks, nextTicket++);
  }

  @Override
  public void moved(ReplicaMove move) {
    listener.moved(move.work().file(), move.work().index(), move.decision());
  }

  /** Nodes, devices or policies are others than before: the monitor looks soon. */
  public void changed() {
    monitor.ifPresent(RepairMonitor::changed);
  }

  /** The node is down: copies from and to it end, and their blocks are looked at again. */
  public void nodeDown(int node) {
    abandon(
        copy -> nodeOf(copy.source()) == node || nodeOf(copy.target()) == node,
        volume -> nodeOf(volume) == node);
    changed();
  }

  /** The volume will be gone, its replicas are still counted: the same. */
  public void volumeLost(int volume) {
    if (run != null) {
      run.oldLost(volume);
    }
    abandon(copy -> copy.source() == volume || copy.target() == volume, other -> other == volume);
    changed();
  }

  private void abandon(Predicate<Copy<ReplicaMove>> which, IntPredicate isTarget) {
    copies.abandon(which, copy -> run.abandoned(copy.what()));
    if (run != null) {
      run.lost(isTarget);
      run.proceed();
      afterwards();
    }
  }

  private int nodeOf(int volume) {
    return cluster.nodeOfVolume(volume);
  }

  /** Names the volumes that copies read from and write to. */
  public void forEachVolumeInUse(IntConsumer volume) {
    copies.forEachVolumeInUse(volume);
  }

  /** The results so far, in the order in which movements began; one a movement. */
  public List<MovementResult> results() {
    double now = Ticks.toSeconds(engine.now());
    List<MovementResult> all = new ArrayList<>();
    planned.forEach(each -> all.add(each.result(each.equals(job) ? run : null, now)));
    return all;
  }

  /** Blocks that the monitor has found and had repaired; empty when there is no monitor. */
  public Optional<RepairResult> repairs() {
    return monitor.map(RepairMonitor::result);
  }

  /** Bytes that left tiers that were too full; one entry a tier that is looked after. */
  public List<FlushResult> flushed() {
    return flushes.stream().map(TierFlushes::result).toList();
  }
}
