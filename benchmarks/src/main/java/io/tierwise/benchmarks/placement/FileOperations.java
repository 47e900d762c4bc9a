package io.tierwise.benchmarks.placement;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.io.EnumSetWritable;

/** The calls of clients and DataNodes to a NameNode in the life of a file of one block. */
final class FileOperations {
  private static final String CLIENT = "bench";

  private final BenchCluster cluster;
  private final NamenodeProtocols rpc;
  private final ServedCalls served;

  FileOperations(BenchCluster cluster) {
    this.cluster = cluster;
    this.rpc = cluster.nameNode().getRpcServer();
    this.served = new ServedCalls(cluster.nameNode());
  }

  /** Create, add a block, report its replicas, complete. */
  void write(String path) throws IOException {
    HdfsFileStatus file =
        rpc.create(
            path,
            FsPermission.getFileDefault(),
            CLIENT,
            new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
            true,
            (short) 3,
            BenchCluster.BLOCK_BYTES,
            CryptoProtocolVersion.supported(),
            null,
            null);
    LocatedBlock located = served.addBlock(path, CLIENT, file.getFileId());
    ExtendedBlock block = located.getBlock();
    block.setNumBytes(BenchCluster.BLOCK_BYTES);
    for (int replica = 0; replica < located.getLocations().length; replica++) {
      report(located, replica, block.getLocalBlock());
    }
    if (!rpc.complete(path, CLIENT, block, file.getFileId())) {
      throw new IOException(path + " is not complete although its replicas were reported");
    }
  }

  /** Lowers the replication, by which one replica goes, and deletes the file. */
  void shrinkAndDelete(String path) throws IOException {
    rpc.setReplication(path, (short) 2);
    rpc.delete(path, false);
  }

  /** In this thread: by RPC a NameNode queues reports for another one. */
  private void report(LocatedBlock located, int replica, Block block) throws IOException {
    FSNamesystem namesystem = cluster.nameNode().getNamesystem();
    namesystem.writeLock();
    try {
      namesystem
          .getBlockManager()
          .processIncrementalBlockReport(
              cluster.registrationOf(located.getLocations()[replica].getDatanodeUuid()),
              new StorageReceivedDeletedBlocks(
                  new DatanodeStorage(located.getStorageIDs()[replica]),
                  new ReceivedDeletedBlockInfo[] {
                    new ReceivedDeletedBlockInfo(
                        block, ReceivedDeletedBlockInfo.BlockStatus.RECEIVED_BLOCK, null)
                  }));
    } finally {
      namesystem.writeUnlock("benchReport");
    }
  }
}
