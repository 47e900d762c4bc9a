package io.tierwise.policies.placement;

import io.tierwise.core.view.FileView;

/**
 * Draws that are the same for every block of a file, so that the whole file ends up in the tiers
 * and regions drawn.
 */
final class FileHash {
  private FileHash() {}

  /** A number from 0 to before {@code bound}, spread evenly over file ids. */
  static int below(int bound, FileView file) {
    return (int) Long.remainderUnsigned(mix(file.fileId()), bound);
  }

  /** A number for the file and {@code name}, unrelated to those for other names. */
  static long of(FileView file, String name) {
    return mix(mix(file.fileId()) ^ name.hashCode());
  }

  /** The finalizer of SplitMix64: neighbouring inode ids give unrelated numbers. */
  private static long mix(long value) {
    long mixed = value + 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
