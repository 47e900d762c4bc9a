package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import java.io.IOException;
import java.nio.file.AccessDeniedException;

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
            + hint(cause),
        cause);
  }

  private static String hint(IOException cause) {
    return cause instanceof AccessDeniedException
        ? ": see whether it takes this user's keys (of s3a: fs.s3a.access.key, fs.s3a.secret.key or"
            + " fs.s3a.aws.credentials.provider), which must read, write, list and delete there"
        : ": see whether it is up, mounted and has room";
  }

  private static String line(IOException cause) {
    return cause.getMessage() == null
        ? "no message"
        : cause.getMessage().lines().findFirst().orElse("no message");
  }
}
