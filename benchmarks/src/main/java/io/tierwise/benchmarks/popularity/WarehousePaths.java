package io.tierwise.benchmarks.popularity;

import io.tierwise.core.data.IdHash;
import java.nio.charset.StandardCharsets;

/**
 * Paths as a warehouse has them, by number and without making a text of each: 100 files a
 * partition, 100 partitions a table, names as Spark writes them. 138 bytes each.
 */
final class WarehousePaths {
  private static final byte[] TEMPLATE =
      ("/warehouse/tablespace/managed/hive/sales0000.db/table0000/dt=2026-0000/"
              + "part-00000-00000000-0000-4000-8000-000000000000.c000.snappy.parquet")
          .getBytes(StandardCharsets.US_ASCII);
  private static final int DATABASE = text("sales") + 5;
  private static final int TABLE = text("table0") + 5;
  private static final int PARTITION = text("2026-") + 5;
  private static final int FILE = text("part-") + 5;
  private static final int UUID = FILE + 6;
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /** Bytes of a path. */
  static final int LENGTH = TEMPLATE.length;

  private WarehousePaths() {}

  private static int text(String part) {
    return new String(TEMPLATE, StandardCharsets.US_ASCII).indexOf(part);
  }

  /** Writes the path of a file into an array. */
  static void write(long file, byte[] into, int at) {
    System.arraycopy(TEMPLATE, 0, into, at, LENGTH);
    digits(file % 100, 5, into, at + FILE);
    digits(file / 100 % 100, 4, into, at + PARTITION);
    digits(file / 10_000 % 10_000, 4, into, at + TABLE);
    digits(file / 100_000_000, 4, into, at + DATABASE);
    long random = IdHash.mix(file);
    for (int i = 0; i < 8; i++) {
      into[at + UUID + i] = HEX[(int) ((random >>> (4 * i)) & 15)];
    }
  }

  private static void digits(long number, int count, byte[] into, int at) {
    long rest = number;
    for (int i = at + count - 1; i >= at; i--) {
      into[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }
}
