package io.tierwise.hadoop.inspect.compliance;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.inspect.cluster.CodedParts;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/**
 * In which tiers and regions the replicas of many files are. A tier, or a region, has an
 * erasure-coded group where it has as many different parts as it takes to read it. Memory does not
 * grow with the number of files.
 *
 * <p>Source of the map by regions: DerbyhatS, Table 7.1 ({@code findRegion}). Own: of many files.
 */
public final class TierSpread implements NamespaceWalk.Visitor {
  private final TierConfiguration tiers;
  private final RegionNames regions;
  private final Count[] counts;
  private final Count everywhere = new Count();
  private final Map<String, Count> byRegion = new TreeMap<>();
  private long files;
  private long blocks;
  private long unreadable;

  TierSpread(TierConfiguration tiers, RegionNames regions) {
    this.tiers = tiers;
    this.regions = regions;
    this.counts = new Count[tiers.table().count() + 1];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new Count();
    }
  }

  private static final class Count {
    long blocks;
    long replicas;
    long bytes;
    long wholeFiles;
    long blocksOfFile;
    private long lastBlock = -1;

    /** Indices of the last block's parts that are here; of a replica it is 0. */
    private final BitSet parts = new BitSet();

    /**
     * Counts a replica, or a part of a group.
     *
     * @param block its number here
     * @param index of the part
     * @param needed different parts that make the block readable
     */
    void add(long block, int index, int needed, long storedBytes) {
      replicas++;
      bytes += storedBytes;
      if (lastBlock != block) {
        parts.clear();
      }
      lastBlock = block;
      boolean wasWhole = parts.cardinality() >= needed;
      parts.set(index);
      if (!wasWhole && parts.cardinality() >= needed) {
        blocks++;
        blocksOfFile++;
      }
    }

    void endFile(int blockCount) {
      wholeFiles += blockCount > 0 && blocksOfFile == blockCount ? 1 : 0;
      blocksOfFile = 0;
    }
  }

  /**
   * The contents of a tier.
   *
   * @param tier null for volumes that no tier matches
   * @param blocks that can be read from there alone: all of them, when the tier has a whole copy
   * @param replicas there, whole ones of blocks and parts of erasure-coded groups
   * @param bytes that these store
   */
  public record Row(String tier, long blocks, long replicas, long bytes) {}

  /**
   * The contents of a region.
   *
   * @param blocks that can be read from there alone
   * @param replicas there, whole ones of blocks and parts of erasure-coded groups
   * @param wholeFiles files of at least a block, all of whose blocks can be read from there alone
   */
  public record RegionRow(String region, long blocks, long replicas, long bytes, long wholeFiles) {}

  /**
   * All that was counted; the tiers fastest first, the regions with replicas by name.
   *
   * @param blocksWithoutReplica of which no whole replica is known, or too few parts to read them
   */
  public record Answer(
      long files,
      long blocks,
      long blocksWithoutReplica,
      long unreadable,
      List<Row> tiers,
      List<RegionRow> regions) {
    /** The sums for people. */
    public String text() {
      return Words.count(files, "file")
          + " of "
          + Words.count(blocks, "block")
          + (blocksWithoutReplica == 0
              ? ""
              : ", " + blocksWithoutReplica + " of them without a replica");
    }

    /** Tiers, and regions where there are several, for people. */
    public List<Table> tables() {
      return regions.size() < 2 ? List.of(ofTiers()) : List.of(ofTiers(), ofRegions());
    }

    private Table ofTiers() {
      Table table = new Table().text("tier").number("blocks", "replicas", "bytes");
      for (Row row : tiers) {
        table.row(
            row.tier() == null ? "-" : row.tier(),
            row.blocks(),
            row.replicas(),
            Words.bytes(row.bytes()));
      }
      return table;
    }

    private Table ofRegions() {
      Table table = new Table().text("region").number("blocks", "replicas", "bytes", "whole files");
      for (RegionRow row : regions) {
        table.row(
            row.region(), row.blocks(), row.replicas(), Words.bytes(row.bytes()), row.wholeFiles());
      }
      return table;
    }

    /** Why it does not stand for all that is there; null when it does. */
    public OperatorException incomplete() {
      return unreadable == 0 ? null : NamespaceWalk.incomplete(unreadable);
    }
  }

  /** Counts what is at the paths and below. */
  public static Answer of(
      DistributedFileSystem fs, TierConfiguration tiers, RegionNames regions, List<String> paths)
      throws IOException {
    TierSpread spread = new TierSpread(tiers, regions);
    for (String path : NamespaceWalk.outermost(paths)) {
      try (NamespaceWalk walk = new NamespaceWalk(fs, true, spread)) {
        walk.walk(path);
      }
    }
    return spread.answer();
  }

  @Override
  public void enter(String path, Map<String, byte[]> attributes) {
    // Directories have no replicas.
  }

  @Override
  public void leave(String path) {
    // Nothing is kept of a directory.
  }

  @Override
  public void file(String path, HdfsFileStatus status, Map<String, byte[]> attributes) {
    files++;
    HdfsLocatedFileStatus located = (HdfsLocatedFileStatus) status;
    if (located.getLocatedBlocks() != null) {
      located
          .getLocatedBlocks()
          .getLocatedBlocks()
          .forEach(block -> count(block, status.getErasureCodingPolicy()));
      int blockCount = located.getLocatedBlocks().locatedBlockCount();
      byRegion.values().forEach(count -> count.endFile(blockCount));
    }
  }

  /** A block of which no replica is whole has none: the NameNode lists them all the same. */
  private void count(LocatedBlock block, ErasureCodingPolicy coding) {
    blocks++;
    if (block.isCorrupt()) {
      return;
    }
    LocatedStripedBlock group = block instanceof LocatedStripedBlock striped ? striped : null;
    CodedParts coded = group == null ? null : new CodedParts(coding, block.getBlockSize());
    int needed = group == null ? 1 : coded.needed();
    DatanodeInfo[] nodes = block.getLocations();
    for (int i = 0; i < nodes.length; i++) {
      int tier =
          tiers
              .matcher()
              .tierOf(
                  TierMatch.Volume.of(
                      block.getStorageTypes()[i], nodes[i], block.getStorageIDs()[i]));
      int slot = tier == TierTable.NONE ? counts.length - 1 : tier;
      int index = group == null ? 0 : group.getBlockIndices()[i];
      long bytes = group == null ? block.getBlockSize() : coded.bytes(index);
      counts[slot].add(blocks, index, needed, bytes);
      everywhere.add(blocks, index, needed, bytes);
      byRegion
          .computeIfAbsent(regions.regionOf(nodes[i].getNetworkLocation()), name -> new Count())
          .add(blocks, index, needed, bytes);
    }
  }

  @Override
  public void unreadable(String path, boolean directory) {
    unreadable++;
  }

  Answer answer() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      Count count = counts[i];
      boolean named = i < counts.length - 1;
      if (named || count.replicas > 0) {
        String name = named ? tiers.table().tier(i).name() : null;
        rows.add(new Row(name, count.blocks, count.replicas, count.bytes));
      }
    }
    List<RegionRow> ofRegions = new ArrayList<>();
    byRegion.forEach(
        (name, count) ->
            ofRegions.add(
                new RegionRow(name, count.blocks, count.replicas, count.bytes, count.wholeFiles)));
    long nowhere = blocks - everywhere.blocks;
    return new Answer(files, blocks, nowhere, unreadable, rows, ofRegions);
  }
}
