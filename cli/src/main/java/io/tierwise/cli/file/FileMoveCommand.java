package io.tierwise.cli.file;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.mover.FileRegions;
import io.tierwise.hadoop.mover.FileTiers;
import io.tierwise.hadoop.mover.MoveOrder;
import io.tierwise.hadoop.mover.Mover;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.PolicyMoves;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Moves the stored replicas of files to the tiers of a layout. */
@Command(
    name = "move",
    description = {
      "Moves the stored replicas of files to the tiers of a layout, or so many of them to a tier or"
          + " a region: then the layout that PATH is under changes with them.",
      "Copies come first: a block never has fewer replicas than before. Done is what the NameNode"
          + " reports in its new place. Ended at any moment, by Ctrl-C or a kill, it leaves the"
          + " rest to the next run of the same command; with --to-tier and --to-region, of"
          + " 'tierwise file move --to policy'.",
      "Each move is in the journal before it starts: 'tierwise undo' takes a run back.",
      "Needs HDFS's superuser. One mover runs on a cluster at a time.",
      "Exit code 1 when something stays where it should not be; the table says what and why."
    },
    mixinStandardHelpOptions = true)
final class FileMoveCommand implements Callable<Integer> {
  private static final String POLICY = "policy";

  @Mixin private ClusterOptions cluster;
  @Mixin private MoveOptions bounds;
  @Mixin private JournalOptions journal;
  @Mixin private Output output;

  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description = "Files and directories, all of one cluster.")
  private List<String> paths;

  @ArgGroup(multiplicity = "1")
  private MoveTarget target;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "1",
      description = "With --to-tier and --to-region: how many of each block (default: 1).")
  private int replicas;

  @Option(names = "--dry-run", description = "Say what would move and what not; change nothing.")
  private boolean dryRun;

  @Option(
      names = "--by",
      paramLabel = "TIME",
      description = {
        "Say whether all can be in place by then: 14:00, or 2026-01-31T14:00:00Z.",
        "Where it cannot, nothing is moved, and the exit code is 1: without --by it moves what it"
            + " can."
      })
  private String by;

  private Instant moment;

  @Override
  public Integer call() throws IOException {
    moment = by == null ? null : Deadline.parse(by, ZonedDateTime.now(ZoneId.systemDefault()));
    MoverSettings settings = bounds.settings();
    Configuration conf = cluster.configuration();
    MoveRun.prepare(conf);
    try (StoredFiles files = StoredFiles.find(conf, paths)) {
      MoverCluster known = MoverCluster.of(files.fs(), conf);
      return target.layout() != null
          ? move(conf, files, known, settings)
          : change(conf, files, known, settings);
    }
  }

  /** Moves to a layout; policies stay. */
  private int move(
      Configuration conf, StoredFiles files, MoverCluster known, MoverSettings settings)
      throws IOException {
    MoveOrder order = new MoveOrder(files.plainPaths(), layout(known.tiers()));
    MoverReport plan = Mover.plan(known, settings, order);
    return run(
        conf,
        files,
        known,
        settings,
        plan,
        new MoveRun.Job((mover, written, step) -> mover.run(order, step)));
  }

  /** Moves some of the replicas that a layout names: the layout changes, too. */
  private int change(
      Configuration conf, StoredFiles files, MoverCluster known, MoverSettings settings)
      throws IOException {
    if (replicas < 1) {
      throw OperatorException.badInput("--replicas " + replicas + " is too little: give 1 or more");
    }
    files.requireNoRoot();
    Map<String, String> policies = new LinkedHashMap<>();
    for (String path : files.plainPaths()) {
      policies.put(path, changeOf(known, path).after());
    }
    PolicyMoves moves = new PolicyMoves(known, policies);
    return run(
        conf,
        files,
        known,
        settings,
        moves.plan(settings),
        new MoveRun.Job(moves::run, policies.size(), List.of()));
  }

  private FileTiers.Change changeOf(MoverCluster known, String path) throws IOException {
    if (target.toRegion() != null) {
      MoveTarget.ToRegion region = target.toRegion();
      return new FileRegions(known).moveRegion(path, region.from(), region.to(), replicas);
    }
    MoveTarget.ToTier tier = target.toTier();
    FileTiers tiers = new FileTiers(known);
    return tier.from() == null
        ? tiers.gatherInTier(path, tier.to(), replicas)
        : tiers.moveTier(path, tier.from(), tier.to(), replicas);
  }

  private int run(
      Configuration conf,
      StoredFiles files,
      MoverCluster known,
      MoverSettings settings,
      MoverReport plan,
      MoveRun.Job job)
      throws IOException {
    Deadline deadline = moment == null ? null : Deadline.of(moment, Instant.now(), plan);
    boolean late = deadline != null && !deadline.kept();
    if (dryRun || late) {
      print(null, plan, true, deadline);
      return plan.complete() && !late ? 0 : ExitCode.FAILED;
    }
    MoveRun run =
        MoveRun.of(
            output,
            known,
            settings,
            plan,
            () -> journal.begin(conf, files.fs(), files.plainPaths(), target.text()),
            job);
    print(run.id(), run.report(), false, deadline);
    // Given again, it would move as many replicas once more.
    run.sayTheEnd(
        output,
        target.layout() != null
            ? "the same command"
            : "'tierwise file move --to policy' with the same paths");
    return run.exitCode();
  }

  private Optional<PlacementPolicy> layout(TierConfiguration tiers) {
    String to = target.layout();
    if (to.equals(POLICY)) {
      return Optional.empty();
    }
    return Optional.of(
        PlacementPolicies.parse(
            PlacementPolicies.ofLayoutOrPolicy(to), tiers.table(), tiers.layouts()));
  }

  /**
   * The answer as {@code --json} prints it: the report, and what is known beside it.
   *
   * @param id of the run in the journal; null when nothing was moved
   * @param deadline null without {@code --by}
   */
  private record Answer(String id, @JsonUnwrapped MoverReport report, Deadline deadline) {}

  private void print(String id, MoverReport report, boolean plan, Deadline deadline) {
    if (output.json()) {
      output.printJson(new Answer(id, report, deadline));
      return;
    }
    MoveTable.print(report, plan, output.out());
    if (deadline != null && plan) {
      output.out().println(deadline.text());
      output.out().flush();
    }
  }
}
