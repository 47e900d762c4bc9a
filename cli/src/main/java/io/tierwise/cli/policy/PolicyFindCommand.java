package io.tierwise.cli.policy;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.cli.output.DrawnLine;
import io.tierwise.cli.output.ProgressBar;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.policy.FindLine;
import io.tierwise.hadoop.inspect.policy.ManagedPaths;
import io.tierwise.hadoop.inspect.policy.WalkProgress;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the managed paths and how much of each is where its policy wants it. */
@Command(
    name = "find",
    description = {
      "Lists the paths below PATH that are under a policy, by an attribute or by a rule of the tier"
          + " table, and how much of each is where its policy wants it.",
      "A block counts as on its tier when each replica that it has is in a tier (and region) that"
          + " the policy wants; bytes count replica by replica. Blocks that are being written,"
          + " and files that HDFS places by rules of its own (erasure-coded, lazy-persist), are"
          + " left out.",
      "Streams: memory does not grow with the number of files. With --json each line is an object,"
          + " its kind one of path, access, file, unreadable, passed_through and total.",
      "Exit code 3 when something below PATH may not be read, 2 when a policy is malformed, 1 when"
          + " --check fails, also where a directory above PATH may only be passed through."
    },
    footer = "  tierwise policy find / --summary")
final class PolicyFindCommand extends ClusterCommand {
  private static final int NAMED_MAX = 20;

  @Parameters(paramLabel = "PATH", description = "A directory or file.")
  private String path;

  @Option(names = "--files", description = "Also print each file that is not all on its tier.")
  private boolean withFiles;

  @Option(names = "--summary", description = "Print the total only.")
  private boolean summary;

  @Option(
      names = "--check",
      paramLabel = "PERCENT",
      description = "Exit code 1 when fewer of the managed blocks are on their tier.")
  private Double check;

  @Override
  public Integer call() throws IOException {
    if (check != null && !(check >= 0 && check <= 100)) {
      throw OperatorException.badInput("--check " + check + " is no percentage: give 0 to 100");
    }
    Configuration conf = cluster.configuration();
    // No strategy is to be asked for a million files.
    ClusterConnection.keepNameNodesOrder(conf);
    try (ClusterConnection.Place place = cluster.connect(conf, path)) {
      NameNodePlugin.InForce force = NameNodePlugin.inForce(place.fs(), conf);
      if (!force.active().runs()) {
        output.say(force.active().whyNotObeyed());
      }
      // The look comes before the table's head, so that a missing path gives one line alone.
      place.fs().getFileStatus(place.path());
      DrawnLine drawn = new DrawnLine(output.err());
      WalkProgress progress = WalkProgress.of(drawn::draw, output::say, ProgressBar.onTerminal());
      ManagedPaths managed = new ManagedPaths(force, conf, progress::add, new Printer(drawn));
      printHead();
      managed.walk(place);
      drawn.clear();
      if (output.json()) {
        output.printJsonLine(managed.totalLine(path));
      } else {
        output.fold(managed.totalText(path));
        output.fold("tiers by: " + force.tiers().whose());
      }
      output.out().flush();
      return exitCode(managed);
    }
  }

  private void printHead() {
    if (!output.json() && !summary) {
      output.line(FindLine.HEAD);
    }
  }

  /** Prints lines as they come. */
  private final class Printer implements ManagedPaths.Listener {
    private final DrawnLine drawn;
    private int named;

    Printer(DrawnLine drawn) {
      this.drawn = drawn;
    }

    @Override
    public void found(FindLine line) {
      if (summary || (line instanceof FindLine.OfFile && !withFiles)) {
        return;
      }
      drawn.clear();
      output.answerLine(line, () -> output.out().println(line.text()));
      output.requireReader();
    }

    @Override
    public void unreadable(String at, boolean directory) {
      if (output.json()) {
        output.printJsonLine(new FindLine.Unreadable(at));
      }
      if (named++ < NAMED_MAX) {
        drawn.clear();
        output.say(
            "no permission to read " + at + (directory ? ": what is below it is not counted" : ""));
      }
    }

    @Override
    public void passedThrough(String directory) {
      if (output.json()) {
        output.printJsonLine(new FindLine.PassedThrough(directory));
      }
      output.say(
          "this user may pass through "
              + directory
              + " and not read it: it is taken for a directory without a policy");
    }
  }

  private int exitCode(ManagedPaths managed) {
    if (managed.incomplete() != null) {
      throw managed.incomplete();
    }
    Optional<String> tooFew = managed.tooFew(path, check);
    tooFew.ifPresent(output::say);
    return tooFew.isPresent() ? ExitCode.FAILED : 0;
  }
}
