package io.tierwise.hadoop.mover;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout;
import io.tierwise.core.data.Layout.Slot;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.mover.FileToMove.Deletion;
import io.tierwise.hadoop.mover.journal.JournalEntry.Moving;
import io.tierwise.hadoop.mover.journal.JournalEntry.Place;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Brings blocks back to the tiers that they had before a run: each replica that stands where the
 * run put it is to stand in its old tier again, and all others stay. Replicas that were moved since
 * stay as they are, and are told: the number of a block's replicas is the same either way. The tier
 * and the region are restored; the plan chooses a node in them.
 */
final class UndoMoves implements BlockIntake.Source {
  static final String GONE = "its file was deleted since";
  static final String RENAMED = "its file has another name since";
  static final String POLICY = "its file is under another policy since";
  static final String MOVED = "it was moved since";
  static final String CUT = "it is no part of its file any more";
  static final String LENGTH =
      "its file was appended to or truncated since: what was added stays where it is";
  static final String NO_TIER = "the tier that it was in is not in the tier table";

  private final MoverCluster cluster;
  private final FileJudge judge;
  private final Map<String, String> restored;
  private final Map<Long, String> storagePolicies;
  private final PastRun run;
  private final SnapshotNumbers snapshots;
  private final Optional<UndoMarks> marks;
  private Path directory;
  private Optional<String> ofDirectory = Optional.empty();

  /**
   * @param restored the policies that stand on paths of their own again, or will by then; null for
   *     none of their own
   * @param storagePolicies likewise, of HDFS, by the ids of files
   * @param marks of files from which something comes back; empty for a plan
   */
  UndoMoves(
      MoverCluster cluster,
      PastRun run,
      Map<String, String> restored,
      Map<Long, String> storagePolicies,
      Optional<UndoMarks> marks) {
    this.cluster = cluster;
    this.restored = new HashMap<>(restored);
    this.storagePolicies = new HashMap<>(storagePolicies);
    this.judge = cluster.judge();
    this.snapshots = new SnapshotNumbers(cluster.fs());
    this.run = run;
    this.marks = marks;
  }

  @Override
  public void offer(DistributedFileSystem fs, BlockIntake intake) throws IOException {
    MovesByFile.read(
        run,
        (fileId, steps) -> {
          intake.tally().file();
          offer(fs, fileId, steps, intake);
        });
  }

  private void offer(
      DistributedFileSystem fs,
      long fileId,
      Map<Long, List<PastRun.Step>> steps,
      BlockIntake intake)
      throws IOException {
    Moving last = lastOf(steps);
    HdfsLocatedFileStatus now = locate(fs, fileId, last.file());
    if (now == null) {
      leave(steps, GONE, intake.tally());
      return;
    }
    HdfsFileStatus named = fs.getClient().getFileInfo(last.file());
    if (named == null || named.getFileId() != fileId) {
      leave(steps, RENAMED, intake.tally());
      return;
    }
    String inForce = policyOf(fs, last.file());
    if (!Objects.equals(inForce, last.inForce()) && !isBelowRestored(last.file())) {
      leave(steps, POLICY, intake.tally());
      return;
    }
    if (now.getLen() != last.fileBytes()) {
      intake.tally().left(LENGTH, false, last.file(), 0, 0);
    }
    Map<Long, Integer> indices = new HashMap<>();
    List<LocatedBlock> blocks = now.getLocatedBlocks().getLocatedBlocks();
    for (int index = 0; index < blocks.size(); index++) {
      indices.put(blocks.get(index).getBlock().getBlockId(), index);
    }
    if (marks.isPresent()) {
      try {
        marks.get().moves(now);
      } catch (IOException e) {
        leave(steps, PathRefusal.of(e).orElseThrow(() -> e), intake.tally());
        return;
      }
    }
    boolean comesBack = false;
    for (Map.Entry<Long, List<PastRun.Step>> one : steps.entrySet()) {
      Integer index = indices.get(one.getKey());
      if (index == null) {
        leave(Map.of(one.getKey(), one.getValue()), CUT, intake.tally());
      } else {
        comesBack |= block(one.getValue(), index, now, inForce, intake);
      }
    }
    if (marks.isPresent() && !comesBack) {
      marks.get().refused(fileId);
    }
  }

  /** The file as the run left it: under a policy that changed meanwhile it moved again. */
  private static Moving lastOf(Map<Long, List<PastRun.Step>> steps) {
    return (Moving)
        steps.values().stream()
            .map(ofBlock -> ofBlock.get(ofBlock.size() - 1))
            .max(Comparator.comparingLong(PastRun.Step::number))
            .orElseThrow()
            .entry();
  }

  /** Null for a file that is gone; what only a snapshot has HDFS does not know by its id. */
  private static HdfsLocatedFileStatus locate(DistributedFileSystem fs, long fileId, String name)
      throws IOException {
    String path = FileToMove.lastingPath(name, fileId);
    try {
      HdfsLocatedFileStatus found = fs.getClient().getLocatedFileInfo(path, false);
      return found == null || found.getFileId() != fileId ? null : found;
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  /** Whether something of it moves, or may once HDFS is done with it. */
  private boolean block(
      List<PastRun.Step> steps,
      int index,
      HdfsLocatedFileStatus now,
      String inForce,
      BlockIntake intake)
      throws IOException {
    LocatedBlock block = now.getLocatedBlocks().getLocatedBlocks().get(index);
    Before before = new Before(block);
    for (int i = steps.size() - 1; i >= 0; i--) {
      before.takeBack(steps.get(i));
    }
    if (before.problem != null) {
      leave(Map.of(0L, steps), before.problem, intake.tally());
      return false;
    }
    if (before.isAsItIs()) {
      leave(Map.of(0L, before.movedSince), MOVED, intake.tally());
      return false;
    }
    before.movedSince.forEach(step -> left(step, MOVED, intake.tally()));
    PlacementPolicy policy = inForce == null ? null : judge.read(inForce).policy();
    PlacementPolicy wanted = before.layout();
    if (policy != null
        && policy.layout().map(Layout::slots).map(UndoMoves::sorted).stream()
            .anyMatch(before.sortedSlots()::equals)) {
      wanted = policy;
    }
    String path = ((Moving) steps.get(0).entry()).file();
    Deletion deletion = Deletion.of(cluster.pluginRuns(), policy, wanted);
    int kept = snapshots.keptBeyond(path, now);
    String storagePolicy = storagePolicies.get(now.getFileId());
    FileToMove file = new FileToMove(path, now, wanted, deletion, inForce, kept, storagePolicy);
    BlockIntake.Taken taken = intake.block(file, index, block).taken();
    return taken == BlockIntake.Taken.MOVES || taken == BlockIntake.Taken.HINDERED;
  }

  /** The policy of a file, its directory's looked up once for files that follow each other. */
  private String policyOf(DistributedFileSystem fs, String path) throws IOException {
    Path file = PathPolicy.live(new Path(path));
    if (!file.getParent().equals(directory)) {
      directory = file.getParent();
      ofDirectory = nearest(fs, directory);
    }
    return own(fs, file)
        .or(() -> ofDirectory)
        .or(
            () ->
                PathPolicy.placementRule(cluster.tiers().placementRule(path), cluster.tiers())
                    .map(PathPolicy::specification))
        .orElse(null);
  }

  private Optional<String> nearest(DistributedFileSystem fs, Path from) throws IOException {
    for (Path at = from; at != null; at = at.getParent()) {
      Optional<String> found = own(fs, at);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<String> own(DistributedFileSystem fs, Path path) throws IOException {
    String name = path.toString();
    try {
      return Optional.ofNullable(
          restored.containsKey(name) ? restored.get(name) : JournaledChanges.ownPolicy(fs, name));
    } catch (FileNotFoundException e) {
      return Optional.empty(); // Of what only a snapshot has nothing stands at its old path.
    }
  }

  /** There the policy of the run is taken back together with its moves. */
  private boolean isBelowRestored(String file) {
    for (Path at = PathPolicy.live(new Path(file)); at != null; at = at.getParent()) {
      if (restored.containsKey(at.toString())) {
        return true;
      }
    }
    return false;
  }

  private static void leave(Map<Long, List<PastRun.Step>> steps, String reason, Tally tally) {
    for (List<PastRun.Step> block : steps.values()) {
      tally.block(false);
      block.forEach(step -> left(step, reason, tally));
    }
  }

  private static void left(PastRun.Step step, String reason, Tally tally) {
    Moving moving = (Moving) step.entry();
    if (step.mayBeMade()) {
      tally.left(reason, false, moving.file(), 1, moving.bytes());
    }
  }

  private static List<String> sorted(List<Slot> slots) {
    return slots.stream().map(Slot::toString).sorted().toList();
  }

  /** A block's replicas where they stood before the steps that were taken back so far. */
  private final class Before {
    private final String[] nodes;
    private final String[] tiers;

    /** The region that a replica is to come back to; null for one that stays in its own. */
    private final String[] regions;

    /** The last moves of replicas that are elsewhere now, which stay there. */
    private final List<PastRun.Step> movedSince = new ArrayList<>();

    private boolean takesBack;
    private String problem;

    Before(LocatedBlock block) {
      DatanodeInfo[] locations = block.getLocations();
      nodes = new String[locations.length];
      tiers = new String[locations.length];
      regions = new String[locations.length];
      TierTable table = cluster.tiers().table();
      for (int i = 0; i < locations.length; i++) {
        int tier =
            cluster
                .tiers()
                .matcher()
                .tierOf(
                    TierMatch.Volume.of(
                        block.getStorageTypes()[i], locations[i], block.getStorageIDs()[i]));
        nodes[i] = locations[i].getDatanodeUuid();
        tiers[i] = tier == TierTable.NONE ? null : table.tier(tier).name();
      }
    }

    /**
     * Lets the replica that a step moved stand where it stood. The last step comes first: a run may
     * have moved a replica twice, as a daemon's does when a policy changes between two repairs.
     */
    void takeBack(PastRun.Step step) {
      Moving moving = (Moving) step.entry();
      if (isOfOneMovedSince(moving)) {
        return;
      }
      int replica = at(moving.to());
      if (replica >= 0) {
        takesBack = true;
        if (!isKnown(moving.from().tier())) {
          problem = NO_TIER;
          return;
        }
        nodes[replica] = moving.from().nodeId();
        tiers[replica] = moving.from().tier();
        if (!moving.from().region().equals(moving.to().region())) {
          regions[replica] = moving.from().region();
        }
      } else if (step.done() && at(moving.from()) < 0) {
        movedSince.add(step);
      }
    }

    /** Whether it is an earlier move of a replica that is elsewhere now. */
    private boolean isOfOneMovedSince(Moving moving) {
      return movedSince.stream()
          .map(step -> ((Moving) step.entry()).from())
          .anyMatch(
              from ->
                  from.nodeId().equals(moving.to().nodeId())
                      && Objects.equals(from.tier(), moving.to().tier()));
    }

    /** Whether nothing is to be taken back, since all that was moved is elsewhere now. */
    boolean isAsItIs() {
      return !takesBack && !movedSince.isEmpty();
    }

    private int at(Place place) {
      for (int i = 0; i < nodes.length; i++) {
        if (nodes[i].equals(place.nodeId()) && Objects.equals(tiers[i], place.tier())) {
          return i;
        }
      }
      return -1;
    }

    private boolean isKnown(String tier) {
      TierTable table = cluster.tiers().table();
      return tier != null
          && IntStream.range(0, table.count()).anyMatch(i -> table.tier(i).name().equals(tier));
    }

    PlacementPolicy layout() {
      List<String> parts = new ArrayList<>();
      for (int i = 0; i < nodes.length; i++) {
        parts.add(
            "1 x "
                + (tiers[i] == null ? "any" : tiers[i])
                + (regions[i] == null ? "" : " in region " + regions[i]));
      }
      return PlacementPolicies.ofLayout(String.join(" + ", parts), cluster.tiers().table());
    }

    List<String> sortedSlots() {
      return sorted(layout().layout().orElseThrow().slots());
    }
  }
}
