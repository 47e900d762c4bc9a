package io.tierwise.hadoop.inspect.audit;

/**
 * Takes checksums off the bytes that a DataNode says it sent.
 *
 * <p>Sent are whole chunks of {@code c} bytes of data, the last one of a block may be shorter, each
 * with {@code s} bytes of checksum: of {@code t} bytes {@code t - s * ceil(t / (c + s))} are data.
 * These are whole chunks: a reader of one byte is sent {@code c}.
 *
 * @param chunkBytes {@code dfs.bytes-per-checksum} of who wrote the file
 * @param checksumBytes 4, or 0 for files that were written without
 */
public record ChecksummedBytes(int chunkBytes, int checksumBytes) {
  /** What HDFS does unless it is told otherwise. */
  public static final ChecksummedBytes DEFAULT = new ChecksummedBytes(512, 4);

  /** The data of so many bytes sent. */
  long data(long sentBytes) {
    long chunk = chunkBytes + (long) checksumBytes;
    long chunks = sentBytes / chunk + (sentBytes % chunk == 0 ? 0 : 1);
    return Math.max(0, sentBytes - checksumBytes * chunks);
  }
}
