package io.tierwise.hadoop.hdfs.client;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.hadoop.crypto.CryptoInputStream;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** The stream that a user gets whose reads are timed; shows the untimed one as wrapped stream. */
final class TimedDataInputStream extends HdfsDataInputStream {
  private final DFSInputStream blocks;
  private final InputStream untimed;

  private TimedDataInputStream(DFSInputStream plain, StreamReads reads) {
    super(plain);
    blocks = plain;
    untimed = plain;
    in = new TimedStream<>(plain, reads, () -> reads.leaves(plain));
  }

  private TimedDataInputStream(
      CryptoInputStream decrypting, DFSInputStream blocks, StreamReads reads) {
    super(decrypting);
    this.blocks = blocks;
    untimed = decrypting;
    in = new TimedStream<>(decrypting, reads, () -> reads.leaves(blocks));
  }

  static HdfsDataInputStream of(
      HdfsDataInputStream stream, DFSInputStream blocks, StreamReads reads) {
    return stream.getWrappedStream() instanceof CryptoInputStream decrypting
        ? new TimedDataInputStream(decrypting, blocks, reads)
        : new TimedDataInputStream(blocks, reads);
  }

  @Override
  public InputStream getWrappedStream() {
    return untimed;
  }

  @Override
  public DatanodeInfo getCurrentDatanode() {
    return blocks.getCurrentDatanode();
  }

  @Override
  public ExtendedBlock getCurrentBlock() {
    return blocks.getCurrentBlock();
  }

  @Override
  public List<LocatedBlock> getAllBlocks() throws IOException {
    return blocks.getAllBlocks();
  }

  @Override
  public long getVisibleLength() {
    return blocks.getFileLength();
  }

  @Override
  public ReadStatistics getReadStatistics() {
    return blocks.getReadStatistics();
  }

  @Override
  public void clearReadStatistics() {
    blocks.clearReadStatistics();
  }
}
