package io.tierwise.cli;

import io.tierwise.cli.output.Output;
import java.io.FileNotFoundException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Turns what a command threw into one line on standard error and an exit code. The stack trace is
 * printed only when the environment variable {@code TIERWISE_DEBUG} is set.
 */
public final class ErrorLines implements IExecutionExceptionHandler {
  private static final int LINE_CHARACTERS_MAX = 400;

  @Override
  public int handleExecutionException(Exception thrown, CommandLine command, ParseResult result) {
    Throwable cause = unwrapped(thrown);
    Output.say(command.getCommandSpec(), line(cause));
    if (System.getenv("TIERWISE_DEBUG") != null) {
      thrown.printStackTrace(command.getErr());
    }
    return exitCode(cause);
  }

  private static Throwable unwrapped(Throwable thrown) {
    return thrown instanceof RemoteException remote
        ? remote.unwrapRemoteException(
            AccessControlException.class, SafeModeException.class, FileNotFoundException.class)
        : thrown;
  }

  static int exitCode(Throwable cause) {
    if (cause instanceof OperatorException operator) {
      return operator.exitCode();
    }
    return cause instanceof IllegalArgumentException || cause instanceof FileNotFoundException
        ? OperatorException.BAD_INPUT
        : OperatorException.CLUSTER;
  }

  static String line(Throwable cause) {
    String message = firstLine(cause.getMessage());
    if (cause instanceof OperatorException || cause instanceof IllegalArgumentException) {
      return message;
    }
    Optional<String> kerberos = KerberosLines.of(cause);
    if (kerberos.isPresent()) {
      return kerberos.get();
    }
    if (cause instanceof SafeModeException) {
      return "the NameNode is in safe mode and changes nothing: wait, or run"
          + " 'hdfs dfsadmin -safemode leave' ("
          + message
          + ")";
    }
    if (cause instanceof AccessControlException) {
      return "no permission: " + message;
    }
    if (cause instanceof FileNotFoundException) {
      return "no such path: " + message;
    }
    if (cause instanceof ConnectException
        || cause instanceof NoRouteToHostException
        || cause instanceof SocketTimeoutException
        || cause instanceof UnknownHostException) {
      return "the NameNode cannot be reached; check --fs or HADOOP_CONF_DIR: " + message;
    }
    return cause.getClass().getSimpleName() + ": " + message;
  }

  private static String firstLine(String message) {
    if (message == null || message.isBlank()) {
      return "no message";
    }
    String line = message.lines().findFirst().orElse("").strip();
    return line.length() <= LINE_CHARACTERS_MAX
        ? line
        : line.substring(0, LINE_CHARACTERS_MAX) + "...";
  }
}
