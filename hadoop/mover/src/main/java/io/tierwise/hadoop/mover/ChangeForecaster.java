package io.tierwise.hadoop.mover;

import io.tierwise.core.action.Place;
import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.action.Place.GivenUp;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.IdHash;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.mover.FileTiers.Change;
import io.tierwise.hadoop.mover.MoverReport.Amount;
import io.tierwise.hadoop.mover.MoverReport.TierChange;
import io.tierwise.hadoop.mover.MoverReport.TierFill;
import io.tierwise.policies.movement.Hindrance;
import io.tierwise.policies.placement.LayoutFit;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Asks the policies of changed layouts what the NameNode will ask them, for each block, against the
 * cluster as it is now. What copies take is kept off its room; what drops free is not, because HDFS
 * drops at its own time. Memory does not grow with the number of files.
 *
 * <p>Own: the NameNode also heeds what changes from second to second (load, quotas by type, limits
 * of users), which is left out here.
 */
final class ChangeForecaster {
  private static final String SNAPSHOT = "a snapshot keeps it until that is deleted";
  private static final String ELSEWHERE =
      "it stands elsewhere than its layout wants it ('tierwise file move --to policy' moves it)";
  private static final String NO_NODE = "no node may take it now, and HDFS goes on looking for one";
  private static final String OTHER_REGION =
      "no node of the wanted region may take it: HDFS copies it to another region";

  private final MoverCluster cluster;
  private final ClusterVolumes volumes;
  private final ClusterSnapshot snapshot;
  private final ArrayClusterView view;
  private final Tally tally;
  private final SnapshotNumbers snapshots;
  private long blocks;
  private long blocksToChange;
  private long blocksToCopy;
  private Amount coming = Amount.NONE;
  private Amount going = Amount.NONE;

  private ChangeForecaster(MoverCluster cluster) throws IOException {
    this.cluster = cluster;
    // Says in one line who may ask.
    volumes = ClusterVolumes.read(cluster.fs(), cluster.tiers());
    snapshot =
        ClusterSnapshot.of(
            cluster.fs().getClient().getDatanodeStorageReport(DatanodeReportType.LIVE),
            cluster.names(),
            0);
    view = snapshot.view();
    tally = new Tally(cluster.tiers().table());
    snapshots = new SnapshotNumbers(cluster.fs());
  }

  /**
   * Goes through all files of the changes; nothing is changed.
   *
   * @throws io.tierwise.core.message.OperatorException when this user may not list the volumes
   */
  static ChangeForecast of(MoverCluster cluster, List<Change> changes) throws IOException {
    ChangeForecaster forecaster = new ChangeForecaster(cluster);
    for (Change change : changes) {
      forecaster.add(change);
    }
    return forecaster.forecast();
  }

  private void add(Change change) throws IOException {
    PlacementPolicy policy =
        PlacementPolicies.parse(change.after(), cluster.tiers().table(), cluster.tiers().layouts());
    FilesBelow.walk(
        cluster.fs(),
        change.path(),
        true,
        (path, status) -> {
          HdfsLocatedFileStatus file = (HdfsLocatedFileStatus) status;
          int after = change.replicasAfter(file.getReplication());
          int least = change.snapshots() ? Math.max(after, snapshots.kept(path, file)) : after;
          add(new FileChange(path, file, policy, after, least));
        });
  }

  /**
   * A file that changes.
   *
   * @param after replicas that it is to have
   * @param least that HDFS leaves it, for the sake of snapshots
   */
  private record FileChange(
      String path, HdfsLocatedFileStatus file, PlacementPolicy policy, int after, int least) {}

  private void add(FileChange change) {
    LocatedBlocks located = change.file().getLocatedBlocks();
    List<LocatedBlock> all = located == null ? List.of() : located.getLocatedBlocks();
    for (int index = 0; index < all.size(); index++) {
      LocatedBlock block = all.get(index);
      blocks++;
      if (FileJudge.isBeingWritten(block, located)) {
        stays(change, block, Hindrance.BEING_WRITTEN.text(), 1);
      } else if (block.isCorrupt()) {
        stays(change, block, Hindrance.ALL_CORRUPT.text(), 1);
      } else {
        add(change, index, block);
      }
    }
  }

  private void stays(FileChange change, LocatedBlock block, String why, int replicas) {
    tally.left(why, false, change.path(), replicas, replicas * block.getBlockSize());
  }

  private void add(FileChange change, int index, LocatedBlock block) {
    int[] all = snapshot.volumesOf(block);
    DatanodeInfo[] nodes = block.getLocations();
    int[] now =
        IntStream.range(0, all.length)
            .filter(i -> BlocksPending.counts(nodes[i]))
            .map(i -> all[i])
            .toArray();
    int[] then = now;
    if (now.length < change.after()) {
      then = copy(change, index, block, now);
    } else if (now.length > change.after()) {
      then = drop(change, index, block, now);
    }
    blocksToChange += then.length == now.length ? 0 : 1;
    countElsewhere(change, index, block, then, Math.min(now.length, then.length));
  }

  /** The volumes of a block that gets copies, those it has first. */
  private int[] copy(FileChange change, int index, LocatedBlock block, int[] now) {
    long bytes = block.getBlockSize();
    long fileId = change.file().getFileId();
    int source = Arrays.stream(now).filter(one -> one != ClusterView.NONE).findFirst().orElse(-1);
    int node = source < 0 ? ClusterView.NONE : view.nodeOfVolume(source);
    int missing = change.after() - now.length;
    PlacementRequest request =
        new PlacementRequest(
            FileView.ofCopy(fileId, change.after(), "", bytes),
            bytes,
            missing,
            node,
            source < 0 ? ClusterView.NONE : view.rackOfNode(node),
            now,
            holdersOf(block),
            Avoid.NOTHING);
    long seed = IdHash.mix(fileId) + index;
    Place decision = change.policy().place(request, view, new SplittableRandom(IdHash.mix(seed)));
    List<Integer> to = new ArrayList<>();
    for (Choice choice : decision.choices()) {
      view.setFreeBytes(choice.volume(), view.freeBytes(choice.volume()) - bytes);
      to.add(view.tierOfVolume(choice.volume()));
      whyNotAsWanted(choice).ifPresent(why -> tally.left(why, true, change.path(), 1, bytes));
    }
    int nowhere = missing - to.size();
    if (nowhere > 0) {
      tally.left(NO_NODE, true, change.path(), nowhere, nowhere * bytes);
    }
    if (!to.isEmpty()) {
      blocksToCopy++;
      coming = coming.plus(to.size(), to.size() * bytes);
      tally.copied(IntStream.of(now).mapToObj(this::tierOf).toList(), to, bytes);
    }
    return IntStream.concat(IntStream.of(now), decision.choices().stream().mapToInt(Choice::volume))
        .toArray();
  }

  /** Nodes that hold a replica which does not count, as one that is being decommissioned. */
  private PlacementRequest.NodeSet holdersOf(LocatedBlock block) {
    int[] holders =
        IntStream.of(snapshot.volumesOf(block))
            .filter(volume -> volume != ClusterView.NONE)
            .map(view::nodeOfVolume)
            .toArray();
    return node -> IntStream.of(holders).anyMatch(holder -> holder == node);
  }

  private Optional<String> whyNotAsWanted(Choice choice) {
    if (choice.missedTier() != ClusterView.NONE) {
      TierTable tiers = view.tiers();
      return Optional.of(
          String.format(
              "tier %s is %s: HDFS copies it to %s",
              tiers.tier(choice.missedTier()).name(),
              choice.reason().text(),
              tierName(view.tierOfVolume(choice.volume()))));
    }
    return choice.given() == GivenUp.REGION ? Optional.of(OTHER_REGION) : Optional.empty();
  }

  private String tierName(int tier) {
    return tier == TierTable.NONE ? "no tier" : view.tiers().tier(tier).name();
  }

  private int tierOf(int volume) {
    return volume == ClusterView.NONE ? TierTable.NONE : view.tierOfVolume(volume);
  }

  /** The volumes of a block that keeps fewer replicas. */
  private int[] drop(FileChange change, int index, LocatedBlock block, int[] now) {
    int keeps = Math.min(now.length, change.least());
    if (keeps > change.after()) {
      stays(change, block, SNAPSHOT, keeps - change.after());
    }
    // As in the NameNode: of equals the one on the fullest volume goes.
    int[] sorted =
        IntStream.of(now)
            .boxed()
            .sorted(Comparator.comparingLong(volume -> -freeBytes(volume)))
            .mapToInt(volume -> volume)
            .toArray();
    FileView file = new FileView(change.file().getFileId(), index, change.after());
    boolean[] goes = new boolean[sorted.length];
    for (int one : change.policy().chooseExcess(sorted, file, keeps, view)) {
      goes[one] = true;
      going = going.plus(1, block.getBlockSize());
      tally.dropped(tierOf(sorted[one]), block.getBlockSize());
    }
    return IntStream.range(0, sorted.length).filter(i -> !goes[i]).map(i -> sorted[i]).toArray();
  }

  private long freeBytes(int volume) {
    return volume == ClusterView.NONE ? 0 : view.freeBytes(volume);
  }

  /**
   * Counts the replicas that a block keeps and its layout wants elsewhere.
   *
   * @param keeps so many of the volumes, the first, are of replicas that it has now
   */
  private void countElsewhere(
      FileChange change, int index, LocatedBlock block, int[] then, int keeps) {
    if (then.length > change.after()) {
      return;
    }
    FileView file = new FileView(change.file().getFileId(), index, change.after());
    Optional<LayoutFit> fit = change.policy().fit(file, then, change.after(), view);
    int elsewhere =
        fit.map(told -> (int) IntStream.range(0, keeps).filter(i -> !told.fits(i)).count())
            .orElse(0);
    if (elsewhere > 0) {
      stays(change, block, ELSEWHERE, elsewhere);
    }
  }

  private ChangeForecast forecast() {
    List<TierChange> tiers = tally.tierChanges();
    int nodes =
        (int)
            volumes.volumes().stream()
                .filter(ClusterVolumes.Volume::inService)
                .map(ClusterVolumes.Volume::address)
                .distinct()
                .count();
    HdfsPace pace = HdfsPace.of(cluster.conf(), nodes);
    return new ChangeForecast(
        blocks,
        blocksToChange,
        coming,
        going,
        tally.leftByAmount(),
        tiers,
        TierFill.of(volumes, tiers),
        blocksToCopy == 0
            ? 0
            : Math.max(pace.seconds(blocksToCopy, coming.bytes()), devicesSeconds(tiers)),
        pace.keys(),
        tally.energy(cluster.tiers().source()));
  }

  /** How long the slowest tier's volumes write at their speed, where the tier table tells it. */
  private double devicesSeconds(List<TierChange> tiers) {
    double most = 0;
    for (TierChange change : tiers) {
      long devices =
          volumes.volumes().stream()
              .filter(ClusterVolumes.Volume::inService)
              .filter(volume -> change.tier() != null)
              .filter(volume -> change.tier().equals(volumes.tierName(volume)))
              .count();
      double seconds =
          devices == 0
              ? Double.NaN
              : change.comeBytes()
                  / (devices
                      * view.tiers().require(change.tier()).deviceClass().writeBytesPerSecond());
      most = seconds > most ? seconds : most;
    }
    return most;
  }
}
