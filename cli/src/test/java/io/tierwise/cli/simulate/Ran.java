package io.tierwise.cli.simulate;

import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A command that ran: its exit code and what it printed. */
record Ran(int exitCode, String out, String err) {
  private static final String SMALL =
      """
      cluster: {racks: [{count: 2, nodes: [{kind: disk-node, count: 2}, ssd-node]}]}
      workload: {dfsio: {tasks: 6, file: 100 MB}}
      """;

  static Ran of(String... arguments) {
    CommandRun run = CommandRun.of(arguments);
    return new Ran(run.exitCode(), run.out(), run.err());
  }

  /** A scenario of six nodes that runs in no time. */
  static String small(Path folder) throws IOException {
    return Files.writeString(folder.resolve("small.yaml"), SMALL).toString();
  }
}
