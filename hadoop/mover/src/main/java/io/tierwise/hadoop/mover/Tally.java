package io.tierwise.hadoop.mover;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.mover.MoverReport.Amount;
import io.tierwise.hadoop.mover.MoverReport.Left;
import io.tierwise.hadoop.mover.MoverReport.TierChange;
import io.tierwise.policies.movement.MoveTurns.Yielded;
import io.tierwise.policies.movement.MovementPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** Counts for a {@link MoverReport}. Safe for many threads. */
final class Tally {
  /** Own: one for each node of some hundreds; a terminal and a line of the journal hold them. */
  private static final int REASONS_MAX = 200;

  private static final String OTHER_REASONS = "other reasons, which the journal has";

  private final TierTable tiers;
  private final long[] come;
  private final long[] go;
  private final Map<String, Left> left = new LinkedHashMap<>();

  /** By reason, the path of which a replica was counted last. */
  private final Map<String, String> lastPath = new HashMap<>();

  private final Map<String, Long> bytesOfNode = new HashMap<>();
  private final Map<String, Long> movesOfNode = new HashMap<>();
  private final Map<String, Long> bytesOfVolume = new HashMap<>();

  /** Of the tiers whose volumes moves read or write, those without power or speed. */
  private final Set<Integer> energyUnknown = new TreeSet<>();

  private double joules;
  private long files;
  private long blocks;
  private long blocksAsWanted;
  private long networkBytes;
  private Amount moved = Amount.NONE;

  Tally(TierTable tiers) {
    this.tiers = tiers;
    // The last one is for volumes in no tier.
    this.come = new long[tiers.count() + 1];
    this.go = new long[tiers.count() + 1];
  }

  synchronized void file() {
    files++;
  }

  synchronized void block(boolean asWanted) {
    blocks++;
    blocksAsWanted += asWanted ? 1 : 0;
  }

  /** Counts what a plan would move, and what of the block would stay. */
  synchronized void planned(BlockWork work, Planner.Planned planned) {
    planned.moves().forEach(this::moved);
    stay(work, planned.unmoved());
  }

  /** Counts replicas of a block that stay, as a plan says. */
  synchronized void stay(BlockWork work, List<MovementPlan.Reason> reasons) {
    for (MovementPlan.Reason reason : reasons) {
      left(work.text(reason), false, work.file().path(), 1, work.block().getNumBytes());
    }
  }

  synchronized void moved(PlannedMove move) {
    long bytes = move.bytes();
    moved = moved.plus(1, bytes);
    networkBytes += move.inside() ? 0 : bytes;
    come[slot(move.to())] += bytes;
    go[slot(move.from())] += bytes;
    joules += move.decision().cost().joules();
    noteIfUnknown(slot(move.source()), DeviceClass::readBytesPerSecond);
    noteIfUnknown(slot(move.to()), DeviceClass::writeBytesPerSecond);
    ofNode(move.to(), bytes);
    if (!move.source().nodeId().equals(move.to().nodeId())) {
      ofNode(move.source(), bytes);
    }
    bytesOfVolume.merge(move.to().storageId(), bytes, Long::sum);
    bytesOfVolume.merge(move.source().storageId(), bytes, Long::sum);
  }

  /**
   * Counts a block of which HDFS makes copies. It reads one replica, and nobody knows which: the
   * energy is that of the mean one.
   *
   * @param from tiers of its replicas, {@code TierTable.NONE} for volumes in none
   * @param to tiers of the copies
   */
  synchronized void copied(List<Integer> from, List<Integer> to, long bytes) {
    for (int tier : to) {
      come[slot(tier)] += bytes;
      joules += addedJoules(tier, DeviceClass::writeBytesPerSecond, bytes);
    }
    for (int tier : from) {
      joules += addedJoules(tier, DeviceClass::readBytesPerSecond, bytes) / from.size();
    }
  }

  private double addedJoules(int tier, ToDoubleFunction<DeviceClass> speed, long bytes) {
    if (noteIfUnknown(slot(tier), speed)) {
      return 0;
    }
    DeviceClass device = tiers.tier(tier).deviceClass();
    return device.power().addedJoules(bytes / speed.applyAsDouble(device));
  }

  /** Counts a replica that HDFS drops. */
  synchronized void dropped(int tier, long bytes) {
    go[slot(tier)] += bytes;
  }

  private void ofNode(Endpoint endpoint, long bytes) {
    bytesOfNode.merge(endpoint.nodeId(), bytes, Long::sum);
    movesOfNode.merge(endpoint.nodeId(), 1L, Long::sum);
  }

  private boolean noteIfUnknown(int slot, ToDoubleFunction<DeviceClass> speed) {
    boolean unknown = slot == tiers.count() || isUnknown(tiers.tier(slot).deviceClass(), speed);
    if (unknown) {
      energyUnknown.add(slot);
    }
    return unknown;
  }

  private static boolean isUnknown(DeviceClass device, ToDoubleFunction<DeviceClass> speed) {
    return Double.isNaN(device.power().addedJoules(1 / speed.applyAsDouble(device)));
  }

  /**
   * The energy that the moves counted add.
   *
   * @param source of the tiers' figures
   */
  synchronized AddedEnergy energy(String source) {
    List<String> unknown = new ArrayList<>();
    energyUnknown.forEach(tier -> unknown.add(name(tier)));
    return new AddedEnergy(unknown.isEmpty() ? joules : null, unknown, source);
  }

  /** Null for volumes in no tier. */
  private String name(int slot) {
    return slot < tiers.count() ? tiers.tier(slot).name() : null;
  }

  private int slot(Endpoint endpoint) {
    return slot(endpoint.tier());
  }

  private int slot(int tier) {
    return tier == TierTable.NONE ? tiers.count() : tier;
  }

  synchronized void left(String why, boolean fault, String path, long replicas, long bytes) {
    boolean isOneMore = left.size() >= REASONS_MAX && !left.containsKey(why);
    String reason = isOneMore ? OTHER_REASONS : why;
    long files = path.equals(lastPath.put(reason, path)) ? 0 : 1;
    left.merge(
        reason,
        new Left(reason, fault, new Amount(replicas, bytes), files, path),
        (old, more) ->
            new Left(
                reason,
                old.fault() || fault,
                old.amount().plus(replicas, bytes),
                old.files() + files,
                old.example()));
  }

  /** How long the moves counted take at the settings' rates. */
  synchronized double secondsAt(MoverSettings settings) {
    return settings
        .limits()
        .seconds(most(bytesOfNode), most(bytesOfVolume), most(movesOfNode), moved.bytes());
  }

  private static long most(Map<String, Long> amounts) {
    return amounts.values().stream().mapToLong(each -> each).max().orElse(0);
  }

  /** What stays, the most first. */
  synchronized List<Left> leftByAmount() {
    List<Left> byAmount = new ArrayList<>(left.values());
    byAmount.sort(Comparator.comparingLong((Left one) -> -one.amount().replicas()));
    return byAmount;
  }

  /** What comes to and goes from each tier, fastest first. */
  synchronized List<TierChange> tierChanges() {
    List<TierChange> changes = new ArrayList<>();
    for (int tier = 0; tier <= tiers.count(); tier++) {
      String name = name(tier);
      if (name != null || come[tier] + go[tier] > 0) {
        changes.add(new TierChange(name, come[tier], go[tier]));
      }
    }
    return changes;
  }

  synchronized MoverReport report(double seconds, Yielded yielded, boolean stopped) {
    return new MoverReport(
        new MoverReport.Looked(files, blocks, blocksAsWanted),
        moved,
        networkBytes,
        leftByAmount(),
        tierChanges(),
        List.of(),
        seconds,
        null,
        new MoverReport.Heeded(yielded),
        stopped);
  }
}
