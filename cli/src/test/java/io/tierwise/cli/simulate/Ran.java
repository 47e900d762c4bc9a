package io.tierwise.cli.simulate;

import io.tierwise.cli.TierwiseCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;

/** A command that ran: its exit code and what it printed. */
record Ran(int exitCode, String out, String err) {
  private static final String SMALL =
      """
      cluster: {racks: [{count: 2, nodes: [{kind: disk-node, count: 2}, ssd-node]}]}
      workload: {dfsio: {tasks: 6, file: 100 MB}}
      """;

  static Ran of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = TierwiseCommand.commandLine();
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    int exitCode = line.execute(arguments);
    return new Ran(exitCode, out.toString(), err.toString());
  }

  /** A scenario of six nodes that runs in no time. */
  static String small(Path folder) throws IOException {
    return Files.writeString(folder.resolve("small.yaml"), SMALL).toString();
  }
}
