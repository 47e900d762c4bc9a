package io.tierwise.simulator.movement;

import io.tierwise.core.action.Move;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.LoadView;
import io.tierwise.policies.movement.FlushCandidate;
import io.tierwise.policies.movement.FlushCandidate.Way;
import io.tierwise.policies.movement.FlushLayouts;
import io.tierwise.policies.movement.FlushOrder;
import io.tierwise.policies.movement.FlushSelection;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.measure.FlushResult;
import io.tierwise.simulator.scenario.FlushSpec;
import io.tierwise.simulator.storage.BlockPlacer;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The host of flushes of one tier: looks how full it is, again and again, and has the files that
 * come first in an order leave it, as many as bring it to its low mark. Which files, and which
 * layout they get, the classes decide that {@code tierwise tiers flush} asks.
 */
final class TierFlushes implements MoverJob {
  private final FlushSpec spec;
  private final Engine engine;
  private final VirtualCluster cluster;
  private final ArrayClusterView view;
  private final Namespace namespace;
  private final BlockPlacer placer;
  private final Consumer<MoverJob> mover;
  private final int tier;
  private final MovementTally tally;
  private final Set<String> passedOver = new LinkedHashSet<>();
  private final int looks;
  private long flushes;
  private long neededBytes;
  private long surplusBytes;
  private double fullestShare;
  private boolean isFlushing;

  TierFlushes(
      FlushSpec spec,
      Engine engine,
      VirtualCluster cluster,
      Namespace namespace,
      BlockPlacer placer,
      Consumer<MoverJob> mover) {
    this.spec = spec;
    this.engine = engine;
    this.cluster = cluster;
    this.view = cluster.view();
    this.namespace = namespace;
    this.placer = placer;
    this.mover = mover;
    this.tier = view.tiers().require(spec.tier()).index();
    this.tally = new MovementTally(spec.path(), "a slower tier", spec.limits(), view);
    this.looks = engine.registerBackground(argument -> look());
  }

  void start() {
    engine.at(engine.now(), looks, 0);
  }

  private void look() {
    fullestShare = Math.max(fullestShare, (double) usedBytes() / Math.max(1, capacityBytes()));
    if (!isFlushing && neededNow() > 0) {
      isFlushing = true;
      mover.accept(this);
    }
    if (!engine.isIdle()) {
      engine.at(engine.now() + Ticks.ofSeconds(spec.intervalSeconds()), looks, 0);
    }
  }

  /**
   * The sum over the volumes of a tier that are in service: what is down is neither full nor room.
   */
  private long sum(int ofTier, IntToLongFunction bytesOfVolume) {
    long bytes = 0;
    for (int volume = 0; volume < view.volumeCount(); volume++) {
      boolean counts = view.tierOfVolume(volume) == ofTier && view.takes(volume, 0);
      bytes += counts ? bytesOfVolume.applyAsLong(volume) : 0;
    }
    return bytes;
  }

  private long capacityBytes(int volume) {
    return cluster.volume(cluster.volumeOfView(volume)).capacityBytes();
  }

  private long capacityBytes() {
    return sum(tier, this::capacityBytes);
  }

  private long usedBytes() {
    return sum(tier, volume -> capacityBytes(volume) - view.freeBytes(volume));
  }

  /**
   * Bytes of a volume that moves may fill: none where what is not kept free is too small for one.
   */
  private long roomBytes(int volume) {
    double kept = spec.limits().keptFreeShare() * (double) capacityBytes(volume);
    long room = view.freeBytes(volume) - (long) kept;
    return room < namespace.blockBytes() ? 0 : room;
  }

  /** The next one that a whole block fits into; else the next with any room, to say why. */
  private OptionalInt slowerTier() {
    TierTable tiers = view.tiers();
    OptionalInt roomy = FlushLayouts.slowerTier(tiers, tier, one -> sum(one, this::roomBytes));
    return roomy.isPresent()
        ? roomy
        : FlushLayouts.slowerTier(tiers, tier, one -> sum(one, view::freeBytes));
  }

  private long neededNow() {
    return spec.marks().bytesToFree(capacityBytes(), usedBytes());
  }

  /**
   * The choice.
   *
   * @param drops how many replicas files keep that drop surplus ones
   * @param moves the layouts that others get
   */
  private record Chosen(Map<StoredFile, Integer> drops, Map<StoredFile, PlacementPolicy> moves) {}

  /** Nothing is flushed when nothing would become free. */
  @Override
  public MovementRun.Order begin() {
    long needed = neededNow();
    Chosen chosen = choose(needed);
    List<StoredFile> files = new ArrayList<>();
    boolean gains = gainedBytes(chosen.moves()) > 0;
    if (gains || !chosen.drops().isEmpty()) {
      flushes++;
      neededBytes += needed;
    }
    chosen.drops().forEach((file, kept) -> surplusBytes += placer.keepReplicas(file, kept)[tier]);
    if (gains) {
      chosen.moves().forEach(StoredFile::setPolicy);
      files.addAll(chosen.moves().keySet());
    }
    return new MovementRun.Order(
        spec.limits(), spec.heartbeatSeconds(), NextBlock.of(files, tally), tally);
  }

  private Chosen choose(long needed) {
    Chosen chosen = new Chosen(new LinkedHashMap<>(), new LinkedHashMap<>());
    FlushLayouts layouts =
        new FlushLayouts(view.tiers(), UnaryOperator.identity(), tier, slowerTier());
    FlushSelection selection = new FlushSelection(needed, FlushOrder.of(spec.order()));
    Map<String, StoredFile> byPath = new HashMap<>();
    Pattern path = PathPattern.below(spec.path());
    for (StoredFile file : namespace.namedFiles()) {
      if (path.matcher(file.path()).matches()) {
        byPath.put(file.path(), file);
        offer(file, layouts, selection);
      }
    }
    for (FlushCandidate each : selection.chosen()) {
      StoredFile file = byPath.get(each.path());
      if (each.way() == Way.DROP) {
        chosen.drops().put(file, kept(file, layouts));
      } else {
        String after = layouts.after(placer.policies().of(file).name());
        chosen.moves().put(file, PlacementPolicies.parse(after, view.tiers()));
      }
    }
    return chosen;
  }

  private int kept(StoredFile file, FlushLayouts layouts) {
    Optional<String> policy = Optional.of(placer.policies().of(file).name());
    return layouts.keptWithoutSurplus(policy, file.replication());
  }

  private void offer(StoredFile file, FlushLayouts layouts, FlushSelection selection) {
    long bytes = bytesThere(file);
    if (bytes == 0) {
      return;
    }
    if (file.isBeingWritten()) {
      passedOver.add("it is being written");
      return;
    }
    int kept = kept(file, layouts);
    long surplus = kept < file.replication() ? bytesDropped(file, kept) : 0;
    if (surplus > 0) {
      selection.offer(new FlushCandidate(file.path(), file.use(), Way.DROP, surplus));
      return;
    }
    layouts
        .hindrance(Optional.of(placer.policies().of(file).name()))
        .ifPresentOrElse(
            passedOver::add,
            () -> selection.offer(new FlushCandidate(file.path(), file.use(), Way.MOVE, bytes)));
  }

  private long bytesDropped(StoredFile file, int kept) {
    long bytes = 0;
    for (int index = 0; index < file.blockCount(); index++) {
      for (int volume : placer.excess(file, index, kept)) {
        bytes += isHere(volume) ? file.blockBytes(index) : 0;
      }
    }
    return bytes;
  }

  private boolean isHere(int volume) {
    return view.tierOfVolume(cluster.volume(volume).viewVolume()) == tier;
  }

  private long bytesThere(StoredFile file) {
    long bytes = 0;
    for (int index = 0; index < file.blockCount(); index++) {
      for (int volume : namespace.wholeReplicas(file.block(index))) {
        bytes += isHere(volume) ? file.blockBytes(index) : 0;
      }
    }
    return bytes;
  }

  /** By the moves that could be made now; nothing is changed. */
  private long gainedBytes(Map<StoredFile, PlacementPolicy> chosen) {
    MovementPlanner planner =
        new MovementPlanner(cluster, namespace, LoadView.UNKNOWN, spec.limits().keptFreeShare());
    long gained = 0;
    for (Map.Entry<StoredFile, PlacementPolicy> each : chosen.entrySet()) {
      StoredFile file = each.getKey();
      for (int index = 0; index < file.blockCount(); index++) {
        BlockWork work = new BlockWork(file, index, namespace.blockBytes());
        for (Move move : planner.plan(work, each.getValue()).moves()) {
          gained += view.tierOfVolume(move.from()) == tier ? work.bytes() : 0;
          gained -= view.tierOfVolume(move.to()) == tier ? work.bytes() : 0;
        }
      }
    }
    return gained;
  }

  @Override
  public void ended(MovementRun run) {
    isFlushing = false;
  }

  FlushResult result() {
    return new FlushResult(
        spec.tier(),
        flushes,
        neededBytes,
        surplusBytes + tally.leftTierBytes(tier),
        surplusBytes,
        fullestShare,
        List.copyOf(passedOver),
        tally.result(0, 0, !isFlushing));
  }
}
