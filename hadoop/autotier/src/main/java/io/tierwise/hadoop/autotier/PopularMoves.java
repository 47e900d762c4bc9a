package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.autotier.WantedReplicas.Wanted;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.policies.popularity.PopularityPredictor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Plans the moves between tiers that rules ask for, and those of popular files to the fast one. */
record PopularMoves(Sources sources, PopularityPredictor predictor, Optional<FastTier> fastTier) {
  private static final String NOT_SURE =
      "it is not sure that it pays in the fast tier: too few files that were read in as many"
          + " windows were read enough after that (--on-average asks for less)";

  /** Who knows what of files. */
  record Sources(
      MoverCluster cluster,
      KnownFiles files,
      Claims claims,
      LastChanges lastChanges,
      RuleRounds rules) {}

  /** The moves, those of rules first. */
  List<RoundPlan.TierMove> plan(
      List<Wanted> popular,
      RuleRounds.Ruled ruled,
      List<RoundPlan.Change> changes,
      RulePass.Sight sight,
      LeftFiles left)
      throws IOException {
    RuleRounds rules = sources.rules();
    List<RoundPlan.TierMove> moves = new ArrayList<>(rules.moves(ruled));
    if (fastTier.isEmpty()) {
      return moves;
    }
    FastTier fast = fastTier.get();
    Set<Long> changing = FastTier.changing(changes);
    List<FastTier.Popular> candidates = new ArrayList<>();
    Map<Long, Double> reads = new HashMap<>();
    for (Wanted wanted : popular) {
      KnownFile file = sources.files().file(wanted.number());
      if (file == null || file.isStored()) {
        continue;
      }
      reads.put(file.fileId(), wanted.reads().count());
      if (mayComeToFastTier(wanted)
          && !wanted.isFirst()
          && !changing.contains(file.fileId())
          && !rules.decides(file, sight)
          && Claims.policyOf(sources.cluster(), file.path()).isEmpty()
          && !sources.claims().wasTakenBack(file, sight.nowSeconds())) {
        Optional<String> refused =
            wanted.isSure() ? fast.refuse(file.path()) : Optional.of(NOT_SURE);
        if (refused.isPresent()) {
          left.add(refused.get(), file.path());
        } else {
          candidates.add(new FastTier.Popular(file, wanted.reads().count()));
        }
      }
    }
    Set<Long> first = new HashSet<>();
    Map<Long, LastChanges.Placed> there =
        fast.there(
            sources.lastChanges(),
            (path, status) -> {
              if (rules.isFirst(RulePass.Seen.of(path, status), sight)) {
                first.add(status.getFileId());
              }
              return rules.decides(path, status, sight);
            },
            sight.nowSeconds());
    List<FastTier.First> comingFirst =
        ruled.first().stream().filter(file -> !changing.contains(file.fileId())).toList();
    moves.addAll(
        fast.plan(
            predictor.name(),
            candidates,
            new FastTier.There(
                there, reads, new FastTier.Firsts(comingFirst, first), sources.lastChanges()),
            ruled.rooms().roomBytes(fast.name()),
            sight.nowSeconds(),
            left));
    return moves;
  }

  /**
   * Of a file that is read no more than once, the copy takes longer than the read that it saves.
   */
  private boolean mayComeToFastTier(Wanted wanted) {
    return predictor.isPopular(wanted.predicted())
        && (predictor.saysReplicas() || wanted.reads().count() > 1);
  }
}
