package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * Tells calls that only ask where a file's blocks are, as a job's submission does, from those of
 * readers. Both make the same call, but an order that counts reads must count readers alone.
 *
 * <p>A caller that only looks asks for the whole file by its length, or for all there is; a stream
 * asks for as much as its prefetch holds. A file that is exactly as long as the prefetch cannot be
 * told apart, nor can a look at a part of a file: both count as reads.
 */
final class Looks {
  private static final int BLOCKS_OF_PREFETCH = 10;

  private final TierwiseTopology topology;
  private final long prefetchBytes;

  private Looks(TierwiseTopology topology, long prefetchBytes) {
    this.topology = topology;
    this.prefetchBytes = prefetchBytes;
  }

  static Looks at(NameNode nameNode) {
    Configuration conf = nameNode.getConf();
    long blockBytes =
        conf.getLongBytes(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, DFSConfigKeys.DFS_BLOCK_SIZE_DEFAULT);
    long prefetchBytes =
        conf.getLong(HdfsClientConfigKeys.Read.PREFETCH_SIZE_KEY, BLOCKS_OF_PREFETCH * blockBytes);
    var nodes = nameNode.getNamesystem().getBlockManager().getDatanodeManager();
    return new Looks(
        nodes.getNetworkTopology() instanceof TierwiseTopology ours ? ours : null, prefetchBytes);
  }

  /** To be called by the thread that handled the call. */
  void answered(GetBlockLocationsRequestProto asked, GetBlockLocationsResponseProto answer) {
    if (topology != null && answer.hasLocations()) {
      long fileBytes = answer.getLocations().getFileLength();
      if (isLook(asked.getOffset(), asked.getLength(), fileBytes, prefetchBytes)) {
        topology.onlyLooked();
      }
    }
  }

  static boolean isLook(long offset, long bytes, long fileBytes, long prefetchBytes) {
    boolean whole = offset == 0 && (bytes == fileBytes || bytes == Long.MAX_VALUE);
    return whole && bytes != prefetchBytes;
  }
}
