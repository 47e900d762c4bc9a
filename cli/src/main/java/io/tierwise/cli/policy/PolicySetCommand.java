package io.tierwise.cli.policy;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.cli.file.JournalOptions;
import io.tierwise.cli.file.MoveOptions;
import io.tierwise.cli.file.MoveRun;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.policy.NotEnforced;
import io.tierwise.hadoop.inspect.policy.PolicySetting;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.PolicyMoves;
import java.io.Console;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
    footer = "  tierwise policy set /warehouse --placement \"layout:1 x ssd + 2 x disk\"")
final class PolicySetCommand extends ClusterCommand {
  @Spec private CommandSpec command;
  @Mixin private MoveOptions bounds;
  @Mixin private JournalOptions journal;

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
    if (!apply) {
      refuseOfMoves();
    }
    PolicySetting.Wish wish = new PolicySetting.Wish(placement, access, apply);
    MoverSettings settings = bounds.settings();
    Configuration conf = cluster.configuration();
    if (apply) {
      MoverCluster.prepare(conf);
    }
    try (ClusterConnection.Place place = cluster.connect(conf, path)) {
      PolicySetting setting = new PolicySetting(wish, path, place, conf);
      setting.notObeyed(force).forEach(output::say);
      List<NotEnforced.Gap> gaps = setting.gaps();
      if (!dryRun && !yes && setting.isOfRoot()) {
        confirm();
      }
      int code = apply ? move(setting, gaps, place.fs(), conf, settings) : set(setting, gaps);
      setting.clientKeys(conf).forEach(output::say);
      return code;
    }
  }

  /** Options of moves, where nothing is moved. */
  private void refuseOfMoves() {
    for (String mixin : List.of("bounds", "journal")) {
      command.mixins().get(mixin).options().stream()
          .filter(command.commandLine().getParseResult()::hasMatchedOption)
          .findFirst()
          .ifPresent(
              option -> {
                throw OperatorException.badInput(
                    option.longestName() + " bounds or writes down moves: give --apply, too");
              });
    }
  }

  private int set(PolicySetting setting, List<NotEnforced.Gap> gaps) throws IOException {
    if (!dryRun) {
      setting.set();
    }
    print(setting, gaps, null, null);
    return 0;
  }

  private int move(
      PolicySetting setting,
      List<NotEnforced.Gap> gaps,
      DistributedFileSystem fs,
      Configuration conf,
      MoverSettings settings)
      throws IOException {
    MoverCluster known = MoverCluster.of(fs, conf);
    String where = setting.plainPath();
    PolicyMoves moves =
        new PolicyMoves(
            known,
            Map.of(where, setting.placement()),
            setting.access() == null ? Map.of() : Map.of(where, setting.access()),
            Map.of());
    MoverReport plan = moves.plan(settings);
    if (dryRun) {
      print(setting, gaps, null, plan);
      return ExitCode.failedUnless(plan.complete());
    }
    return MoveRun.of(
            output,
            known,
            settings,
            moves,
            plan,
            journal.start(conf, fs, List.of(where), setting.placement()),
            run -> {
              print(setting, gaps, run.id(), run.report());
              run.sayTheEnd(output, "the same command");
            })
        .exitCode();
  }

  /** Newer Java gives a console where there is no terminal, too: then the answer is null. */
  @SuppressWarnings("SystemConsoleNull")
  private void confirm() {
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
      PolicySetting setting, List<NotEnforced.Gap> gaps, String id, MoverReport moves) {
    if (output.json()) {
      output.printJson(
          new Answer(id, path, !dryRun, setting.attributes(), setting.pluginState(), gaps, moves));
      return;
    }
    setting.lines(gaps, dryRun).forEach(output::line);
    if (moves != null) {
      moves.lines(dryRun).forEach(output::line);
    }
  }
}
