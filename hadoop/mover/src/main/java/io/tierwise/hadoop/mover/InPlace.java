package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.hdfs.tiers.TierMatcher;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** How far a move is, as the NameNode sees it. */
enum InPlace {
  /** The replica is where it should be, and the old one is gone. */
  YES,
  /**
   * The replica is where it should be, and the block has none too many, but the old one is still
   * there: another one went, which the NameNode held for less, such as one in a rack with two.
   */
  ANOTHER_GONE,
  /** The copy is there, and the block has a replica too many. */
  COPIED,
  /** The NameNode knows of no replica in the new place. */
  NO,
  /** The same, and the file keeps fewer replicas now: the copy was one of those dropped. */
  FEWER,
  /**
   * The same, and the block was appended to or truncated meanwhile: a copy of what it was counts no
   * more, and never comes.
   */
  CHANGED,
  /** The block is no part of the file any more. */
  NO_BLOCK,
  /** The NameNode gave no answer: nobody knows. */
  NOT_ASKED;

  static InPlace of(PlannedMove move, HdfsLocatedFileStatus file, TierMatcher tiers) {
    Optional<LocatedBlock> found = blockOf(move.work(), file);
    if (found.isEmpty()) {
      return NO_BLOCK;
    }
    LocatedBlock block = found.get();
    boolean there = false;
    boolean old = false;
    for (int i = 0; i < block.getLocations().length; i++) {
      String node = block.getLocations()[i].getDatanodeUuid();
      there |= node.equals(move.to().nodeId()) && isIn(move.to(), block, i, tiers);
      old |= node.equals(move.from().nodeId()) && !move.inside();
    }
    if (!there) {
      if (block.getBlock().getGenerationStamp() != move.work().block().getGenerationStamp()) {
        return CHANGED;
      }
      int before = move.work().file().status().getReplication();
      int now = file.getReplication();
      return now < before && block.getLocations().length <= now ? FEWER : NO;
    }
    int kept = move.work().file().kept();
    boolean tooMany = block.getLocations().length > Math.max(kept, file.getReplication());
    if (!old) {
      return YES;
    }
    return tooMany ? COPIED : ANOTHER_GONE;
  }

  /** The block as the file has it now. */
  static Optional<LocatedBlock> blockOf(BlockWork work, HdfsLocatedFileStatus file) {
    List<LocatedBlock> blocks = file.getLocatedBlocks().getLocatedBlocks();
    // Nearly always at its old index: a file of many blocks is not searched for each of them.
    boolean same = work.index() < blocks.size() && isIt(work, blocks.get(work.index()));
    return same
        ? Optional.of(blocks.get(work.index()))
        : blocks.stream().filter(block -> isIt(work, block)).findFirst();
  }

  private static boolean isIt(BlockWork work, LocatedBlock block) {
    return block.getBlock().getBlockId() == work.block().getBlockId();
  }

  /** A DataNode may choose another volume of the tier than the one it was told. */
  private static boolean isIn(Endpoint to, LocatedBlock block, int replica, TierMatcher tiers) {
    DatanodeInfo node = block.getLocations()[replica];
    String storageId = block.getStorageIDs()[replica];
    return storageId.equals(to.storageId())
        || tiers.tierOf(TierMatch.Volume.of(block.getStorageTypes()[replica], node, storageId))
            == to.tier();
  }
}
