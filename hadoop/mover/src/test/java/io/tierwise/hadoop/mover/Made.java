package io.tierwise.hadoop.mover;

import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** Blocks and volumes that no cluster has. */
final class Made {
  private Made() {}

  static BlockWork work() {
    return work(new FileToMove("/file", null, null, FileToMove.Deletion.BY_WANTED_POLICY, null));
  }

  static BlockWork work(FileToMove file) {
    LocatedBlock block =
        new LocatedBlock(new ExtendedBlock("pool", 1, 100, 1), DatanodeInfo.EMPTY_ARRAY);
    return new BlockWork(file, 0, block);
  }

  static Endpoint volume(String node, StorageType type) {
    DatanodeInfo info =
        new DatanodeInfo.DatanodeInfoBuilder()
            .setNodeID(new DatanodeID("127.0.0.1", node, node, 1, 2, 3, 4))
            .build();
    return new Endpoint(info, node + type, type, type == StorageType.SSD ? 0 : 1);
  }

  /** A file with those blocks; without any, one whose block of {@link #work()} is gone. */
  static HdfsLocatedFileStatus file(int replicas, LocatedBlock... blocks) {
    return file(7, replicas, blocks);
  }

  static HdfsLocatedFileStatus file(long id, int replicas, LocatedBlock... blocks) {
    return (HdfsLocatedFileStatus)
        new HdfsFileStatus.Builder()
            .perm(FsPermission.getFileDefault())
            .fileId(id)
            .replication(replicas)
            .locations(new LocatedBlocks(0, false, List.of(blocks), null, true, null, null))
            .build();
  }

  /** The block of {@link #work()} with replicas on the SSDs of those nodes. */
  static LocatedBlock blockOn(String... nodes) {
    List<Endpoint> volumes = Stream.of(nodes).map(node -> volume(node, StorageType.SSD)).toList();
    return new LocatedBlock(
        new ExtendedBlock("pool", 1, 100, 1),
        volumes.stream().map(Endpoint::node).toArray(DatanodeInfo[]::new),
        volumes.stream().map(Endpoint::storageId).toArray(String[]::new),
        volumes.stream().map(Endpoint::type).toArray(StorageType[]::new));
  }

  /** A move of one byte inside a node, or between two. */
  static PlannedMove move(BlockWork work, String from, String to) {
    Endpoint source = volume(from, StorageType.DISK);
    return new PlannedMove(work, 1, source, source, volume(to, StorageType.SSD), null);
  }
}
