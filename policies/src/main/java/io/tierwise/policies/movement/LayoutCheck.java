package io.tierwise.policies.movement;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.LayoutFit;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.Optional;

/**
 * Whether a stored block is as its layout wants it. The same matching of replicas and layout as the
 * moves that repair it ({@link LayoutMovement}), so that what is found can be repaired.
 *
 * @param verdict what is to be done
 * @param replicas that fit nowhere in the layout
 * @param missingCopies parts of the layout that no replica of the block could stand for
 */
public record LayoutCheck(Verdict verdict, int replicas, int missingCopies) {
  /** The result of a check. */
  public enum Verdict {
    /** Every replica stands for a part of the layout. */
    AS_WANTED,
    /** Some replica does not. */
    MISPLACED,
    /** The block has too few replicas or too many: the engine copies or drops by itself. */
    LEFT_TO_ENGINE,
    /** The policy does not tell what it wants of a stored block. */
    NOT_TOLD
  }

  private static final LayoutCheck AS_WANTED = new LayoutCheck(Verdict.AS_WANTED, 0, 0);
  private static final LayoutCheck LEFT = new LayoutCheck(Verdict.LEFT_TO_ENGINE, 0, 0);
  private static final LayoutCheck NOT_TOLD = new LayoutCheck(Verdict.NOT_TOLD, 0, 0);

  /**
   * Checks a block.
   *
   * @param file with its number of replicas
   * @param volumes of the live replicas, distinct
   */
  public static LayoutCheck of(
      PlacementPolicy wanted, FileView file, int[] volumes, ClusterView view) {
    if (volumes.length != file.replicaCount()) {
      return LEFT;
    }
    Optional<LayoutFit> told = wanted.fit(file, volumes, file.replicaCount(), view);
    if (told.isEmpty()) {
      return NOT_TOLD;
    }
    LayoutFit fit = told.get();
    if (fit.allFit()) {
      return AS_WANTED;
    }
    int misfits = 0;
    for (int replica = 0; replica < volumes.length; replica++) {
      misfits += fit.fits(replica) ? 0 : 1;
    }
    int missing = 0;
    for (int wish : fit.openWishes()) {
      missing += isMissing(fit, wish, volumes, view) ? 1 : 0;
    }
    return new LayoutCheck(Verdict.MISPLACED, misfits, missing);
  }

  private static boolean isMissing(LayoutFit fit, int wish, int[] volumes, ClusterView view) {
    for (int volume : volumes) {
      if (volume != ClusterView.NONE && fit.accepts(wish, volume, view)) {
        return false;
      }
    }
    return true;
  }
}
