package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.secondary.FullQuotas;
import io.tierwise.hadoop.secondary.SecondaryReport;
import io.tierwise.hadoop.secondary.SecondaryRun;
import io.tierwise.hadoop.secondary.SecondarySettings;
import io.tierwise.hadoop.secondary.SecondaryTier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Plans and makes what is wanted in the secondary store, as {@code secondary offload} and {@code
 * recall} do.
 */
final class StoreMoves {
  private final MoverCluster cluster;
  private final SecondarySettings settings;

  StoreMoves(MoverCluster cluster, AutotierSettings settings) {
    this.cluster = cluster;
    this.settings =
        new SecondarySettings(
            SecondarySettings.DEFAULT.bytesPerSecondMax(),
            settings.moving().limits().keptFreeShare());
  }

  /** The store that the configuration names; nothing is contacted. */
  static SecondaryTier open(MoverCluster cluster) throws IOException {
    return SecondaryTier.ofNameNode(cluster.fs(), cluster.fs().getConf());
  }

  /** The runs that have something to do, with what each would do; no store is asked. */
  List<StoreMove> plan(List<StoreMove.Wish> wishes) throws IOException {
    List<StoreMove> planned = new ArrayList<>();
    if (wishes.isEmpty()) {
      return planned;
    }
    try (SecondaryTier tier = open(cluster)) {
      for (StoreMove.Wish wish : wishes) {
        SecondaryReport report =
            run(tier, wish.kind(), wish.fileIds()).foresee(List.copyOf(wish.fileIds().keySet()));
        if (report.files() > 0) {
          planned.add(wish.with(report));
        }
      }
    }
    return planned;
  }

  /**
   * Why a file would stay where it is, by what HDFS knows of it; empty when a run would move it.
   */
  Optional<String> whyNot(SecondaryTier tier, SecondaryRun.Kind kind, KnownFile file)
      throws IOException {
    SecondaryReport report =
        run(tier, kind, Map.of(file.path(), file.fileId())).foresee(List.of(file.path()));
    return report.files() > 0
        ? Optional.empty()
        : Optional.of(
            report.left().isEmpty() ? "it was deleted just now" : report.left().get(0).reason());
  }

  private SecondaryRun run(SecondaryTier tier, SecondaryRun.Kind kind, Map<String, Long> files) {
    return new SecondaryRun(tier, settings, kind).only(files);
  }

  /**
   * Moves them.
   *
   * @param stays keeps files, asked right before each
   * @param quotas that refused files before
   * @param ended asked all the time
   */
  SecondaryReport make(
      StoreMove move,
      SecondaryRun.Rule stays,
      FullQuotas quotas,
      JobRun.Start start,
      BooleanSupplier ended)
      throws IOException {
    try (SecondaryTier tier = open(cluster)) {
      tier.heed(quotas);
      return run(tier, move.kind(), move.fileIds())
          .unless(stays)
          .run(move.paths(), move.plan(), start, Listener.SILENT, ended);
    }
  }
}
