package io.tierwise.hadoop.secondary;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.security.AccessControlException;

/** Says in one line for people what went wrong with a file. */
final class FaultLine {
  private FaultLine() {}

  static String of(Exception e) {
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
