package io.tierwise.cli.policy;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.cli.output.DrawnLine;
import io.tierwise.cli.output.ProgressBar;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.policy.AttributePurge;
import io.tierwise.hadoop.inspect.policy.WalkProgress;
import io.tierwise.lab.EndedEarly;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import picocli.CommandLine.Command;
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
    footer = "  tierwise policy purge /warehouse")
final class PolicyPurgeCommand extends ClusterCommand {
  private static final int NAMED_MAX = 20;

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
    Configuration conf = cluster.configuration();
    // Else Hadoop closes it at Ctrl-C, and errors stand beside what is said then.
    conf.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
    try (ClusterConnection.Place place = cluster.connect(conf, path)) {
      Printer printer = new Printer();
      AttributePurge purge = new AttributePurge(place.fs(), yes, printer);
      String stays = yes ? "; the same command does the rest" : ": nothing was changed";
      try (EndedEarly early = EndedEarly.saying(output::say, () -> purge.totalText() + stays);
          NamespaceWalk walk = new NamespaceWalk(place.fs(), false, purge)) {
        walk.walk(place.plain());
      } finally {
        printer.drawn.clear();
        // Also when it ends early: what was done so far is done.
        if (output.json()) {
          output.printJsonLine(purge.total(path));
        } else {
          output.line(purge.totalText());
          purge.remarks().forEach(output::say);
        }
      }
      return purge.isComplete() ? 0 : ExitCode.CLUSTER;
    }
  }

  private final class Printer implements AttributePurge.Listener {
    private final DrawnLine drawn = new DrawnLine(output.err());
    private final WalkProgress progress =
        WalkProgress.of(drawn::draw, output::say, ProgressBar.onTerminal());
    private int named;

    @Override
    public void seen() {
      progress.add();
    }

    @Override
    public void found(AttributePurge.Found found) {
      drawn.clear();
      if (output.json()) {
        output.printJsonLine(found);
      } else if (found.problem() == null) {
        String verb = yes ? "removed " : "would remove ";
        output.line(Words.plain(verb + found.path() + ": " + found.attributes()));
      }
      if (!yes) {
        output.requireReader(); // what is to be removed is removed, read or not
      }
    }

    @Override
    public void refused(String line) {
      if (named++ < NAMED_MAX) {
        drawn.clear();
        output.say(line);
      }
    }
  }
}
