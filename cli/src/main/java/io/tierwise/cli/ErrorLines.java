package io.tierwise.cli;

import io.tierwise.cli.output.Output;
import io.tierwise.core.message.OperatorException;
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
    Throwable cause = FailureText.cause(thrown);
    Output.say(command.getCommandSpec(), FailureText.line(cause));
    if (System.getenv("TIERWISE_DEBUG") != null) {
      thrown.printStackTrace(command.getErr());
    }
    return exitCode(cause);
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
