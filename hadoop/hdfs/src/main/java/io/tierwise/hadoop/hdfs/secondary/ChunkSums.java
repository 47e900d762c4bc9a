package io.tierwise.hadoop.hdfs.secondary;

import java.util.Arrays;
import java.util.zip.CRC32C;

/** Checksums of bytes that pass: of all, and of each chunk, so that a part can be checked, too. */
public final class ChunkSums {
  /** Own: 4 bytes for each 256 KiB; a small read costs no more than that. */
  public static final int CHUNK_BYTES = 256 << 10;

  private final int chunkBytes;
  private final CRC32C whole = new CRC32C();
  private final CRC32C chunk = new CRC32C();
  private int[] sums = new int[16];
  private int count;
  private int inChunk;
  private long bytes;

  public ChunkSums(int chunkBytes) {
    this.chunkBytes = chunkBytes;
  }

  /** Takes bytes in. */
  public void update(byte[] from, int offset, int length) {
    whole.update(from, offset, length);
    bytes += length;
    int at = offset;
    int left = length;
    while (left > 0) {
      int step = Math.min(left, chunkBytes - inChunk);
      chunk.update(from, at, step);
      inChunk += step;
      at += step;
      left -= step;
      if (inChunk == chunkBytes) {
        endChunk();
      }
    }
  }

  private void endChunk() {
    if (count == sums.length) {
      sums = Arrays.copyOf(sums, 2 * count);
    }
    sums[count++] = (int) chunk.getValue();
    chunk.reset();
    inChunk = 0;
  }

  /** The checksums of all chunks; the end of the bytes ends the last. */
  public int[] chunks() {
    if (inChunk > 0) {
      endChunk();
    }
    return Arrays.copyOf(sums, count);
  }

  /** CRC-32C of all bytes. */
  public int whole() {
    return (int) whole.getValue();
  }

  /** Bytes that have passed. */
  public long bytes() {
    return bytes;
  }

  /** A checksum as people and JSON have it. */
  public static String text(int sum) {
    return String.format("%08x", sum);
  }
}
