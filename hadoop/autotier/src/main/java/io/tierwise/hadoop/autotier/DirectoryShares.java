package io.tierwise.hadoop.autotier;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.autotier.KnownFiles.KnownFile;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.inspect.policy.PolicySince;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.ShareByUse;
import io.tierwise.policies.placement.ZoneShares;
import io.tierwise.policies.placement.ZoneTotals;
import io.tierwise.policies.popularity.UseWindow;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Chooses the shares of directories whose {@code zone-ratio} policy is to follow the use of their
 * files. The directory's own attribute says which tiers are in which zone; its share alone changes.
 */
final class DirectoryShares {
  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final ShareByUse chooser;
  private RuleRounds.Turn turn = RuleRounds.Turn.UNBOUNDED;

  /**
   * A directory, with the policy that stands on it.
   *
   * @param since when that was set; null when nobody knows
   */
  record Target(String path, long fileId, ZoneShares policy, PolicySince since) {}

  /**
   * @throws OperatorException when one of the directories cannot have a share that follows its use,
   *     one line
   */
  DirectoryShares(MoverCluster cluster, AutotierSettings settings, Hardware hardware)
      throws IOException {
    this.cluster = cluster;
    this.settings = settings;
    chooser = new ShareByUse(ShareByUse.GAIN_MIN, settings.holdSeconds());
    for (String path : settings.shares()) {
      check(path, hardware);
    }
  }

  private void check(String path, Hardware hardware) throws IOException {
    if (!hardware.isSuperuser()) {
      throw bad(path, "HDFS tells its superuser alone what its volumes hold");
    }
    if (!settings.covers(path)) {
      throw bad(path, "is not below a directory that may be changed: name it with --below, too");
    }
    requireMeasured(target(cluster, path), cluster.tiers());
  }

  private static void requireMeasured(Target target, TierConfiguration tiers) {
    for (Tier tier : tiers.table().tiers()) {
      boolean known =
          tier.deviceClass().readBytesPerSecond() > 0
              && tier.deviceClass().writeBytesPerSecond() > 0;
      if (target.policy().zoneOfTier(tier.index()) >= 0 && !known) {
        throw bad(
            target.path(),
            "nobody measured how fast "
                + tier.name()
                + " reads and writes: 'tierwise tiers probe' on a node of it says what to write"
                + " into the tier table");
      }
    }
  }

  private static OperatorException bad(String path, String why) {
    return OperatorException.badInput("--share " + Words.plain(path) + ": " + why);
  }

  private static Target target(MoverCluster cluster, String path) throws IOException {
    if (!cluster.pluginRuns()) {
      throw bad(path, whyNotObeyed(cluster));
    }
    HdfsFileStatus status = cluster.fs().getClient().getFileInfo(path);
    if (status == null || !status.isDirectory()) {
      throw bad(path, "there is no such directory");
    }
    Map<String, byte[]> attributes;
    try {
      attributes = cluster.fs().getXAttrs(new Path(path));
    } catch (FileNotFoundException e) {
      throw bad(path, "there is no such directory");
    }
    Optional<PathPolicy> own = PathPolicy.ownPlacement(path, attributes);
    try {
      Optional<ZoneShares> zones =
          own.filter(each -> !each.specification().strip().equals(PathPolicy.STOCK))
              .flatMap(each -> parse(cluster, each).zoneShares());
      if (zones.isPresent()) {
        ZoneTotals.requireShare(zones.get());
        return new Target(path, status.getFileId(), zones.get(), own.get().since());
      }
    } catch (IllegalArgumentException e) {
      throw bad(path, e.getMessage());
    }
    throw bad(
        path,
        "no zone-ratio policy stands on it ("
            + own.map(PathPolicy::specification).map(Words::plain).orElse("none does")
            + "): 'tierwise policy set "
            + Words.plain(path)
            + " --placement zone-ratio:0.5,scope=directory' says which tiers it is about");
  }

  /** Why a share would change nothing where the plug-in does not run, as far as is known. */
  static String whyNotObeyed(MoverCluster cluster) {
    return cluster
        .pluginUnknown()
        .orElse("the active NameNode runs without the plug-in, and obeys no share");
  }

  private static PlacementPolicy parse(MoverCluster cluster, PathPolicy own) {
    return PlacementPolicies.parse(
        own.specification(), cluster.tiers().table(), cluster.tiers().layouts());
  }

  /** The policy that stands on a path itself; null for none. */
  static String policyOn(MoverCluster cluster, String path) throws IOException {
    return PathPolicy.ownPlacement(path, cluster.fs().getXAttrs(new Path(path)))
        .map(PathPolicy::specification)
        .orElse(null);
  }

  void bound(RuleRounds.Turn each) {
    turn = each;
  }

  /** What a window has of the files below these directories. */
  ShareUse.Window use(UseWindow window, KnownFiles files) {
    Map<String, Double> readBytes = new HashMap<>();
    for (int number = 0; !settings.shares().isEmpty() && number < window.fileCount(); number++) {
      KnownFile file = files.file(number);
      if (file != null && !file.isStored() && window.reads(number) > 0) {
        readBytes.put(file.path(), (double) window.reads(number) * file.bytes());
      }
    }
    return new ShareUse.Window(window.startSeconds(), window.endSeconds(), readBytes);
  }

  /**
   * Chooses for each directory, by the tiers that the active NameNode has now.
   *
   * @param left is told of those that nothing can be said of now
   */
  List<ShareChoice> choose(ShareUse.Window use, double nowSeconds, LeftFiles left)
      throws IOException {
    List<ShareChoice> choices = new ArrayList<>();
    for (String path : settings.shares()) {
      try {
        MoverCluster now = MoverCluster.of(cluster.fs(), cluster.conf());
        Target target = target(now, path);
        requireMeasured(target, now.tiers());
        choices.add(choose(now, target, use.until(nowSeconds), nowSeconds));
      } catch (OperatorException e) {
        // It was right when the daemon began, and may be again.
        left.note(e.getMessage(), path);
      }
    }
    return choices;
  }

  private ShareChoice choose(
      MoverCluster now, Target target, ShareUse.Window window, double nowSeconds)
      throws IOException {
    ZoneTotals totals = new ZoneTotals(target.policy(), now.tiers().table());
    double keptFree = settings.moving().limits().keptFreeShare();
    for (ClusterVolumes.Volume volume : ClusterVolumes.read(now.fs(), now.tiers()).volumes()) {
      if (volume.inService()) {
        totals.volume(volume.tier(), volume.remainingBytes() - keptFree * volume.capacityBytes());
      }
    }
    ShareUse use = new ShareUse(now, target.path(), window, totals);
    if (!use.look(turn)) {
      throw bad(
          target.path(),
          "it has more paths than can be looked at in a round (--calls "
              + settings.callsMax()
              + "), or the NameNode is slow: its share stays");
    }
    double sinceSeconds =
        target.since() == null
            ? Double.POSITIVE_INFINITY
            : nowSeconds - target.since().time().toEpochMilli() / 1e3;
    ShareByUse.Choice choice =
        chooser.choose(
            use.sum().dataSet(),
            totals.zone(0),
            totals.zone(1),
            new ShareByUse.Present(target.policy().firstShare(), sinceSeconds));
    String after =
        choice.changes()
            ? target.policy().withFirstShare(choice.share(), now.tiers().table()).name()
            : target.policy().name();
    return ShareChoice.of(target, use.sum(), choice, after);
  }
}
