package io.tierwise.lab.dfsio;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** Writes or reads one task's file through a client and takes its figures. */
final class DfsioFile {
  /** Own: TestDFSIO's own buffer is 1,000,000 bytes; smaller ones show progress sooner. */
  private static final int BUFFER_BYTES = 256 << 10;

  private static final String UNKNOWN_TIER = "unknown";

  private final FileSystem client;
  private final TierConfiguration tiers;
  private final LongConsumer progress;

  /**
   * @param progress is told the bytes of each step, from many threads
   */
  DfsioFile(FileSystem client, TierConfiguration tiers, LongConsumer progress) {
    this.client = client;
    this.tiers = tiers;
    this.progress = progress;
  }

  /**
   * Writes the file into a folder that is there: when a run is interrupted, its folder is removed
   * while the NameNode may still have a task's call before it, and nothing is to bring it back.
   */
  TaskFigures write(DfsioTask task, short replication, long blockBytes) throws IOException {
    BenchContent content = BenchContent.of(task.kind(), task.seed());
    CRC32C checksum = new CRC32C();
    byte[] buffer = new byte[BUFFER_BYTES];
    FSDataOutputStream out =
        client
            .createFile(new Path(task.path()))
            .overwrite(true)
            .bufferSize(BUFFER_BYTES)
            .replication(replication)
            .blockSize(blockBytes)
            .build();
    long start = System.nanoTime();
    try (out) {
      for (long left = task.bytes(); left > 0; left -= buffer.length) {
        content.fill(buffer);
        int count = (int) Math.min(left, buffer.length);
        checksum.update(buffer, 0, count);
        out.write(buffer, 0, count);
        progress.accept(count);
      }
    }
    return new TaskFigures(
        task.index(),
        task.bytes(),
        System.nanoTime() - start,
        checksum.getValue(),
        Map.of(),
        Map.of(),
        List.of());
  }

  /**
   * Reads the file.
   *
   * @throws IOException also when the content is not what was written
   */
  TaskFigures read(DfsioTask task) throws IOException {
    CRC32C checksum = new CRC32C();
    Map<String, Long> byTier = new HashMap<>();
    Map<BenchPlace.Distance, Long> byDistance = new EnumMap<>(BenchPlace.Distance.class);
    List<String> sources = new ArrayList<>();
    ExtendedBlock block = null;
    byte[] buffer = new byte[BUFFER_BYTES];
    long bytes = 0;
    long nanos;
    try (FSDataInputStream in = client.open(new Path(task.path()))) {
      long start = System.nanoTime();
      int count = in.read(buffer);
      while (count > 0) {
        checksum.update(buffer, 0, count);
        bytes += count;
        // One call never crosses a block: the stream reads all of it from its current node.
        if (in instanceof HdfsDataInputStream hdfs && hdfs.getCurrentDatanode() != null) {
          DatanodeInfo node = hdfs.getCurrentDatanode();
          byTier.merge(tierOf(node), (long) count, Long::sum);
          byDistance.merge(task.place().to(node), (long) count, Long::sum);
          if (!hdfs.getCurrentBlock().equals(block)) {
            block = hdfs.getCurrentBlock();
            sources.add(node.getHostName());
          }
        }
        progress.accept(count);
        count = in.read(buffer);
      }
      nanos = System.nanoTime() - start;
    }
    if (bytes != task.bytes() || checksum.getValue() != task.checksum()) {
      throw new IOException(
          task.path() + ": read " + bytes + " bytes whose content is not what was written");
    }
    return new TaskFigures(
        task.index(), bytes, nanos, checksum.getValue(), byTier, byDistance, sources);
  }

  private String tierOf(DatanodeInfo node) {
    if (!(node instanceof DatanodeInfoWithStorage storage)) {
      return UNKNOWN_TIER;
    }
    int tier =
        tiers
            .matcher()
            .tierOf(
                storage.getStorageType(),
                node.getNetworkLocation(),
                node.getHostName(),
                storage.getStorageID());
    return tier == TierTable.NONE ? UNKNOWN_TIER : tiers.table().tier(tier).name();
  }
}
