package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.apache.hadoop.security.AccessControlException;

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
            + hint(store, cause),
        cause);
  }

  /** S3A says it by Java's exception, HDFS by Hadoop's, and a mounted directory by either. */
  private static String hint(SecondaryStore store, IOException cause) {
    if (!(cause instanceof AccessDeniedException || cause instanceof AccessControlException)) {
      return ": see whether it is up, mounted and has room";
    }
    return "s3a".equals(store.root().toUri().getScheme())
        ? ": see whether it takes this user's keys (fs.s3a.access.key, fs.s3a.secret.key or"
            + " fs.s3a.aws.credentials.provider), which must read, write, list and delete there"
        : ": see whether this user may read, write, list and delete there";
  }

  private static String line(IOException cause) {
    return cause.getMessage() == null
        ? "no message"
        : cause.getMessage().lines().findFirst().orElse("no message");
  }
}
