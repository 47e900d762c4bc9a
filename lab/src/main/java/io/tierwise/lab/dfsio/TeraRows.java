package io.tierwise.lab.dfsio;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Rows of 100 bytes like TeraGen's: a key of 10 random bytes, 2 bytes between, the row's number in
 * 32 hexadecimal digits, 4 bytes between, 48 bytes of filler, 4 bytes at the end. Deviation: the
 * key's random numbers are not TeraGen's.
 */
final class TeraRows implements BenchContent {
  static final int ROW_BYTES = 100;

  private static final int KEY_BYTES = 10;
  private static final int NUMBER_DIGITS = 32;
  private static final int FILLER_START = 48;
  private static final int FILLER_BYTES = 48;
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

  private final SplittableRandom random;
  private final byte[] row = new byte[ROW_BYTES];
  private long rowNumber;
  private int rowPosition = ROW_BYTES;

  TeraRows(long seed) {
    random = new SplittableRandom(seed);
    rowNumber = seed << 32;
  }

  @Override
  public void fill(byte[] buffer) {
    int filled = 0;
    while (filled < buffer.length) {
      if (rowPosition == ROW_BYTES) {
        makeRow();
      }
      int count = Math.min(ROW_BYTES - rowPosition, buffer.length - filled);
      System.arraycopy(row, rowPosition, buffer, filled, count);
      filled += count;
      rowPosition += count;
    }
  }

  private void makeRow() {
    long key = random.nextLong();
    ByteBuffer fields = ByteBuffer.wrap(row);
    fields.putLong(key).putShort((short) random.nextInt());
    fields.put((byte) 0x00).put((byte) 0x11);
    for (int digit = 0; digit < NUMBER_DIGITS; digit++) {
      int shift = 4 * (NUMBER_DIGITS - 1 - digit);
      fields.put(shift >= Long.SIZE ? HEX[0] : HEX[(int) (rowNumber >>> shift) & 0xF]);
    }
    fields.putInt(0x8899AABB);
    for (int i = 0; i < FILLER_BYTES; i++) {
      row[FILLER_START + i] = HEX[(int) (key >>> (4 * (i / 4))) & 0xF];
    }
    fields.position(ROW_BYTES - 4).putInt(0xCCDDEEFF);
    rowNumber++;
    rowPosition = 0;
  }

  static byte[] keyOf(byte[] row) {
    byte[] key = new byte[KEY_BYTES];
    System.arraycopy(row, 0, key, 0, KEY_BYTES);
    return key;
  }
}
