package io.tierwise.policies.movement;

import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.Comparator;

/**
 * A stored block some of whose replicas are not where its layout wants them.
 *
 * @param wanted the same number for the same wish for the block
 * @param blockIndex the block's place in its file, from 0
 * @param replicas that should be elsewhere
 * @param bytes of those
 * @param missingCopies parts of the layout for which no replica of the block could stand
 * @param sinceSeconds when it was found first, by the host's clock
 */
public record Misplaced(
    long blockId,
    long fileId,
    int blockIndex,
    int wanted,
    int replicas,
    long bytes,
    int missingCopies,
    Urgency urgency,
    double sinceSeconds) {
  /**
   * The order of repair: whole copies that are missing first, then what was found first. Source:
   * the whole copy in a tier is hatS's invariant, DerbyhatS 4.1.2. Deviation: the thesis names no
   * order; blocks that miss more copies come first, because the next failure costs them most.
   */
  public static final Comparator<Misplaced> MOST_URGENT_FIRST =
      Comparator.comparing(Misplaced::urgency)
          .thenComparing(Comparator.comparingInt(Misplaced::missingCopies).reversed())
          .thenComparingDouble(Misplaced::sinceSeconds)
          .thenComparingLong(Misplaced::blockId);

  /**
   * A block that a check found so.
   *
   * @param policy that its file is under
   * @param file with its number of replicas
   * @param fallback whether its replicas are known to have gone elsewhere when they were written
   */
  public static Misplaced found(
      long blockId,
      long fileId,
      int blockIndex,
      PlacementPolicy policy,
      FileView file,
      long blockBytes,
      LayoutCheck check,
      boolean fallback,
      double seenSeconds) {
    Urgency otherwise = fallback ? Urgency.FALLBACK : Urgency.WRONG_TIER;
    return new Misplaced(
        blockId,
        fileId,
        blockIndex,
        31 * policy.name().hashCode() + file.replicaCount(),
        check.replicas(),
        check.replicas() * blockBytes,
        check.missingCopies(),
        check.missingCopies() > 0 ? Urgency.MISSING_COPY : otherwise,
        seenSeconds);
  }

  Misplaced since(double seconds) {
    return new Misplaced(
        blockId, fileId, blockIndex, wanted, replicas, bytes, missingCopies, urgency, seconds);
  }
}
