package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.secondary.SecondaryReport;
import io.tierwise.hadoop.secondary.SecondaryRun;
import io.tierwise.hadoop.secondary.SecondarySettings;
import io.tierwise.hadoop.secondary.SecondaryTier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Plans and makes what rules want in the secondary store, as {@code secondary offload} does. */
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
    return SecondaryTier.of(cluster.fs(), cluster.fs().getConf());
  }

  /**
   * The runs, one for each rule, with what each would do.
   *
   * @param wanted ids of files by path
   */
  List<RoundPlan.Offload> plan(RuleBook book, Map<RuleBook.Entry, Map<String, Long>> wanted)
      throws IOException {
    List<RoundPlan.Offload> planned = new ArrayList<>();
    if (wanted.isEmpty()) {
      return planned;
    }
    try (SecondaryTier tier = open(cluster)) {
      for (Map.Entry<RuleBook.Entry, Map<String, Long>> each : wanted.entrySet()) {
        Map<String, Long> files = each.getValue();
        SecondaryReport report = run(tier, files).foresee(List.copyOf(files.keySet()));
        if (report.files() > 0) {
          planned.add(new RoundPlan.Offload(book.at(each.getKey().rule()), files, report));
        }
      }
    }
    return planned;
  }

  private SecondaryRun run(SecondaryTier tier, Map<String, Long> files) {
    return new SecondaryRun(tier, settings, SecondaryRun.Kind.OFFLOAD).only(files);
  }

  /**
   * Moves them.
   *
   * @param ended asked all the time
   */
  SecondaryReport make(RoundPlan.Offload offload, JobRun.Start start, BooleanSupplier ended)
      throws IOException {
    try (SecondaryTier tier = open(cluster)) {
      return run(tier, offload.fileIds())
          .run(offload.paths(), offload.plan(), start, Listener.SILENT, ended);
    }
  }
}
