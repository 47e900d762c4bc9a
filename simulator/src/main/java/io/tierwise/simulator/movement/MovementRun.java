package io.tierwise.simulator.movement;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.LoadView;
import io.tierwise.policies.movement.Hindrance;
import io.tierwise.policies.movement.MoveTurns;
import io.tierwise.policies.movement.MovementLimits;
import io.tierwise.policies.movement.MovementPlan;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.storage.BlockPlacer;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.ReplicaCopies;
import io.tierwise.simulator.storage.ReplicaCopies.Copy;
import io.tierwise.simulator.storage.StoredFile;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * One movement from its start to its end: blocks are looked at one after the other, so many at a
 * time; their moves wait for their turn, are copied, and take the place of the old replica. A block
 * of which a move failed is looked at again.
 */
final class MovementRun {
  /**
   * HDFS's default for copies between nodes ({@code dfs.datanode.balance.bandwidthPerSec}).
   * Deviation: for each copy, not for all of a node together.
   */
  private static final double NETWORK_BYTES_PER_SECOND = 100L << 20;

  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final int NONE = ClusterView.NONE;
  private static final String FULL = "no room in the wanted tier any more";
  private static final String BROKE = "a node or a device of its move broke";
  private static final String NOT_KEPT = "its new node has another replica by now";

  /** The surroundings of a run: what it asks of them and tells them. */
  interface Surroundings {
    long nowTick();

    /** How busy nodes are. */
    LoadView load();

    /** Has {@link MovementRun#proceed} called then, or before. */
    void wakeAt(long tick);

    /** Has {@link MovementRun#lookAgain} called then. */
    void lookAgainAt(long tick, BlockWork work);

    /** Has {@link MovementRun#dropped} called then. */
    void droppedAt(long tick, ReplicaMove move);

    /** Has {@link MovementRun#look} called then. */
    void lookAt(long tick, StoredFile file);

    /** A move is in place. */
    void moved(ReplicaMove move);
  }

  private final VirtualCluster cluster;
  private final Namespace namespace;
  private final BlockPlacer placer;
  private final Surroundings host;
  private final ReplicaCopies<ReplicaMove> copies;
  private final MovementTally tally;
  private final MovementPlanner planner;
  private final MoveTurns<ReplicaMove, Integer> turns;
  private final Iterator<NextBlock> blocks;
  private final long startTick;
  private final HdfsReports reports;
  private final LoadReports loads;
  private final FileLooks looks;
  private final Set<ReplicaMove> settling = new LinkedHashSet<>();
  private long lookedTick;
  private long lastMoveTick;
  private int underWay;

  /**
   * A run that has not begun.
   *
   * @param turns of this run alone; they know what earlier runs of its job owe to the rates
   */
  MovementRun(
      VirtualCluster cluster,
      Namespace namespace,
      BlockPlacer placer,
      Surroundings host,
      ReplicaCopies<ReplicaMove> copies,
      MoveTurns<ReplicaMove, Integer> turns,
      Order order) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.placer = placer;
    this.host = host;
    this.copies = copies;
    this.tally = order.tally();
    MovementLimits limits = order.limits();
    this.planner = new MovementPlanner(cluster, namespace, host.load(), limits.keptFreeShare());
    this.turns = turns;
    this.blocks = order.blocks();
    this.reports = new HdfsReports(order.heartbeatSeconds(), cluster.nodeCount());
    this.looks = new FileLooks((file, nanos) -> host.lookAt(Ticks.ofNanos(nanos), file));
    this.startTick = host.nowTick();
    this.lookedTick = startTick;
    this.lastMoveTick = startTick;
    this.loads = new LoadReports(turns, host, order, cluster.nodeCount());
  }

  /**
   * The work of a run.
   *
   * @param blocks in the order in which they are looked at; each is brought to its file's policy
   */
  record Order(
      MovementLimits limits,
      double heartbeatSeconds,
      Iterator<NextBlock> blocks,
      MovementTally tally) {}

  private long nowNanos() {
    return Ticks.toNanos(host.nowTick());
  }

  /** Whether nothing is left to do. */
  boolean isOver() {
    return underWay == 0 && !blocks.hasNext();
  }

  double startSeconds() {
    return Ticks.toSeconds(startTick);
  }

  /** From its start to when the last move is known to be in place. */
  double seconds() {
    return Ticks.toSeconds(lastMoveTick - startTick);
  }

  /** Takes in blocks while there is room for them, and starts what has its turn. */
  void proceed() {
    while (underWay < MovementLimits.BLOCKS_AT_ONCE && blocks.hasNext()) {
      NextBlock next = blocks.next();
      takeIn(new BlockWork(next.file(), next.index(), namespace.blockBytes()));
    }
    long now = nowNanos();
    loads.tell(now);
    for (Optional<ReplicaMove> move = turns.take(now); move.isPresent(); move = turns.take(now)) {
      start(move.get());
    }
    if (turns.nextNanos() != MoveTurns.NEVER) {
      host.wakeAt(Ticks.ofNanos(turns.nextNanos()));
    }
    loads.wake();
  }

  private void takeIn(BlockWork work) {
    if (namespace.replicaCount(work.block()) == 0) {
      return;
    }
    Optional<Hindrance> hindrance = hindrance(work);
    if (hindrance.isPresent()) {
      tally.block(false);
      tally.left(hindrance.get().text(), work.bytes());
      return;
    }
    MovementPlan plan = plan(work);
    tally.block(plan.moves().isEmpty() && plan.unmoved().isEmpty());
    plan.unmoved().forEach(each -> tally.left(each.reason().text(), work.bytes()));
    if (!plan.moves().isEmpty()) {
      underWay++;
      add(work, plan);
    }
  }

  private Optional<Hindrance> hindrance(BlockWork work) {
    if (work.file().isBeingWritten()) {
      return Optional.of(Hindrance.BEING_WRITTEN);
    }
    return namespace.wholeReplicas(work.block()).length < work.file().replication()
        ? Optional.of(Hindrance.REPLICA_MISSING)
        : Optional.empty();
  }

  private MovementPlan plan(BlockWork work) {
    if (Ticks.toNanos(host.nowTick() - lookedTick) > MovementLimits.VIEW_AGE_NANOS_MAX) {
      look();
    }
    return planner.plan(work, placer.policies().of(work.file()));
  }

  private void look() {
    lookedTick = host.nowTick();
    planner.look();
  }

  private void add(BlockWork work, MovementPlan plan) {
    work.turns().add(plan.moves().stream().map(move -> planner.move(work, move)).toList());
    enqueue(work);
  }

  private void enqueue(BlockWork work) {
    work.turns().startable().forEach(move -> turns.add(move, nowNanos()));
  }

  private void start(ReplicaMove move) {
    int to = cluster.volumeOfView(move.decision().to());
    if (!isUp(move.decision().to()) || !isUp(move.decision().source())) {
      turns.release(move);
      broke(move);
    } else if (!placer.reserve(to, move.bytes())) {
      turns.release(move);
      move.work().targetFailed(move.decision().to(), FULL);
      failed(move);
    } else {
      move.start();
      copies.start(
          new Copy<>(
              move,
              cluster.volumeOfView(move.decision().source()),
              to,
              move.bytes(),
              move.isInside() ? Double.POSITIVE_INFINITY : NETWORK_BYTES_PER_SECOND));
    }
  }

  private boolean isUp(int viewVolume) {
    return cluster.view().takes(viewVolume, 0);
  }

  /** A copy is whole. Inside a node it takes the place of the old replica at once. */
  void copied(ReplicaMove move) {
    turns.release(move);
    looks.made(move, nowNanos());
    if (move.isInside()) {
      inPlace(move);
    } else {
      settling.add(move);
      int old = cluster.view().nodeOfVolume(move.decision().from());
      host.droppedAt(reports.droppedTick(host.nowTick(), old), move);
    }
    proceed();
  }

  /** HDFS has dropped the old replica of a move between nodes. */
  void dropped(ReplicaMove move) {
    if (settling.remove(move)) {
      inPlace(move);
      proceed();
    }
  }

  /**
   * The old replicas on a volume are about to be lost: copies of theirs that are whole are all that
   * is left of them, so nothing has to be dropped first.
   */
  void oldLost(int volume) {
    for (ReplicaMove move : List.copyOf(settling)) {
      if (cluster.volumeOfView(move.decision().from()) == volume) {
        settling.remove(move);
        inPlace(move);
      }
    }
  }

  /** Copies that are whole and gone again before they took the place of the old replica. */
  void lost(IntPredicate targetVolume) {
    for (ReplicaMove move : List.copyOf(settling)) {
      int to = cluster.volumeOfView(move.decision().to());
      if (targetVolume.test(to)) {
        settling.remove(move);
        looks.forget(move);
        placer.unreserve(to, move.bytes());
        broke(move);
      }
    }
  }

  /** The copy takes the place of the old replica, unless things have changed. */
  private void inPlace(ReplicaMove move) {
    int block = move.work().block();
    int from = cluster.volumeOfView(move.decision().from());
    int to = cluster.volumeOfView(move.decision().to());
    if (namespace.fileOf(block) == null) {
      placer.unreserve(to, move.bytes());
      withdraw(move);
    } else if (!mayReplace(block, from, to)) {
      placer.unreserve(to, move.bytes());
      tally.left(NOT_KEPT, move.bytes());
      withdraw(move);
    } else {
      placer.replace(block, from, to, move.bytes());
      tally.moved(move);
      host.moved(move);
      move.placed();
    }
    looks.inPlace(move);
  }

  /** Asks about a file: the mover goes on with the blocks whose moves are in place. */
  void look(StoredFile file) {
    for (ReplicaMove move : looks.look(file, nowNanos())) {
      if (move.isPlaced()) {
        planner.done(move);
        lastMoveTick = host.nowTick();
      }
      ended(move);
    }
    proceed();
  }

  /** The old replica is still there, and no other one on the new node. */
  private boolean mayReplace(int block, int from, int to) {
    boolean there = false;
    for (int i = 0; i < namespace.slotCount(); i++) {
      int volume = namespace.replica(block, i);
      there |= volume == from && !namespace.isCopying(block, i);
      if (volume != NONE
          && volume != from
          && cluster.nodeOfVolume(volume) == cluster.nodeOfVolume(to)) {
        return false;
      }
    }
    return there;
  }

  /** A copy was ended in the middle because its source or target broke. */
  void abandoned(ReplicaMove move) {
    turns.release(move);
    placer.unreserve(cluster.volumeOfView(move.decision().to()), move.bytes());
    broke(move);
  }

  private void broke(ReplicaMove move) {
    if (isUp(move.decision().to())) {
      move.work().sourceFailed(move.decision().source(), BROKE);
    } else {
      move.work().targetFailed(move.decision().to(), BROKE);
    }
    failed(move);
  }

  /** Looks at the cluster anew before the block's other replicas are planned. */
  private void failed(ReplicaMove move) {
    withdraw(move);
    look();
    ended(move);
  }

  private void withdraw(ReplicaMove move) {
    planner.withdraw(move);
    move.work().turns().drop().forEach(planner::withdraw);
  }

  private void ended(ReplicaMove move) {
    BlockWork work = move.work();
    work.turns().ended();
    if (!work.turns().isOver()) {
      enqueue(work);
    } else if (work.failure() != null) {
      long delay = Ticks.ofNanos(MovementLimits.retryMillis(work.attempts()) * NANOS_PER_MILLI);
      host.lookAgainAt(host.nowTick() + delay, work);
    } else {
      underWay--;
    }
  }

  /** Plans what is left of a block, from where its replicas are now. */
  void lookAgain(BlockWork work) {
    String failure = work.failure();
    work.nextAttempt();
    underWay--;
    if (namespace.fileOf(work.block()) != null) {
      Optional<Hindrance> hindrance = hindrance(work);
      if (hindrance.isPresent()) {
        tally.left(hindrance.get().text(), work.bytes());
      } else if (work.attempts() > MovementLimits.ATTEMPTS) {
        tally.left(failure, work.bytes());
      } else {
        MovementPlan plan = plan(work);
        if (!plan.moves().isEmpty()) {
          underWay++;
          add(work, plan);
        } else if (!plan.unmoved().isEmpty()) {
          tally.left(failure, work.bytes());
        }
      }
    }
    proceed();
  }
}
