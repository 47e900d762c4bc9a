package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import java.io.IOException;

/** A copy whose description cannot be read: people have to look whose it is. */
final class UnknownCopyException extends IOException {
  private static final long serialVersionUID = 1L;

  UnknownCopyException(StoredCopy copy, IOException cause) {
    super(
        "the copy "
            + copy.data()
            + " stays, since its description cannot be read, which would tell whose it is ("
            + FaultLine.of(cause)
            + "): look at it, and move it and its .meta away",
        cause);
  }
}
