package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.inspect.cluster.FailureText;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.SecretManager;

/**
 * Tells what HDFS has against the change of one path from what stops all changes. A job that
 * changes many paths leaves the one out, says why, and goes on.
 */
public final class PathRefusal {
  /** Of a NameNode that has yet to begin, or is too busy, and of a token that it knows no more. */
  private static final Set<String> OF_ALL =
      Set.of(RetriableException.class.getName(), SecretManager.InvalidToken.class.getName());

  private PathRefusal() {}

  /**
   * Why HDFS does not change the path, for people; empty for an error that the next path would meet
   * as well, as where no NameNode answers, or it is in safe mode.
   */
  public static Optional<String> of(IOException why) {
    Throwable cause = FailureText.cause(why);
    if (cause instanceof AccessControlException) {
      return Optional.of("this user has no permission to change it");
    }
    boolean ofThePath =
        cause instanceof FileNotFoundException
            || cause instanceof QuotaExceededException
            || (cause instanceof RemoteException remote && !OF_ALL.contains(remote.getClassName()));
    return ofThePath ? Optional.of(FailureText.line(cause)) : Optional.empty();
  }
}
