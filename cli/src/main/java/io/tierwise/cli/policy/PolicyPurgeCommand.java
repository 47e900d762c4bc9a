package io.tierwise.cli.policy;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.policy.AttributePurge;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Finds and removes all attributes of Tierwise. */
@Command(
    name = "purge",
    description = {
      "Finds all attributes of Tierwise (user.tierwise.*) on PATH and below it, and with --yes"
          + " removes them. No replica is moved.",
      "Stopped half-way it is simply run again: what is removed is removed. Attributes that a"
          + " snapshot keeps go with the snapshot.",
      "Exit code 3 when some could not be read or removed; the rest is done then."
    },
    mixinStandardHelpOptions = true)
final class PolicyPurgeCommand implements Callable<Integer> {
  private static final int NAMED_MAX = 20;

  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

  @Parameters(paramLabel = "PATH", description = "A directory or file; / for the whole cluster.")
  private String path;

  @Option(names = "--dry-run", description = "Say what would be removed. This is the default.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Remove them.")
  private boolean yes;

  @Override
  public Integer call() throws IOException {
    if (yes && dryRun) {
      throw OperatorException.badInput("--dry-run and --yes exclude each other: give one");
    }
    try (ClusterConnection.Place place = cluster.connect(cluster.configuration(), path)) {
      Printer printer = new Printer();
      AttributePurge purge = new AttributePurge(place.fs(), yes, printer);
      try (NamespaceWalk walk = new NamespaceWalk(place.fs(), false, purge)) {
        walk.walk(place.plain());
      } finally {
        printer.progress.clear();
        // Also when it ends early: what was done so far is done.
        printTotal(purge);
      }
      return purge.unreadable() + purge.notRemoved() > 0 ? ExitCode.CLUSTER : 0;
    }
  }

  private final class Printer implements AttributePurge.Listener {
    private final Progress progress = Progress.of(output);
    private int named;

    @Override
    public void seen() {
      progress.add();
    }

    @Override
    public void found(String at, List<String> ours, String problem) {
      progress.clear();
      if (output.json()) {
        output.printJsonLine(AttributePurge.line(at, ours, yes && problem == null, problem));
      } else if (problem == null) {
        output.out().println(Words.plain((yes ? "removed " : "would remove ") + at + ": " + ours));
      }
    }

    @Override
    public void refused(String line) {
      if (named++ < NAMED_MAX) {
        progress.clear();
        output.say(line);
      }
    }
  }

  private void printTotal(AttributePurge purge) {
    if (output.json()) {
      output.printJsonLine(purge.total(path));
      return;
    }
    long count = purge.attributesFound().values().stream().mapToLong(Long::longValue).sum();
    output
        .out()
        .println(
            (yes ? "removed " : "would remove ")
                + (yes && purge.notRemoved() > 0 ? "what is ours" : Words.count(count, "attribute"))
                + " of "
                + Words.count(purge.pathsFound() - purge.notRemoved(), "path")
                + "; looked at "
                + purge.pathsSeen());
    if (purge.notRemoved() + purge.unreadable() > 0) {
      output.say(
          Words.count(purge.notRemoved(), "path")
              + " could not be changed and "
              + purge.unreadable()
              + " not be read: run again as HDFS's superuser");
    }
    if (!yes && purge.pathsFound() > 0) {
      output.say("nothing was changed: give --yes to remove them");
    }
  }
}
