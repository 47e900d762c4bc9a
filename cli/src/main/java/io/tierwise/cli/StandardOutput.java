package io.tierwise.cli;

import io.tierwise.cli.output.Output;
import io.tierwise.core.message.FileReason;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/**
 * The process's standard output, which remembers why it could not be written. Java's own only knows
 * that something failed, so an answer that a full disk cuts would end with success.
 */
final class StandardOutput extends FilterOutputStream {
  private static final Path OPENED = Path.of("/proc/self/fd/1");

  private volatile IOException failure;

  private StandardOutput(OutputStream file) {
    super(file);
  }

  /** Puts it in the place of Java's own; before anything is printed. */
  static StandardOutput install() {
    StandardOutput output = new StandardOutput(new FileOutputStream(FileDescriptor.out));
    // Java 17 and later ones name the terminal's encoding differently.
    String encoding =
        System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding"));
    Charset charset = encoding == null ? Charset.defaultCharset() : Charset.forName(encoding);
    System.setOut(new PrintStream(new BufferedOutputStream(output), true, charset));
    return output;
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    try {
      out.write(bytes, from, count);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  @Override
  public void write(int oneByte) throws IOException {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  /**
   * The exit code of a command whose answer is written as far as it will ever be: another one where
   * it is cut, which is said.
   *
   * @param code of the command itself
   */
  int exitCode(CommandLine line, int code) {
    line.getOut().flush();
    System.out.flush();
    if (failure == null) {
      return code;
    }
    if (isPipe()) {
      return ExitCode.UNREAD; // as quiet as a program that SIGPIPE ends
    }
    ParseResult named = line.getParseResult();
    while (named != null && named.hasSubcommand()) {
      named = named.subcommand();
    }
    Output.say(
        named == null ? line.getCommandSpec() : named.commandSpec(),
        "the answer is cut: standard output cannot be written ("
            + FileReason.of(failure)
            + "); free the disk, or send it elsewhere");
    return ExitCode.CLUSTER;
  }

  /** A pipe has no other error than that nobody reads; messages are in the user's language. */
  private static boolean isPipe() {
    try {
      String opened = Files.readSymbolicLink(OPENED).toString();
      return opened.startsWith("pipe:") || opened.startsWith("socket:");
    } catch (IOException | InvalidPathException | UnsupportedOperationException e) {
      return false;
    }
  }
}
