package io.tierwise.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * One run of the command line inside the test's JVM. Every answer to {@code --json} is checked
 * against the command's schema.
 *
 * @param exitCode what the process would have ended with
 * @param out standard output
 * @param err standard error
 */
public record CommandRun(int exitCode, String out, String err) {
  public static CommandRun of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = TierwiseCommand.commandLineFor(arguments);
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    int exitCode = line.execute(arguments);
    JsonSchemas.check(line, out.toString());
    return new CommandRun(exitCode, out.toString(), err.toString());
  }

  /** Standard output with what was folded in one line again, and blanks in a row as one. */
  public String unfolded() {
    return unfolded(out);
  }

  public static String unfolded(String text) {
    return text.replaceAll("\\R {2,}", " ").replaceAll(" +", " ");
  }
}
