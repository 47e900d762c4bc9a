package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.mover.MoveOrder;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverJob;
import io.tierwise.hadoop.mover.StoragePolicies;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Plans what rules want in tiers: one run of the mover for each rule and number of replicas. */
final class TierMoves {
  private final MoverCluster cluster;
  private final AutotierSettings settings;
  private final RuleBook book;

  /** A file that should get a replica in a tier. */
  record Moving(RuleBook.Entry entry, String tier, String path, long fileId, int replicas) {}

  private record Group(RuleBook.Entry entry, String tier, String layout) {}

  /** HDFS's storage policy that wants one replica on an SSD and the others on disks. */
  static final HdfsConstants.StoragePolicy KEEPING = HdfsConstants.StoragePolicy.ONE_SSD;

  TierMoves(MoverCluster cluster, AutotierSettings settings, RuleBook book) {
    this.cluster = cluster;
    this.settings = settings;
    this.book = book;
  }

  /** The runs, with what the mover says of each. */
  List<RoundPlan.TierMove> plan(List<Moving> moves) throws IOException {
    Map<Group, Map<String, Long>> groups = new LinkedHashMap<>();
    for (Moving move : moves) {
      groups
          .computeIfAbsent(
              new Group(move.entry(), move.tier(), layout(move.tier(), move.replicas())),
              group -> new LinkedHashMap<>())
          .put(move.path(), move.fileId());
    }
    List<RoundPlan.TierMove> planned = new ArrayList<>();
    for (Map.Entry<Group, Map<String, Long>> each : groups.entrySet()) {
      Group group = each.getKey();
      Map<String, String> kept = keeping(cluster, group.tier(), each.getValue().keySet());
      planned.add(
          new RoundPlan.TierMove(
              book.at(group.entry().rule()),
              group.tier(),
              group.layout(),
              each.getValue(),
              kept,
              null,
              job(cluster, group.layout(), each.getValue(), kept).plan(settings.moving())));
    }
    return planned;
  }

  /** Bytes of a file's blocks without a replica in the tier. */
  static long missingBytes(MoverCluster cluster, HdfsLocatedFileStatus status, String tier) {
    int index = cluster.tiers().table().require(tier).index();
    long missing = 0;
    for (LocatedBlock block : status.getLocatedBlocks().getLocatedBlocks()) {
      missing += isIn(cluster, block, index) ? 0 : block.getBlockSize();
    }
    return missing;
  }

  /** Whether a block has a replica in the tier. */
  static boolean isIn(MoverCluster cluster, LocatedBlock block, int tier) {
    boolean there = false;
    for (int i = 0; i < block.getLocations().length && !there; i++) {
      TierMatch.Volume volume =
          TierMatch.Volume.of(
              block.getStorageTypes()[i], block.getLocations()[i], block.getStorageIDs()[i]);
      there = cluster.tiers().matcher().tiersOf(volume).contains(tier);
    }
    return there;
  }

  static String layout(String tier, int replicas) {
    return "1 x " + tier + (replicas > 1 ? " + " + (replicas - 1) + " x any" : "");
  }

  /**
   * The storage policies with which HDFS keeps a replica in a tier, by path. Files whose own
   * storage policy keeps it are left out. Under HDFS's default, a block with one replica too many
   * loses the one on an SSD first. A block has one too many when a copy comes from another node, a
   * lost node comes back, the Balancer copies, or the file gets fewer replicas.
   */
  static Map<String, String> keeping(MoverCluster cluster, String tier, Collection<String> paths)
      throws IOException {
    int index = cluster.tiers().table().require(tier).index();
    if (!cluster.tiers().matcher().match(index).storageTypes().equals(Set.of(StorageType.SSD))) {
      return Map.of();
    }
    Map<String, String> policies = new LinkedHashMap<>();
    for (String path : paths) {
      try {
        String now = StoragePolicies.inForce(cluster.fs(), path);
        if (now.equals(HdfsConstants.StoragePolicy.HOT.name())) {
          policies.put(path, KEEPING.name());
        }
      } catch (FileNotFoundException e) {
        // It was deleted just now, which is seen when it is moved.
      }
    }
    return policies;
  }

  /**
   * @param files their ids, by path
   * @param storagePolicies that some of them get first
   */
  static MoverJob job(
      MoverCluster cluster,
      String layout,
      Map<String, Long> files,
      Map<String, String> storagePolicies) {
    List<String> paths = List.copyOf(files.keySet());
    return MoverJob.of(
        cluster, MoveOrder.to(layout, paths, cluster.tiers()).only(files).under(storagePolicies));
  }
}
