package io.tierwise.policies.placement;

import io.tierwise.core.data.IdHash;
import io.tierwise.core.view.FileView;

/**
 * Draws that are the same for every block of a file, so that the whole file ends up in the tiers
 * and regions drawn.
 */
final class FileHash {
  private FileHash() {}

  /** A number from 0 to before {@code bound}, spread evenly over file ids. */
  static int below(int bound, FileView file) {
    return (int) Long.remainderUnsigned(IdHash.mix(file.fileId()), bound);
  }

  /** A number for the file and {@code name}, unrelated to those for other names. */
  static long of(FileView file, String name) {
    return IdHash.mix(IdHash.mix(file.fileId()) ^ name.hashCode());
  }
}
