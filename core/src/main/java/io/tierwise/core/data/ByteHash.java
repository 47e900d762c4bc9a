package io.tierwise.core.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Hashes names that others choose to 64 bits; the same in every process that has the same seed. */
public final class ByteHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private ByteHash() {}

  /**
   * Hashes a part of an array, eight bytes a step.
   *
   * <p>Own: the step keeps the upper half of a 128-bit product, so that a change of any byte
   * reaches all bits before the next eight come in.
   *
   * @param to index behind the last byte
   */
  public static long hash(byte[] bytes, int from, int to, long seed) {
    long hash = seed ^ (to - from);
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      hash = step(hash, (long) LONGS.get(bytes, at));
    }
    if (at < to) {
      long last = 0;
      for (int shift = 0; at < to; at++, shift += Byte.SIZE) {
        last |= (bytes[at] & 0xffL) << shift;
      }
      hash = step(hash, last);
    }
    return IdHash.mix(hash);
  }

  private static long step(long hash, long word) {
    long mixed = hash ^ word;
    long factor = 0x9e3779b97f4a7c15L;
    return (mixed * factor) ^ Math.multiplyHigh(mixed, factor) ^ Long.rotateLeft(hash, 23);
  }
}
