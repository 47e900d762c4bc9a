package io.tierwise.hadoop.hdfs;

/** Numbers made of texts: the same in every process, and different ones for different texts. */
public final class TextNumber {
  private static final long BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private TextNumber() {}

  /** FNV-1a, of 64 bits. */
  public static long of(String text) {
    long hash = BASIS;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * PRIME;
    }
    return hash;
  }
}
