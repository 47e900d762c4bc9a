package io.tierwise.hadoop.secondary;

import java.io.IOException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Looks whether HDFS still has a file's bytes, before a copy of them goes that may be the last one.
 * The NameNode knows which replicas are corrupt, and takes DataNodes that died for alive for ten
 * minutes; so a DataNode is asked for the checksums of each block, too.
 */
final class HeldBytes {
  private HeldBytes() {}

  /**
   * Asks both; no byte of the file is read.
   *
   * @throws IOException one line, when some bytes are lost or their DataNodes do not answer
   */
  static void require(DistributedFileSystem fs, PrimaryFile file) throws IOException {
    String path = file.idPath().toString();
    for (LocatedBlock block :
        fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
      if (block.isCorrupt() || block.getLocations().length == 0) {
        throw lost(block.getBlock() + " has no whole replica", null);
      }
    }
    try {
      fs.getFileChecksum(file.idPath());
    } catch (IOException e) {
      throw lost(FaultLine.of(e), e);
    }
  }

  private static IOException lost(String why, IOException cause) {
    return new IOException(
        "HDFS cannot give all of its bytes, and its copy, which may be the last one, stays; see"
            + " 'hdfs fsck PATH -files -blocks -locations' ("
            + why
            + ")",
        cause);
  }
}
