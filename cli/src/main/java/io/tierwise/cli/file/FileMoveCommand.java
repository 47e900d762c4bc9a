package io.tierwise.cli.file;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.ProgressBar;
import io.tierwise.cli.output.TerminalListener;
import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.mover.MoveOrder;
import io.tierwise.hadoop.mover.Mover;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.lab.SignalGuard;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Moves the stored replicas of files to the tiers of a layout. */
@Command(
    name = "move",
    description = {
      "Moves the stored replicas of files to the tiers of a layout.",
      "Copies come first: a block never has fewer replicas than before. Done is what the NameNode"
          + " reports in its new place. Ended at any moment, by Ctrl-C or a kill, it leaves the rest"
          + " to the next run of the same command.",
      "Needs HDFS's superuser. One mover runs on a cluster at a time.",
      "Exit code 1 when something stays where it should not be; the table says what and why."
    },
    mixinStandardHelpOptions = true)
final class FileMoveCommand implements Callable<Integer> {
  private static final String POLICY = "policy";
  private static final long MEGABYTE = 1_000_000;

  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description = "Files and directories, all of one cluster.")
  private List<String> paths;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "LAYOUT",
      description = {
        "A layout, for example \"1 x ssd + 2 x disk\", or a placement policy.",
        "With 'policy' the stored blocks of each file follow the policy that it is under."
      })
  private String to;

  @Option(names = "--dry-run", description = "Say what would move and what not; change nothing.")
  private boolean dryRun;

  @Option(
      names = "--bandwidth",
      paramLabel = "MB",
      defaultValue = "25",
      description = "Megabytes a second of each node, for moves (default: ${DEFAULT-VALUE}).")
  private int bandwidth;

  @Option(
      names = "--bandwidth-total",
      paramLabel = "MB",
      defaultValue = "250",
      description = "Megabytes a second of all moves together (default: ${DEFAULT-VALUE}).")
  private int total;

  @Option(
      names = "--moves-per-node",
      paramLabel = "N",
      defaultValue = "4",
      description = "Moves of a node at once (default: ${DEFAULT-VALUE}).")
  private int movesPerNode;

  @Option(
      names = "--keep-free",
      paramLabel = "PERCENT",
      defaultValue = "5",
      description = "Of each volume's capacity, what moves leave free (default: ${DEFAULT-VALUE}).")
  private double keepFree;

  @Override
  public Integer call() throws IOException {
    MoverSettings settings = settings();
    Configuration conf = cluster.configuration();
    // Locations as the NameNode gives them, and a connection that outlives Ctrl-C.
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    conf.setBoolean("fs.automatic.close", false);
    try (StoredFiles files = StoredFiles.find(cluster, conf, paths)) {
      MoverCluster known = MoverCluster.of(files.fs(), conf);
      MoveOrder order = new MoveOrder(files.plainPaths(), layout(known.tiers()));
      MoverReport plan = Mover.plan(known, settings, order);
      if (dryRun) {
        return answer(plan);
      }
      return run(known, settings, order, plan);
    }
  }

  private MoverSettings settings() {
    require("--bandwidth", bandwidth);
    require("--bandwidth-total", total);
    require("--moves-per-node", movesPerNode);
    if (!(keepFree >= 0 && keepFree < 100)) {
      throw OperatorException.badInput(
          "--keep-free " + keepFree + " is no percentage below 100: give 0 to 99");
    }
    return MoverSettings.DEFAULT
        .atRates(bandwidth * MEGABYTE, total * MEGABYTE)
        .withMovesPerNode(movesPerNode)
        .keepingFree(keepFree / 100);
  }

  private static void require(String option, int value) {
    if (value < 1) {
      throw OperatorException.badInput(option + " " + value + " is too little: give 1 or more");
    }
  }

  private Optional<PlacementPolicy> layout(TierConfiguration tiers) {
    if (to.equals(POLICY)) {
      return Optional.empty();
    }
    String specification = to.matches("\\s*\\d+\\s+x\\s.*") ? "layout:" + to.strip() : to;
    return Optional.of(PlacementPolicies.parse(specification, tiers.table(), tiers.layouts()));
  }

  private int run(MoverCluster known, MoverSettings settings, MoveOrder order, MoverReport plan)
      throws IOException {
    Listener listener = new TerminalListener(output, ProgressBar.onTerminal());
    MoverReport report;
    boolean signalled;
    try (Mover mover = Mover.open(known, settings);
        SignalGuard signal =
            new SignalGuard(
                () -> output.say("ended before the lock was given back: wait a minute"),
                mover::stop)) {
      Listener.Step step =
          listener.begin(
              "moving "
                  + Words.bytes(plan.moved().bytes())
                  + ", about "
                  + MoveTable.time(plan.seconds()),
              plan.moved().bytes());
      report = mover.run(order, step);
      step.finish(
          Words.count(report.moved().replicas(), "replica")
              + " in "
              + MoveTable.time(report.seconds()));
      signalled = signal.signalled();
    }
    int code = answer(report);
    return signalled ? ExitCode.INTERRUPTED : code;
  }

  private int answer(MoverReport report) {
    if (output.json()) {
      output.printJson(report);
    } else {
      MoveTable.print(report, dryRun, output.out());
    }
    if (report.stopped()) {
      output.say("stopped: run the same command again for the rest");
    }
    return report.complete() ? 0 : ExitCode.FAILED;
  }
}
