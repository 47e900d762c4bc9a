package io.tierwise.hadoop.mover;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.SetReplicas;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.policies.placement.LayoutChange;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/**
 * hatS's verbs on stored files and directories: each gives a path another layout, and its files as
 * many replicas as that names. HDFS then copies and drops by itself, and the plug-in in the
 * NameNode tells it where.
 *
 * <p>Source: DerbyhatS, Table 4.1. Deviation: a verb answers with what it will change, and {@link
 * #apply} does it; {@code createFileTier} asks for a number of copies in all, so that asked twice
 * it is done once.
 *
 * <p>HDFS is asked for permission as for {@code setfattr} and {@code setrep}: nobody needs to be
 * its superuser. {@link Mover} moves replicas that a layout wants elsewhere.
 */
public final class FileTiers {
  private static final String LAYOUT = "layout:";

  private final MoverCluster cluster;

  /**
   * @throws OperatorException when the active NameNode runs without the plug-in: nobody would obey
   *     a layout
   */
  public FileTiers(MoverCluster cluster) {
    this.cluster = cluster;
    cluster.requireNameNode();
    if (!cluster.pluginRuns()) {
      throw OperatorException.cluster(
          cluster.active().whyNot() + ": nothing was changed (install the plug-in)", null);
    }
  }

  MoverCluster cluster() {
    return cluster;
  }

  /**
   * The change that a verb makes.
   *
   * @param before the specification that holds now; null for stock HDFS
   * @param after the one that will
   * @param replicas of each file afterwards, surplus ones included
   * @param surplus of them that may be dropped when room is needed: a file may have so many fewer
   * @param surplusBytes of those that there are
   * @param files below the path
   * @param filesToChange those with another number of replicas
   * @param comingBytes of replicas that HDFS has to copy, at least
   * @param goingBytes of replicas that HDFS has to drop
   * @param filesLeftOut that HDFS places by rules of its own
   * @param snapshots whether something goes where there are snapshots, which keep it
   */
  public record Change(
      String path,
      String before,
      String after,
      int replicas,
      int surplus,
      long surplusBytes,
      long files,
      long filesToChange,
      long comingBytes,
      long goingBytes,
      long filesLeftOut,
      boolean snapshots) {
    /** The number of replicas that a file with {@code now} replicas gets. */
    int replicasAfter(int now) {
      return Math.max(replicas - surplus, Math.min(now, replicas));
    }

    /** The request to HDFS for a file that gets so many; the cost is that of all together. */
    SetReplicas asked(int replicasAfter) {
      return new SetReplicas(
          after,
          "its layout names " + Words.count(replicas, "replica"),
          replicasAfter,
          Cost.ofBytes(comingBytes, comingBytes, comingBytes - goingBytes));
    }

    /**
     * For people.
     *
     * @param made whether it was made
     */
    public String text(boolean made) {
      return Words.plain(path)
          + (made ? " is" : " would be")
          + " under "
          + Words.plain(after)
          + " (before: "
          + Words.plain(before == null ? "stock HDFS" : before)
          + "): "
          + Words.count(replicas, "replica")
          + " a file; "
          + (surplus == 0
              ? ""
              : surplus
                  + (surplus == 1 ? " is surplus and goes" : " are surplus and go")
                  + " when room is needed ("
                  + Words.bytes(surplusBytes)
                  + "); ")
          + filesToChange
          + " of "
          + Words.count(files, "file")
          + (made ? " had" : " have")
          + " another number, "
          + Words.bytes(comingBytes)
          + (made ? " come" : " would come")
          + " and "
          + Words.bytes(goingBytes)
          + (made ? " go" : " would go")
          + (snapshots ? ", but for what a snapshot keeps until it is deleted" : "")
          + (filesLeftOut == 0
              ? ""
              : "; left to HDFS, which has rules of its own for them: "
                  + Words.count(filesLeftOut, "file"));
    }
  }

  /** A copy of each block in the tier; {@code copies} of them in all. */
  public Change createFileTier(String path, String tier, int copies) throws IOException {
    int index = cluster.tiers().table().require(tier).index();
    Survey survey = survey(path);
    LayoutChange before = layoutOf(path, survey);
    LayoutChange after = before.with(index, copies);
    // Those of a run that was ended half-way have not all of their copies yet.
    return change(path, survey, after, after.firmCount() - copies, after.replicaCount());
  }

  /** No replica in the tier any more. */
  public Change deleteFileTier(String path, String tier) throws IOException {
    return deleteFileTier(path, tier, Deletion.AT_ONCE);
  }

  /** The same, now or later. */
  public Change deleteFileTier(String path, String tier, Deletion deletion) throws IOException {
    int index = cluster.tiers().table().require(tier).index();
    Survey survey = survey(path);
    LayoutChange before = layoutOf(path, survey);
    requireReplicas(path, before.countAll(index), tier, 1);
    boolean lazy = deletion == Deletion.LAZY;
    return fewer(
        path, survey, before, lazy ? before.surplusIn(index) : before.without(index), tier);
  }

  /** When replicas go that a verb takes away. */
  public enum Deletion {
    /** HDFS is asked to drop them. */
    AT_ONCE,
    /**
     * They are surplus from now on: they stay, count for all that looks at the layout, and {@link
     * TierFlush} drops them when room is needed. A layout that wants them again has them.
     *
     * <p>Source: DerbyhatS, 5.2.5. Deviation: HDFS overwrites no block, so that a flush looks for
     * room, and not the next block that is written.
     */
    LAZY
  }

  /** A change that takes replicas away, and leaves some. */
  Change fewer(String path, Survey survey, LayoutChange before, LayoutChange after, String where)
      throws IOException {
    requireRest(path, after, where);
    int least = Math.min(before.firmCount(), after.firmCount());
    int most = Math.max(before.replicaCount(), after.replicaCount());
    return change(path, survey, after, least, most);
  }

  /** So many of the replicas in one tier in another one instead. */
  public Change moveTier(String path, String from, String to, int replicas) throws IOException {
    int fromIndex = cluster.tiers().table().require(from).index();
    int toIndex = cluster.tiers().table().require(to).index();
    Survey survey = survey(path);
    LayoutChange before = layoutOf(path, survey);
    requireReplicas(path, before, from, replicas);
    LayoutChange after = before.moved(fromIndex, toIndex, replicas);
    return change(path, survey, after, after.firmCount(), after.replicaCount());
  }

  /**
   * As many of the replicas in the fastest tier, which DUX calls SSD; those that are there already
   * count.
   *
   * <p>Source: DerbyhatS, 6.1.8. Own: with more than two tiers, the fastest one.
   */
  public Change moveToSSDTier(String path, int replicas) throws IOException {
    return gatherInTier(path, counted(0), replicas);
  }

  /** As many of the replicas in the slowest tier, which DUX calls HDD; else as above. */
  public Change moveToHDDTier(String path, int replicas) throws IOException {
    return gatherInTier(path, counted(cluster.tiers().table().countedCount() - 1), replicas);
  }

  /** Of HDFS's own types those count that have a volume. */
  private String counted(int place) {
    TierTable tiers = cluster.tiers().table();
    return tiers.tier(tiers.counted(place)).name();
  }

  /** As many of the replicas in the tier; those come that are farthest from it. */
  public Change gatherInTier(String path, String tier, int replicas) throws IOException {
    int index = cluster.tiers().table().require(tier).index();
    Survey survey = survey(path);
    LayoutChange before = layoutOf(path, survey);
    LayoutChange after = before.gatheredIn(index, replicas);
    if (replicas > after.count(index)) {
      throw OperatorException.badInput(
          "the layout of "
              + path
              + " names "
              + Words.count(after.firmCount(), "replica")
              + ", fewer than "
              + replicas
              + ": nothing was changed");
    }
    return change(path, survey, after, after.firmCount(), after.replicaCount());
  }

  /** That layout, and as many replicas as it names. */
  public Change setRepPolicy(String path, String layout) throws IOException {
    TierConfiguration tiers = cluster.tiers();
    String text = layout.strip();
    String specification = text.startsWith(LAYOUT) ? text : LAYOUT + text;
    PlacementPolicy wanted = PlacementPolicies.parse(specification, tiers.table(), tiers.layouts());
    if (wanted.layout().isEmpty()) {
      throw OperatorException.badInput(layout + " is no layout");
    }
    return change(path, survey(path), wanted.name(), namedBy(wanted.name()));
  }

  /** The layout that a specification names, by its text or by a name of the tier table. */
  private LayoutChange namedBy(String specification) {
    TierConfiguration tiers = cluster.tiers();
    String layout = specification.strip().substring(LAYOUT.length()).strip();
    return LayoutChange.of(tiers.layouts().getOrDefault(layout, layout), tiers.table());
  }

  /** The change to a layout, where each file has between so many replicas now. */
  Change change(String path, Survey survey, LayoutChange after, int least, int most)
      throws IOException {
    survey.requireBetween(least, most);
    return change(path, survey, after.placement().name(), after);
  }

  private Change change(String path, Survey survey, String after, LayoutChange layout)
      throws IOException {
    int replicas = layout.replicaCount();
    int firm = layout.firmCount();
    Optional<String> before = specificationOf(path);
    long coming = 0;
    long going = 0;
    long surplus = 0;
    long toChange = 0;
    for (Map.Entry<Integer, Survey.Amount> one : survey.byReplication().entrySet()) {
      int now = one.getKey();
      long bytes = one.getValue().bytes();
      coming += bytes * Math.max(0, firm - now);
      going += bytes * Math.max(0, now - replicas);
      surplus += bytes * Math.max(0, Math.min(now, replicas) - firm);
      toChange += now < firm || now > replicas ? one.getValue().files() : 0;
    }
    return new Change(
        path,
        before.orElse(null),
        after,
        replicas,
        replicas - firm,
        surplus,
        survey.files(),
        toChange,
        coming,
        going,
        survey.leftOut(),
        going > 0 && new SnapshotNumbers(cluster.fs()).concern(path));
  }

  private void requireReplicas(String path, LayoutChange layout, String tier, int count) {
    requireReplicas(path, layout.count(cluster.tiers().table().require(tier).index()), tier, count);
  }

  static void requireReplicas(String path, int there, String where, int count) {
    if (there < count) {
      throw OperatorException.badInput(
          "the layout of "
              + path
              + " names "
              + (there == 0 ? "no replica" : Words.count(there, "replica"))
              + " in "
              + where
              + ": nothing was changed");
    }
  }

  static void requireRest(String path, LayoutChange after, String where) {
    if (after.firmCount() == 0) {
      throw OperatorException.badInput(
          "all replicas that the layout of "
              + path
              + " names are in "
              + where
              + ": nothing would be left (copy elsewhere first)");
    }
  }

  /** The policy that holds at a path; empty for stock HDFS. */
  Optional<String> specificationOf(String path) throws IOException {
    return PathPolicy.placement(cluster.fs(), new Path(path), cluster.tiers())
        .map(PathPolicy::specification)
        .filter(specification -> !specification.strip().equals(PathPolicy.STOCK));
  }

  /** The layout that a path has: its policy's, or so many replicas anywhere. */
  LayoutChange layoutOf(String path, Survey survey) throws IOException {
    TierConfiguration tiers = cluster.tiers();
    Optional<String> specification = specificationOf(path);
    if (specification.isEmpty()) {
      int replicas = cluster.fs().getDefaultReplication(new Path(path));
      if (survey.byReplication().size() == 1) {
        replicas = survey.byReplication().firstKey();
      } else if (survey.byReplication().size() > 1) {
        throw OperatorException.badInput(
            path
                + " is under no policy, and its files have different numbers of replicas "
                + survey.byReplication().keySet()
                + ": give it a layout first ('tierwise file layout')");
      }
      return LayoutChange.anywhere(replicas, tiers.table());
    }
    String text = specification.get().strip();
    if (!text.startsWith(LAYOUT)) {
      throw OperatorException.badInput(
          path
              + " is under "
              + text
              + ", which is no layout that replicas can be added to or taken from: give it one"
              + " first ('tierwise file layout')");
    }
    return namedBy(text);
  }

  Survey survey(String path) throws IOException {
    return Survey.of(cluster, path);
  }

  /**
   * Makes a change: first the policy, so that HDFS knows where copies go and which replicas do,
   * then the files. Each is written down before it is made. Ended half-way, {@link #createFileTier}
   * and {@link #setRepPolicy} do the rest when they are asked again; after {@link #deleteFileTier}
   * the second does, with the same layout.
   *
   * @return how many policies and files were changed
   * @throws OperatorException when another policy holds at the path than when the change was made
   *     out, or than it set: somebody else was at it meanwhile, and the rest is left. Also when
   *     HDFS refused to change some files, and all others were changed
   */
  public long apply(Change change, JournalRun journal) throws IOException {
    LayoutWork work = new LayoutWork(this, change);
    long changed = work.make(journal, JournaledChanges.Check.NONE);
    if (!work.left().isEmpty()) {
      throw OperatorException.cluster(work.left().get(0).text(), null);
    }
    return changed;
  }
}
