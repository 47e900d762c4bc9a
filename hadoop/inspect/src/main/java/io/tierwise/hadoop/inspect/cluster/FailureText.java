package io.tierwise.hadoop.inspect.cluster;

import io.tierwise.core.message.FileReason;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import java.io.FileNotFoundException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.FileSystemException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;

/** Says to an operator why a call failed: one line, in our words where Hadoop's do not help. */
public final class FailureText {
  private static final int LINE_CHARACTERS_MAX = 400;

  /** The address in Hadoop's sentence about a call that failed. */
  private static final Pattern CALLED = Pattern.compile(" to (\\S+:\\d+) failed");

  /** The time in Hadoop's sentence about a connection that was made, over which nothing came. */
  private static final Pattern SILENT =
      Pattern.compile("(\\d+) millis timeout while waiting for channel to be ready for read");

  /** How HDFS begins its sentence about a path. */
  private static final Pattern NOT_THERE = Pattern.compile("^File does not exist: ");

  private FailureText() {}

  /** The NameNode's own error, not the call's. */
  public static Throwable cause(Throwable thrown) {
    if (thrown instanceof IllegalArgumentException
        && thrown.getCause() instanceof UnknownHostException unknown) {
      // How Hadoop says that the host of fs.defaultFS has no address.
      return unknown;
    }
    return thrown instanceof RemoteException remote
        ? remote.unwrapRemoteException(
            AccessControlException.class,
            SafeModeException.class,
            StandbyException.class,
            FileNotFoundException.class)
        : thrown;
  }

  /** The line, where Kerberos refuses: no later call fares better until somebody acts on it. */
  public static Optional<String> ofKerberos(Throwable thrown) {
    return KerberosText.of(cause(thrown));
  }

  /** The line of a {@link #cause}. */
  public static String line(Throwable cause) {
    if (isOurs(cause)) {
      // One line by promise: a newline in it is a name's, and what to change stands behind it.
      return Words.plain(cause.getMessage());
    }
    if (cause instanceof IllegalArgumentException) {
      // About an option. It is not cut, since it ends with what is allowed.
      return firstLine(cause.getMessage());
    }
    String message = cut(firstLine(cause.getMessage()));
    Optional<String> kerberos = KerberosText.of(cause);
    if (kerberos.isPresent()) {
      return kerberos.get();
    }
    if (cause instanceof SafeModeException) {
      return "the NameNode is in safe mode and changes nothing: wait, or run"
          + " 'hdfs dfsadmin -safemode leave' ("
          + message
          + ")";
    }
    if (cause instanceof StandbyException) {
      return "no NameNode is active ("
          + message
          + "): see 'hdfs haadmin -getAllServiceState', and make one active";
    }
    if (cause instanceof AccessControlException) {
      return "no permission: " + message;
    }
    if (cause instanceof FileNotFoundException) {
      return "no such path: " + NOT_THERE.matcher(message).replaceFirst("");
    }
    Optional<String> unreachable = unreachable(cause);
    if (unreachable.isPresent()) {
      Matcher address = CALLED.matcher(message);
      String nameNode = "the NameNode" + (address.find() ? " " + address.group(1) : "");
      Matcher silent = SILENT.matcher(message);
      if (silent.find()) {
        return String.format(
            Locale.ROOT,
            "%s takes connections and has not answered for %s s: its process hangs or is very busy;"
                + " -D %s=60000 waits longer",
            nameNode,
            Long.parseLong(silent.group(1)) / 1e3,
            ClusterConnection.ANSWER);
      }
      return nameNode
          + " cannot be reached ("
          + unreachable.get()
          + "); check --fs or HADOOP_CONF_DIR";
    }
    return cause instanceof FileSystemException file
        ? FileReason.of(file)
        : cause.getClass().getSimpleName() + ": " + message;
  }

  /** An operator's mistake: one that is told as such, or one in a scenario or a tier table. */
  private static boolean isOurs(Throwable cause) {
    return cause instanceof OperatorException
        || (cause instanceof IllegalArgumentException
            && cause.getClass().getName().startsWith("io.tierwise."));
  }

  private static Optional<String> unreachable(Throwable cause) {
    if (cause instanceof NoRouteToHostException) {
      return Optional.of("no route to its host");
    }
    if (cause instanceof ConnectException) {
      return Optional.of("connection refused");
    }
    if (cause instanceof SocketTimeoutException) {
      return Optional.of("no answer in time");
    }
    return cause instanceof UnknownHostException
        ? Optional.of("unknown host " + firstLine(cause.getMessage()))
        : Optional.empty();
  }

  static String firstLine(String message) {
    if (message == null || message.isBlank()) {
      return "no message";
    }
    return message.lines().findFirst().orElse("").strip();
  }

  private static String cut(String line) {
    return line.length() <= LINE_CHARACTERS_MAX
        ? line
        : line.substring(0, LINE_CHARACTERS_MAX) + "...";
  }
}
