package io.tierwise.hadoop.secondary;

import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** A store that says the same of its room, whatever else its disk is used for. */
public final class SmallFileSystem extends RawLocalFileSystem {
  static final long CAPACITY_BYTES = 1000L << 20;
  static final long REMAINING_BYTES = 500L << 20;

  @Override
  public FsStatus getStatus(Path path) {
    return new FsStatus(CAPACITY_BYTES, CAPACITY_BYTES - REMAINING_BYTES, REMAINING_BYTES);
  }
}
