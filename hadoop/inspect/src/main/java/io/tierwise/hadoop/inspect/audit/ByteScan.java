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

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
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

  /** Index of the first such sequence, or -1. */
  static int indexOf(byte[] bytes, int from, int to, byte[] wanted) {
    int at = indexOf(bytes, from, to, wanted[0]);
    while (at >= 0 && !startsWith(bytes, at, to, wanted)) {
      at = indexOf(bytes, at + 1, to, wanted[0]);
    }
    return at;
  }

  static boolean startsWith(byte[] bytes, int from, int to, byte[] wanted) {
    return from + wanted.length <= to
        && Arrays.equals(bytes, from, from + wanted.length, wanted, 0, wanted.length);
  }
}
