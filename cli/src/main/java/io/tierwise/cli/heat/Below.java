package io.tierwise.cli.heat;

import io.tierwise.core.message.OperatorException;
import picocli.CommandLine.Option;

/** The number of rows, and the directory that they are below. */
final class Below {
  @Option(
      names = "--below",
      paramLabel = "PATH",
      defaultValue = "/",
      description = "Only what is below that directory (default: ${DEFAULT-VALUE}).")
  private String path;

  @Option(
      names = "--count",
      paramLabel = "COUNT",
      defaultValue = "20",
      description = "Rows at most (default: ${DEFAULT-VALUE}).")
  private int count;

  int count() {
    OperatorException.requireAtLeast(1, "--count", count);
    return count;
  }

  String path() {
    return absolute("--below ", path);
  }

  /**
   * A path as logs have it: what begins or ends otherwise would match nothing, and say so by zeros.
   */
  static String absolute(String option, String path) {
    if (!path.startsWith("/")) {
      throw OperatorException.badInput(
          option + "\"" + path + "\" is no path of HDFS's log: give one that begins with /");
    }
    String plain = path;
    while (plain.length() > 1 && plain.endsWith("/")) {
      plain = plain.substring(0, plain.length() - 1); // As shells complete a directory.
    }
    return plain;
  }
}
