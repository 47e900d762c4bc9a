package io.tierwise.hadoop.inspect.compliance;

import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.view.FileView;
import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.policies.placement.LayoutFit.Wanted;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** Compares the replicas of files with what a placement specification wants. */
public final class FileJudge {
  private static final int SPECIFICATIONS_MAX = 1000;

  private final TierConfiguration tiers;
  private final SeenCluster cluster;
  private final Map<String, Reading> readings = new HashMap<>();

  private FileJudge(TierConfiguration tiers, RegionNames regions, List<String> regionOrder) {
    this.tiers = tiers;
    this.cluster = new SeenCluster(tiers, regions, regionOrder);
  }

  /** Judges with the tier table and the regions of the NameNode, where they are known. */
  public static FileJudge of(
      Configuration conf, NameNodePlugin.Answer nameNode, TierConfiguration tiers) {
    List<String> order = nameNode.runs() ? nameNode.status().regions() : List.of();
    return new FileJudge(tiers, nameNode.regions(conf), order);
  }

  /**
   * A specification that was read.
   *
   * @param policy null for stock HDFS and for a malformed specification
   * @param problem what is wrong with it; null when nothing is
   */
  public record Reading(PlacementPolicy policy, String problem) {
    /** Whether stock HDFS places such a path: by wish, or because nobody understands the policy. */
    public boolean stock() {
      return policy == null;
    }
  }

  /** Reads a specification, each once. */
  public Reading read(String specification) {
    if (readings.size() >= SPECIFICATIONS_MAX) {
      readings.clear();
    }
    return readings.computeIfAbsent(specification, this::parse);
  }

  private Reading parse(String specification) {
    if (specification.strip().equals(PathPolicy.STOCK)) {
      return new Reading(null, null);
    }
    try {
      return new Reading(
          PlacementPolicies.parse(specification, tiers.table(), tiers.layouts()), null);
    } catch (IllegalArgumentException e) {
      return new Reading(null, e.getMessage());
    }
  }

  /** Why stock HDFS places such a file whatever its policy says; empty for any other file. */
  public static Optional<String> ownRules(HdfsFileStatus file) {
    if (file.getErasureCodingPolicy() != null) {
      return Optional.of("erasure-coded files are HDFS's own");
    }
    byte storagePolicy = file.getStoragePolicy();
    if (storagePolicy == HdfsConstants.StoragePolicy.LAZY_PERSIST.value()) {
      return Optional.of("lazy-persist files are HDFS's own");
    }
    return storagePolicy == HdfsConstants.StoragePolicy.PROVIDED.value()
        ? Optional.of("files on PROVIDED storage are HDFS's own")
        : Optional.empty();
  }

  /** A block's replicas beside what the policy wants; empty when the policy does not tell that. */
  public Optional<BlockFit> fit(
      PlacementPolicy policy, HdfsFileStatus file, long blockIndex, LocatedBlock block) {
    int[] all = cluster.volumesOf(block);
    short replicas = file.getReplication();
    FileView view = new FileView(file.getFileId(), blockIndex, replicas);
    return BlockFit.of(block, all, judged -> policy.fit(view, judged, replicas, cluster.view()));
  }

  /**
   * The replicas that would go if the file had so many, by their numbers in the block's locations:
   * the NameNode asks the policy the same.
   */
  public int[] excess(
      PlacementPolicy policy,
      HdfsFileStatus file,
      long blockIndex,
      LocatedBlock block,
      int replicas) {
    int[] all = cluster.volumesOf(block);
    FileView view = new FileView(file.getFileId(), blockIndex, replicas);
    return policy.chooseExcess(all, view, Math.min(replicas, all.length), cluster.view());
  }

  /** A file's blocks beside what the policy wants; a block that is being written is left out. */
  public Compliance judge(PlacementPolicy policy, HdfsLocatedFileStatus file) {
    Compliance compliance = new Compliance();
    boolean allOnTier = true;
    LocatedBlocks located = file.getLocatedBlocks();
    List<LocatedBlock> blocks = located == null ? List.of() : located.getLocatedBlocks();
    for (int index = 0; index < blocks.size(); index++) {
      LocatedBlock block = blocks.get(index);
      if (isBeingWritten(block, located)) {
        continue;
      }
      Optional<BlockFit> fit = fit(policy, file, index, block);
      if (fit.isEmpty()) {
        compliance.addNotJudged();
        continue;
      }
      long replicas = fit.get().judgedCount();
      long fitting = fit.get().fittingCount();
      boolean onTier = replicas > 0 && fitting == replicas;
      allOnTier &= onTier;
      compliance.addBlock(onTier, replicas * block.getBlockSize(), fitting * block.getBlockSize());
    }
    compliance.addFile(allOnTier);
    return compliance;
  }

  /** Whether it is the last block of a file that is open, and not complete. */
  public static boolean isBeingWritten(LocatedBlock block, LocatedBlocks file) {
    LocatedBlock last = file.getLastLocatedBlock();
    return !file.isLastBlockComplete()
        && last != null
        && last.getBlock().getBlockId() == block.getBlock().getBlockId();
  }

  /** A wish for people, for example {@code nvme}, {@code nvme|sata in east} or {@code any}. */
  public String text(Wanted wanted) {
    String names =
        wanted.tiers().stream()
            .filter(tier -> tier < tiers.table().count())
            .map(tier -> tiers.table().tier(tier).name())
            .collect(Collectors.joining("|"));
    String tier = names.isEmpty() ? "any" : names;
    int region = wanted.region();
    if (region == Slot.ANY) {
      return tier;
    }
    boolean known = region < cluster.view().regionCount();
    return tier + " in " + (known ? cluster.view().regionName(region) : "an unknown region");
  }

  /** The wish for each replica, in the order of the block's locations; null where not judged. */
  public List<String> wanted(BlockFit fit) {
    List<String> texts = new ArrayList<>();
    fit.wanted().forEach(wanted -> texts.add(wanted == null ? null : text(wanted)));
    return texts;
  }

  /** The region that the node's location belongs to. */
  public String regionOf(DatanodeInfo node) {
    return cluster.regionOf(node);
  }
}
