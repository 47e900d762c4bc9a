package io.tierwise.cli.policy;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.file.JournalOptions;
import io.tierwise.cli.file.MoveOptions;
import io.tierwise.cli.file.MoveRun;
import io.tierwise.cli.file.MoveTable;
import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.Output;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.policy.NotEnforced;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.inspect.policy.PolicyChange;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.PolicyMoves;
import java.io.Console;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts a path, and all below it, under a policy. */
@Command(
    name = "set",
    description = {
      "Puts a path, and all below it, under a placement policy or an access strategy.",
      "Holds for blocks written from now on; what is stored stays where it is, unless --apply moves"
          + " it as 'tierwise file move --to policy' does: then HDFS's superuser is needed, and"
          + " 'tierwise undo' takes both back.",
      "Sets no placement when the active NameNode runs without the plug-in, or cannot be asked.",
      "Names what the placement does not reach: quotas, limits, files that stock HDFS places."
    },
    mixinStandardHelpOptions = true)
final class PolicySetCommand implements Callable<Integer> {
  private static final String FROM_ATTRIBUTE_KEY = "tierwise.access.from-attribute.enabled";

  @Mixin private ClusterOptions cluster;
  @Mixin private MoveOptions bounds;
  @Mixin private JournalOptions journal;
  @Mixin private Output output;

  @Parameters(paramLabel = "PATH", description = "A file or directory.")
  private String path;

  @Option(
      names = "--placement",
      paramLabel = "SPEC",
      description = "Placement policy, for example hybrid; see 'tierwise policy list'.")
  private String placement;

  @Option(
      names = "--access",
      paramLabel = "SPEC",
      description = "Access strategy, for example balanced:50; see 'tierwise policy list'.")
  private String access;

  @Option(
      names = "--apply",
      description = "Move what is stored to the placement; with --dry-run say what would move.")
  private boolean apply;

  @Option(names = "--dry-run", description = "Check everything, change nothing.")
  private boolean dryRun;

  @Option(
      names = "--force",
      description = "Set a placement even when no NameNode is known to obey it.")
  private boolean force;

  @Option(names = "--yes", description = "Do not ask before / is put under a policy.")
  private boolean yes;

  /**
   * The answer as {@code --json} prints it.
   *
   * @param id of the run in the journal; null where nothing was moved
   * @param moves null without {@code --apply}
   */
  private record Answer(
      String id,
      String path,
      boolean changed,
      Map<String, String> attributes,
      String namenodePlugin,
      List<NotEnforced.Gap> notEnforced,
      MoverReport moves) {}

  @Override
  public Integer call() throws IOException {
    if (placement == null && access == null) {
      throw OperatorException.badInput("nothing to set: give --placement, --access, or both");
    }
    if (apply && (placement == null || placement.strip().equals(PathPolicy.STOCK))) {
      throw OperatorException.badInput(
          "--apply moves to a placement other than stock: give one by --placement");
    }
    MoverSettings settings = bounds.settings();
    Configuration conf = cluster.configuration();
    if (apply) {
      MoveRun.prepare(conf);
    }
    TierConfiguration own = TierConfiguration.load(conf);
    int code = 0;
    try (ClusterConnection.Place place = cluster.connect(conf, path)) {
      DistributedFileSystem fs = place.fs();
      NameNodePlugin plugin = new NameNodePlugin(fs, conf);
      NameNodePlugin.Answer active = plugin.ofActive();
      TierConfiguration tiers = plugin.tiersInForce(active, own).configuration();
      Map<String, String> attributes = PolicyChange.attributes(placement, access, tiers);
      FileStatus status = fs.getFileStatus(place.path());
      if (access != null && status.isFile()) {
        // Clients look up a file's directory, not each file: one lookup serves all its files.
        throw OperatorException.badInput(
            "--access holds for directories, and " + path + " is a file: name its directory");
      }
      if (placement != null) {
        requirePlugin(plugin, active);
      }
      String specification = attributes.get(PathPolicy.PLACEMENT_ATTRIBUTE);
      List<NotEnforced.Gap> gaps =
          specification == null || specification.equals(PathPolicy.STOCK)
              ? List.of()
              : new NotEnforced(fs, status.getPath(), tiers, specification)
                  .find(plugin, active).stream()
                      .filter(gap -> !apply || !gap.reason().equals(NotEnforced.STORED_ALREADY))
                      .toList();
      if (!dryRun && status.getPath().isRoot()) {
        confirm();
      }
      MoveRun run = null;
      MoverReport plan = null;
      if (apply) {
        String plain = status.getPath().toUri().getPath();
        PolicyMoves moves =
            new PolicyMoves(MoverCluster.of(fs, conf), Map.of(plain, specification));
        plan = moves.plan(settings);
        run = dryRun ? null : move(conf, fs, settings, moves, plan);
      }
      if (!dryRun) {
        PolicyChange.set(fs, status.getPath(), attributes, active);
      }
      MoverReport report = run == null ? plan : run.report();
      print(attributes, active, gaps, run == null ? null : run.id(), report);
      if (run != null) {
        run.sayTheEnd(output, "the same command");
        code = run.exitCode();
      } else if (plan != null) {
        code = plan.complete() ? 0 : ExitCode.FAILED;
      }
    }
    if (access != null && !conf.getBoolean(FROM_ATTRIBUTE_KEY, false)) {
      output
          .err()
          .println("note: clients follow the attribute only with " + FROM_ATTRIBUTE_KEY + "=true");
    }
    return code;
  }

  private MoveRun move(
      Configuration conf,
      DistributedFileSystem fs,
      MoverSettings settings,
      PolicyMoves moves,
      MoverReport plan)
      throws IOException {
    List<String> paths = List.copyOf(moves.policies().keySet());
    return MoveRun.of(
        output,
        moves.cluster(),
        settings,
        plan,
        () -> journal.begin(conf, fs, paths, moves.policies().get(paths.get(0))),
        new MoveRun.Job(moves::run, 1, List.of()));
  }

  private void requirePlugin(NameNodePlugin plugin, NameNodePlugin.Answer active)
      throws IOException {
    if (!active.runs()) {
      if (!force) {
        throw OperatorException.cluster(
            active.whyNot() + ": no placement was set (install the plug-in, or give --force)",
            null);
      }
      output.say(active.whyNot() + ": it places blocks as stock HDFS does");
    }
    PolicyChange.notObeyedBy(plugin, active).forEach(note -> output.err().println("note: " + note));
  }

  /** Newer Java gives a console where there is no terminal, too: then the answer is null. */
  @SuppressWarnings("SystemConsoleNull")
  private void confirm() {
    if (yes) {
      return;
    }
    Console console = System.console();
    String answer =
        console == null
            ? null
            : console.readLine("Put every file of the cluster under this policy? [y/N] ");
    if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).matches("y|yes")) {
      throw OperatorException.badInput(
          "nothing was set: / stands for every file of the cluster; give --yes if that is meant");
    }
  }

  private void print(
      Map<String, String> attributes,
      NameNodePlugin.Answer active,
      List<NotEnforced.Gap> gaps,
      String id,
      MoverReport moves) {
    if (output.json()) {
      String state = active.state().name().toLowerCase(Locale.ROOT);
      output.printJson(new Answer(id, path, !dryRun, attributes, state, gaps, moves));
      return;
    }
    attributes.forEach(
        (name, value) ->
            output
                .out()
                .println((dryRun ? "would set " : "set ") + name + " of " + path + " to " + value));
    if (!gaps.isEmpty()) {
      output.out().println("not enforced:");
      gaps.forEach(gap -> output.out().println(Fold.text("- " + gap.text())));
    }
    if (moves != null) {
      MoveTable.print(moves, dryRun, output.out());
    }
  }
}
