package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.compliance.TierSpread;
import io.tierwise.hadoop.mover.FileTiers.Deletion;
import io.tierwise.policies.placement.LayoutChange;
import io.tierwise.policies.placement.LayoutChange.Region;
import java.io.IOException;
import java.util.List;

/**
 * φSched's verbs on stored files and directories: each gives a path another layout in regions, and
 * its files as many replicas as that names.
 *
 * <p>Source: DerbyhatS, Table 7.1. Deviation: as {@link FileTiers}, whose {@link FileTiers#apply}
 * makes the changes. A layout that leaves regions open, as stock HDFS does, names no replica in
 * any.
 */
public final class FileRegions {
  private final MoverCluster cluster;
  private final FileTiers files;

  /**
   * @throws OperatorException when the active NameNode runs without the plug-in
   */
  public FileRegions(MoverCluster cluster) {
    this.cluster = cluster;
    this.files = new FileTiers(cluster);
  }

  /** A copy of each block in the region; {@code copies} of them in all. */
  public FileTiers.Change createFileRegion(String path, String region, int copies)
      throws IOException {
    Region there = region(region);
    Survey survey = files.survey(path);
    LayoutChange after = files.layoutOf(path, survey).with(there, copies);
    return files.change(path, survey, after, after.firmCount() - copies, after.replicaCount());
  }

  /** No replica in the region any more. */
  public FileTiers.Change deleteFileRegion(String path, String region) throws IOException {
    return deleteFileRegion(path, region, Deletion.AT_ONCE);
  }

  /** The same, now or later. */
  public FileTiers.Change deleteFileRegion(String path, String region, Deletion deletion)
      throws IOException {
    Region there = region(region);
    Survey survey = files.survey(path);
    LayoutChange before = files.layoutOf(path, survey);
    FileTiers.requireReplicas(path, before.countAll(there), region, 1);
    boolean lazy = deletion == Deletion.LAZY;
    LayoutChange after = lazy ? before.surplusIn(there) : before.atMost(there, 0);
    return files.fewer(path, survey, before, after, region);
  }

  /** So many of the replicas in one region in another one instead. */
  public FileTiers.Change moveRegion(String path, String from, String to, int replicas)
      throws IOException {
    Region source = region(from);
    Region target = region(to);
    Survey survey = files.survey(path);
    LayoutChange before = files.layoutOf(path, survey);
    FileTiers.requireReplicas(path, before.count(source), from, replicas);
    LayoutChange after = before.moved(source, target, replicas);
    return files.change(path, survey, after, after.firmCount(), after.replicaCount());
  }

  /** So many replicas in the region, neither more nor fewer. */
  public FileTiers.Change setRepRegion(String path, String region, int replicas)
      throws IOException {
    Region there = region(region);
    Survey survey = files.survey(path);
    LayoutChange before = files.layoutOf(path, survey);
    LayoutChange after = before.with(there, replicas).atMost(there, replicas);
    return files.fewer(path, survey, before, after, region);
  }

  /** Counts blocks, replicas and bytes of the files at a path, region by region. */
  public List<TierSpread.RegionRow> findRegion(String path) throws IOException {
    return TierSpread.of(cluster.fs(), cluster.tiers(), cluster.regions(), List.of(path)).regions();
  }

  private Region region(String name) {
    List<String> all = cluster.active().status().regions();
    if (!all.contains(name)) {
      throw OperatorException.badInput(
          "no region " + name + "; the cluster has: " + String.join(", ", all));
    }
    return new Region(name, all);
  }
}
