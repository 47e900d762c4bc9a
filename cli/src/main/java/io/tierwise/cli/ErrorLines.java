package io.tierwise.cli;

import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.ReaderGone;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import java.io.FileNotFoundException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Turns what a command threw into one line on standard error and an exit code. The stack trace is
 * printed only when the environment variable {@code TIERWISE_DEBUG} is set.
 */
public final class ErrorLines implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(Exception thrown, CommandLine command, ParseResult result) {
    if (thrown instanceof ReaderGone) {
      return ExitCode.UNREAD; // as quiet as a program that SIGPIPE ends
    }
    Throwable cause = FailureText.cause(thrown);
    Output.say(command.getCommandSpec(), FailureText.line(cause));
    if (System.getenv("TIERWISE_DEBUG") != null) {
      thrown.printStackTrace(command.getErr());
    }
    return exitCode(cause);
  }

  /**
   * Runs the command that was named. Picocli hands over exceptions and no errors; but a policy of
   * another jar may throw one, as when it was made for another version.
   */
  static int execute(ParseResult parsed) {
    Thread thread = Thread.currentThread();
    // A command with --conf puts another one in its place, which is for that command alone.
    ClassLoader loader = thread.getContextClassLoader();
    try {
      return new CommandLine.RunLast().execute(parsed);
    } catch (Error e) {
      ParseResult named = parsed;
      while (named.hasSubcommand()) {
        named = named.subcommand();
      }
      String line = e instanceof OutOfMemoryError ? tooLittleMemory() : FailureText.line(e);
      throw new CommandLine.ExecutionException(
          named.commandSpec().commandLine(), line, OperatorException.cluster(line, e));
    } finally {
      thread.setContextClassLoader(loader);
    }
  }

  private static String tooLittleMemory() {
    long maxBytes = Runtime.getRuntime().maxMemory();
    return "it needs more memory than the JVM may use, "
        + Words.bytes(maxBytes)
        + ": set TIERWISE_JAVA_OPTS=-Xmx"
        + (2 * (maxBytes >> 30) + 2)
        + "g or more, or ask for less at once";
  }

  static int exitCode(Throwable cause) {
    if (cause instanceof OperatorException operator) {
      return operator.kind() == OperatorException.Kind.BAD_INPUT
          ? ExitCode.BAD_INPUT
          : ExitCode.CLUSTER;
    }
    return cause instanceof IllegalArgumentException || cause instanceof FileNotFoundException
        ? ExitCode.BAD_INPUT
        : ExitCode.CLUSTER;
  }
}
