package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import java.io.IOException;

/** The secondary store failed to do what it was asked. The next file would fail, too. */
final class StoreException extends IOException {
  private static final long serialVersionUID = 1L;

  StoreException(SecondaryStore store, String what, IOException cause) {
    super(
        "the secondary store "
            + store
            + " "
            + what
            + (cause == null
                ? ""
                : " (" + cause.getClass().getSimpleName() + ": " + line(cause) + ")")
            + ": see whether it is up, mounted and has room",
        cause);
  }

  private static String line(IOException cause) {
    return cause.getMessage() == null
        ? "no message"
        : cause.getMessage().lines().findFirst().orElse("no message");
  }
}
