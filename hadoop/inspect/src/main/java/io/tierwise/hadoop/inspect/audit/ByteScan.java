package io.tierwise.hadoop.inspect.audit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Looks for bytes in lines, eight at a time. */
final class ByteScan {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  private ByteScan() {}

  /**
   * Up to eight characters that are compared at once.
   *
   * @param bytes as eight bytes of a line are read, lowest first
   * @param mask of those that count
   */
  record Word(long bytes, long mask, int length) {
    static Word of(String text) {
      byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
      if (ascii.length > Long.BYTES) {
        throw new IllegalArgumentException(text + " is longer than a word");
      }
      byte[] word = Arrays.copyOf(ascii, Long.BYTES);
      long mask = ascii.length == Long.BYTES ? -1 : (1L << (Byte.SIZE * ascii.length)) - 1;
      return new Word((long) LONGS.get(word, 0), mask, ascii.length);
    }

    byte first() {
      return (byte) bytes;
    }
  }

  /**
   * Index of the first such byte, or -1.
   *
   * <p>Source: the test for a zero byte in a word of H. Warren, Hacker's Delight, 2nd ed., 6-1: the
   * lowest high bit that remains is that of the first zero byte.
   */
  static int indexOf(byte[] bytes, int from, int to, byte wanted) {
    long pattern = ONES * (wanted & 0xff);
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      long zeroed = (long) LONGS.get(bytes, at) ^ pattern;
      long found = (zeroed - ONES) & ~zeroed & HIGHS;
      if (found != 0) {
        return at + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == wanted) {
        return at;
      }
    }
    return -1;
  }

  /** Index of the first such word, or -1. */
  static int indexOf(byte[] bytes, int from, int to, Word wanted) {
    int at = indexOf(bytes, from, to, wanted.first());
    while (at >= 0 && !startsWith(bytes, at, to, wanted)) {
      at = indexOf(bytes, at + 1, to, wanted.first());
    }
    return at;
  }

  static boolean startsWith(byte[] bytes, int from, int to, Word wanted) {
    if (from + wanted.length() > to) {
      return false;
    }
    if (from + Long.BYTES <= bytes.length) {
      return (((long) LONGS.get(bytes, from) ^ wanted.bytes()) & wanted.mask()) == 0;
    }
    for (int i = 0; i < wanted.length(); i++) {
      if (bytes[from + i] != (byte) (wanted.bytes() >>> (Byte.SIZE * i))) {
        return false;
      }
    }
    return true;
  }
}
