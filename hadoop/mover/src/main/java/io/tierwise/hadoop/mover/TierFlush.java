package io.tierwise.hadoop.mover;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.mover.MoverReport.Left;
import io.tierwise.policies.movement.FlushCandidate;
import io.tierwise.policies.movement.FlushLayouts;
import io.tierwise.policies.movement.FlushOrder;
import io.tierwise.policies.movement.FlushSelection;
import io.tierwise.policies.movement.Watermarks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Frees a tier that is nearly full: the files that come first in an order get a layout whose
 * replicas in the tier are in a slower one instead, as by hatS's {@code moveTier}, and move there.
 * A file keeps as many replicas as it had.
 *
 * <p>Before that, files drop replicas that their layouts mark as surplus, which costs no copy.
 *
 * <p>Source: DerbyhatS, 4.1.4; 5.2.5 for lazy deletion. Only files whose policy is a layout are
 * flushed: of others nobody could say what they should become.
 */
public final class TierFlush {
  private final MoverCluster cluster;
  private final MoverSettings settings;
  private final Plan plan;
  private final FlushJob job;

  /**
   * A flush before it is made.
   *
   * @param to the slower tier; null when none has room
   * @param usedBytes of the tier, what its volumes keep free for others included
   * @param neededBytes that have to leave; 0 when the tier is not above its high mark
   * @param surplusFiles that would drop surplus replicas, before any file moves
   * @param surplusBytes that become free in the tier by that
   * @param files that would get another layout
   * @param gainedBytes that become free in the tier, by that and by the moves that can be made
   * @param passedOver files with replicas in the tier that are not flushed, by reason
   * @param moves what would move; null when nothing has to leave
   */
  public record Plan(
      String tier,
      String to,
      long capacityBytes,
      long usedBytes,
      long neededBytes,
      long surplusFiles,
      long surplusBytes,
      long files,
      long gainedBytes,
      List<Left> passedOver,
      MoverReport moves) {
    /** For people. */
    public List<String> lines(boolean would) {
      List<String> lines = new ArrayList<>();
      lines.add(
          tier
              + " is "
              + Words.percent((double) usedBytes / Math.max(1, capacityBytes))
              + " full"
              + (neededBytes == 0
                  ? ": nothing has to leave"
                  : "; "
                      + Words.bytes(neededBytes)
                      + " have to leave"
                      + freed(would, surplusFiles, surplusBytes, "dropping surplus replicas")
                      + freed(would, files, gainedBytes - surplusBytes, "going to " + to)));
      for (Left left : isEnough() ? List.<Left>of() : passedOver) {
        lines.add(
            "- passed over: "
                + Words.count(left.amount().replicas(), "file")
                + " ("
                + Words.bytes(left.amount().bytes())
                + "): "
                + Words.plain(left.reason())
                + "; for example "
                + Words.plain(left.example()));
      }
      return lines;
    }

    private static String freed(boolean would, long files, long bytes, String how) {
      return files == 0
          ? ""
          : "; "
              + Words.count(files, "file")
              + (would ? " would free " : " free ")
              + Words.bytes(bytes)
              + " by "
              + how;
    }

    /** Whether a file would leave, or drop a replica. */
    public boolean hasWork() {
      return surplusFiles + files > 0;
    }

    /** The request in the words of the journal. */
    public String asked() {
      return "flush " + tier + (to == null ? "" : " to " + to);
    }

    /** Whether the tier gets below its low mark. */
    public boolean isEnough() {
      return gainedBytes >= neededBytes;
    }
  }

  private TierFlush(MoverCluster cluster, MoverSettings settings, Plan plan, FlushJob job) {
    this.cluster = cluster;
    this.settings = settings;
    this.plan = plan;
    this.job = job;
  }

  /**
   * The marks of a flush, in percent.
   *
   * @throws OperatorException when the tier would be no emptier
   */
  public static Watermarks marks(double above, double until) {
    if (!(until >= 0 && until <= above && above <= 100)) {
      throw OperatorException.badInput(
          "--above " + above + " --until " + until + ": give 0 <= until <= above <= 100");
    }
    return new Watermarks(above / 100, until / 100);
  }

  /**
   * Looks which files would leave, and what that frees; nothing is changed.
   *
   * @param path below which files may leave
   * @param order the name of a {@link FlushOrder}
   * @throws OperatorException when there is no such order or tier, or no tier that is slower
   */
  public static TierFlush of(
      MoverCluster cluster,
      MoverSettings settings,
      String path,
      String tier,
      Watermarks marks,
      String order)
      throws IOException {
    return of(cluster, settings, path, tier, marks, order, Long.MAX_VALUE, new FlushFiles());
  }

  /**
   * The same for so many bytes at most: the rest is left to another flush.
   *
   * @param bytesMax that have to leave
   * @param files found by a walk before; without any the namespace is walked
   */
  static TierFlush of(
      MoverCluster cluster,
      MoverSettings settings,
      String path,
      String tier,
      Watermarks marks,
      String order,
      long bytesMax,
      FlushFiles files)
      throws IOException {
    FlushOrder first = order(order);
    int from = cluster.tiers().table().require(tier).index();
    ClusterVolumes volumes = ClusterVolumes.read(cluster.fs(), cluster.tiers());
    long capacity = sum(volumes, from, Measure.CAPACITY);
    long used = capacity - sum(volumes, from, Measure.REMAINING);
    TierTable tiers = cluster.tiers().table();
    OptionalInt to =
        slowerTier(tiers, from, volumes, settings.limits().keptFreeShare(), cluster.names());
    long inAll = marks.bytesToFree(capacity, used);
    long needed = Math.min(bytesMax, inAll);
    FlushSelection selection =
        new FlushSelection(Math.min(FlushFiles.bytesOfWalk(bytesMax), inAll), first);
    FlushWalk walk = new FlushWalk(cluster, from, to, selection);
    if (needed > 0 && files.isEmpty()) {
      walk.walk(path);
      files.found(selection.chosen());
    }
    List<FlushCandidate> chosen = needed > 0 ? files.take(needed) : List.of();
    List<FlushJob.Relayout> relayouts = new ArrayList<>();
    List<FlushJob.Drop> drops = new ArrayList<>();
    long surplusBytes = 0;
    for (FlushCandidate file : chosen) {
      if (file.way() == FlushCandidate.Way.MOVE) {
        walk.relayout(file).ifPresent(relayouts::add);
      } else if (walk.drop(file).map(drops::add).isPresent()) {
        surplusBytes += file.bytes();
      }
    }
    FlushJob job = new FlushJob(cluster, drops, relayouts);
    if (to.isEmpty() && drops.isEmpty()) {
      throw OperatorException.badInput(
          "--tier " + tier + ": no slower tier has room that its data could go to");
    }
    MoverReport moves = chosen.isEmpty() ? null : job.plan(settings);
    Plan plan =
        new Plan(
            tier,
            to.isEmpty() ? null : tiers.tier(to.getAsInt()).name(),
            capacity,
            used,
            needed,
            drops.size(),
            surplusBytes,
            relayouts.size(),
            surplusBytes + gained(moves, tier),
            walk.passedOver(),
            moves);
    return new TierFlush(cluster, settings, plan, job);
  }

  private static FlushOrder order(String name) {
    try {
      return FlushOrder.of(name);
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput("--order: " + e.getMessage());
    }
  }

  /** The next slower one that a whole copy fits into; else the next with any room, to say why. */
  private static OptionalInt slowerTier(
      TierTable tiers,
      int from,
      ClusterVolumes volumes,
      double keptFree,
      ClusterSnapshot.Names names) {
    OptionalInt roomy =
        FlushLayouts.slowerTier(tiers, from, slower -> room(volumes, slower, keptFree, names));
    return roomy.isPresent()
        ? roomy
        : FlushLayouts.slowerTier(tiers, from, slower -> sum(volumes, slower, Measure.REMAINING));
  }

  /** Bytes of a tier that moves may fill: room beyond what is kept free, on volumes for a copy. */
  private static long room(
      ClusterVolumes cluster, int tier, double keptFree, ClusterSnapshot.Names names) {
    return cluster.volumes().stream()
        .filter(volume -> volume.tier() == tier && volume.inService())
        .mapToLong(
            volume ->
                volume.remainingBytes()
                    - Math.max(names.keptFreeBytes(), (long) (keptFree * volume.capacityBytes())))
        .filter(bytes -> bytes >= names.copyRoomBytes())
        .sum();
  }

  private enum Measure {
    CAPACITY,
    REMAINING
  }

  private static long sum(ClusterVolumes cluster, int tier, Measure measure) {
    return cluster.volumes().stream()
        .filter(volume -> volume.tier() == tier && volume.inService())
        .mapToLong(
            volume ->
                measure == Measure.CAPACITY ? volume.capacityBytes() : volume.remainingBytes())
        .sum();
  }

  private static long gained(MoverReport moves, String tier) {
    return moves == null
        ? 0
        : moves.tiers().stream()
            .filter(change -> tier.equals(change.tier()))
            .mapToLong(change -> change.goBytes() - change.comeBytes())
            .sum();
  }

  public Plan plan() {
    return plan;
  }

  /**
   * Refuses a flush that would bring nothing.
   *
   * @throws OperatorException when it is proven that nothing would become free
   */
  public void requireGain() {
    if (plan.neededBytes() > 0 && plan.gainedBytes() <= 0) {
      throw OperatorException.cluster(
          "nothing was flushed: no byte of " + plan.tier() + " would become free (" + why() + ")",
          null);
    }
  }

  private String why() {
    if (plan.moves() != null && !plan.moves().left().isEmpty()) {
      return plan.moves().left().get(0).reason();
    }
    return plan.passedOver().isEmpty()
        ? "no file has replicas there"
        : Words.count(plan.passedOver().get(0).amount().replicas(), "file")
            + ": "
            + plan.passedOver().get(0).reason();
  }

  /** The work: surplus replicas are dropped, then layouts change, then replicas move. */
  public MoverJob job() {
    return job;
  }

  /** Lines for people about files of the plan that were left out when it was made. */
  public List<String> leftOut() {
    return job.changesLeft().stream()
        .map(
            left ->
                Words.count(left.amount().replicas(), "file")
                    + " of the plan left out: "
                    + left.reason()
                    + "; for example "
                    + Words.plain(left.example()))
        .toList();
  }

  /** Whether files of the plan keep their room, because somebody changed them meanwhile. */
  public boolean isOvertaken() {
    return job.changesLeft().stream().anyMatch(Left::fault);
  }

  /** The files that get another layout. */
  public List<String> paths() {
    return job.paths();
  }

  public MoverCluster cluster() {
    return cluster;
  }

  public MoverSettings settings() {
    return settings;
  }
}
