package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.inspect.cluster.FailureText;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.security.AccessControlException;

/** Says in one line for people what went wrong with a file. */
final class FaultLine {
  private FaultLine() {}

  /** Without the names of files that runs make, so that many files with one fault make one line. */
  static String of(Exception e) {
    return WorkName.general(line(e));
  }

  private static String line(Exception e) {
    if (FailureText.cause(e) instanceof SafeModeException safeMode) {
      return FailureText.line(safeMode);
    }
    String message =
        e.getMessage() == null ? "" : e.getMessage().lines().findFirst().orElse("").strip();
    if (e instanceof AccessControlException) {
      return "no permission: " + message;
    }
    boolean ours =
        e instanceof FileNotFoundException
            || e instanceof StoreException
            || e instanceof UnknownCopyException;
    if (!message.isEmpty() && (ours || e.getClass() == IOException.class)) {
      return message;
    }
    return e.getClass().getSimpleName() + ": " + message;
  }
}
