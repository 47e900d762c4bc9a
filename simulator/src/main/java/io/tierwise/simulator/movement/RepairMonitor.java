package io.tierwise.simulator.movement;

import io.tierwise.core.view.FileView;
import io.tierwise.policies.movement.LayoutCheck;
import io.tierwise.policies.movement.Misplaced;
import io.tierwise.policies.movement.RepairBacklog;
import io.tierwise.policies.movement.RepairBacklog.Outcome;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.measure.RepairResult;
import io.tierwise.simulator.scenario.MonitorSpec;
import io.tierwise.simulator.storage.BlockPlacer;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * The host of repairs: compares the blocks of all files with their policies again and again, and
 * gives the mover the most urgent of those that differ, a batch at a time. The check, the queue and
 * its order are those of the monitor inside a NameNode.
 *
 * <p>Deviation: a walk takes no time; nobody tells it of files that were written elsewhere, so that
 * those wait for the next walk; a block is told to be repaired by another look at it.
 */
final class RepairMonitor implements MoverJob {
  /** As in a NameNode: a cluster whose nodes come and go is not walked all the time for that. */
  private static final double CHANGED_SECONDS_MIN = 5;

  /** As in a NameNode, its defaults: somebody who moves blocks back is left alone. */
  private static final double UNDO_WINDOW_SECONDS = 86_400;

  private static final double BACK_OFF_SECONDS = 600;

  private final MonitorSpec spec;
  private final Engine engine;
  private final VirtualCluster cluster;
  private final Namespace namespace;
  private final BlockPlacer placer;
  private final Consumer<MoverJob> mover;
  private final RepairBacklog backlog;
  private final MovementTally tally;
  private final int walks;
  private MovementHost.RepairListener listener = (file, block) -> {};
  private List<Misplaced> batch = List.of();
  private long walkTick = Ticks.NEVER;
  private long walkedTick = -1;
  private long changedTick;
  private long foundBlocks;
  private long repairedBlocks;
  private long failedAttempts;
  private long walkCount;
  private double longestSeconds;
  private boolean isRepairing;

  /**
   * @param mover is given batches, one at a time
   */
  RepairMonitor(
      MonitorSpec spec,
      Engine engine,
      VirtualCluster cluster,
      Namespace namespace,
      BlockPlacer placer,
      Consumer<MoverJob> mover) {
    this.spec = spec;
    this.engine = engine;
    this.cluster = cluster;
    this.namespace = namespace;
    this.placer = placer;
    this.mover = mover;
    this.backlog = new RepairBacklog(spec.queueBlocksMax(), UNDO_WINDOW_SECONDS, BACK_OFF_SECONDS);
    this.tally = new MovementTally("/", "its own policy", spec.limits(), cluster.view());
    this.walks = engine.registerBackground(argument -> walkDue());
  }

  void tell(MovementHost.RepairListener hearing) {
    listener = hearing;
  }

  void start() {
    if (spec.untilSeconds() > 0) {
      // Until then a run is not over, so that who looks at it looks on.
      engine.at(Ticks.ofSeconds(spec.untilSeconds()), engine.register(argument -> {}), 0);
    }
    walkAt(engine.now());
  }

  /** Something is other than before: looks soon. */
  void changed() {
    changedTick = engine.now();
    long soon = walkedTick + Ticks.ofSeconds(CHANGED_SECONDS_MIN);
    walkAt(Math.max(engine.now(), walkedTick < 0 ? 0 : soon));
  }

  /** Whether it has seen all changes and can repair nothing more now. */
  boolean isSettled() {
    return nowSeconds() >= spec.untilSeconds()
        && !isRepairing
        && walkedTick >= changedTick
        && backlog.first(1, nowSeconds()).isEmpty();
  }

  private double nowSeconds() {
    return Ticks.toSeconds(engine.now());
  }

  private void walkAt(long tick) {
    if (tick < walkTick || walkTick < engine.now()) {
      walkTick = tick;
      engine.at(tick, walks, 0);
    }
  }

  private void walkDue() {
    if (engine.now() != walkTick) {
      // An earlier walk was asked for meanwhile.
      return;
    }
    walkTick = Ticks.NEVER;
    walk();
    repairSome();
    if (!engine.isIdle() || isRepairing || nowSeconds() < spec.untilSeconds()) {
      walkAt(engine.now() + Ticks.ofSeconds(spec.intervalSeconds()));
    }
  }

  private void walk() {
    backlog.beginWalk();
    long files = 0;
    long blocks = 0;
    for (StoredFile file : namespace.files()) {
      if (!file.isBeingWritten()) {
        files++;
        blocks += file.blockCount();
        for (int index = 0; index < file.blockCount(); index++) {
          judge(file, index);
        }
      }
    }
    backlog.endWalk(files, blocks, 0);
    walkedTick = engine.now();
    walkCount++;
  }

  private void judge(StoredFile file, int index) {
    int block = file.block(index);
    LayoutCheck check = check(file, index);
    switch (check.verdict()) {
      case AS_WANTED, NOT_TOLD -> backlog.asWanted(block);
      case LEFT_TO_ENGINE -> backlog.leftToEngine(block, true);
      case MISPLACED -> backlog.misplaced(misplaced(file, index, check));
    }
  }

  private Misplaced misplaced(StoredFile file, int index, LayoutCheck check) {
    return Misplaced.found(
        file.block(index),
        file.id(),
        index,
        placer.policies().of(file),
        viewOf(file, index),
        file.blockBytes(index),
        check,
        false,
        nowSeconds());
  }

  private LayoutCheck check(StoredFile file, int index) {
    int[] volumes = namespace.wholeReplicas(file.block(index));
    for (int i = 0; i < volumes.length; i++) {
      volumes[i] = cluster.volume(volumes[i]).viewVolume();
    }
    PlacementPolicy policy = placer.policies().of(file);
    return LayoutCheck.of(policy, viewOf(file, index), volumes, cluster.view());
  }

  private static FileView viewOf(StoredFile file, int index) {
    return new FileView(file.fileIdOf(index), file.indexInPart(index), file.replication());
  }

  private void repairSome() {
    if (isRepairing) {
      return;
    }
    batch = backlog.lend(RepairBacklog.BATCH_BLOCKS, nowSeconds(), RepairBacklog.LEASE_SECONDS);
    if (!batch.isEmpty()) {
      isRepairing = true;
      foundBlocks += batch.size();
      batch.forEach(block -> listener.repairs(fileOf(block), block));
      mover.accept(this);
    }
  }

  @Override
  public MovementRun.Order begin() {
    Iterator<NextBlock> blocks =
        batch.stream()
            .filter(block -> fileOf(block) != null)
            .map(block -> new NextBlock(fileOf(block), block.blockIndex()))
            .iterator();
    return new MovementRun.Order(spec.limits(), spec.heartbeatSeconds(), blocks, tally);
  }

  private StoredFile fileOf(Misplaced block) {
    return namespace.fileOf((int) block.blockId());
  }

  @Override
  public void ended(MovementRun run) {
    batch.forEach(this::tell);
    batch = List.of();
    isRepairing = false;
    repairSome();
  }

  private void tell(Misplaced block) {
    StoredFile file = fileOf(block);
    Outcome outcome = Outcome.VOID;
    if (file != null) {
      boolean asWanted = check(file, block.blockIndex()).verdict() == LayoutCheck.Verdict.AS_WANTED;
      outcome = asWanted ? Outcome.DONE : Outcome.FAILED;
      repairedBlocks += asWanted ? 1 : 0;
      failedAttempts += asWanted ? 0 : 1;
      double waited = nowSeconds() - block.sinceSeconds();
      longestSeconds = asWanted ? Math.max(longestSeconds, waited) : longestSeconds;
    }
    backlog.told(block.blockId(), block.wanted(), outcome, nowSeconds());
  }

  RepairResult result() {
    long waitingBlocks = 0;
    long waitingBytes = 0;
    for (RepairBacklog.Amount amount : backlog.backlog().values()) {
      waitingBlocks += amount.blocks();
      waitingBytes += amount.bytes();
    }
    return new RepairResult(
        walkCount,
        foundBlocks,
        repairedBlocks,
        failedAttempts,
        longestSeconds,
        waitingBlocks,
        waitingBytes,
        backlog.lastWalk().leftToEngine(),
        tally.result(0, 0, !isRepairing));
  }
}
