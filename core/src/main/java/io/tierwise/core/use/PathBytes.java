package io.tierwise.core.use;

import java.nio.charset.StandardCharsets;

/**
 * A path in UTF-8 inside a larger array. The owner sets it anew for each access: whoever wants to
 * keep it copies it.
 */
public final class PathBytes {
  private byte[] bytes = new byte[0];
  private int from;
  private int to;

  /** The bytes of a text. */
  public static PathBytes of(String text) {
    PathBytes path = new PathBytes();
    path.set(text);
    return path;
  }

  /** Stands for a part of an array, which is not copied. */
  public void set(byte[] array, int first, int end) {
    bytes = array;
    from = first;
    to = end;
  }

  /** Stands for a text. */
  public void set(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    set(encoded, 0, encoded.length);
  }

  public byte[] array() {
    return bytes;
  }

  /** Index of the first byte in the array. */
  public int from() {
    return from;
  }

  /** Index behind the last byte in the array. */
  public int to() {
    return to;
  }

  public int length() {
    return to - from;
  }

  @Override
  public String toString() {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
