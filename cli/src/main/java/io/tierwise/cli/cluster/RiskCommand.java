package io.tierwise.cli.cluster;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.DrawnLine;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.ProgressBar;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.inspect.policy.WalkProgress;
import io.tierwise.hadoop.inspect.risk.NodeFigures;
import io.tierwise.hadoop.inspect.risk.PolicyRisk;
import io.tierwise.hadoop.inspect.risk.RiskAnswer;
import io.tierwise.hadoop.inspect.risk.StoredRisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tierwise risk}. */
@Command(
    name = "risk",
    description = {
      "Tells how likely it is that data is lost, and the power that it takes to keep it.",
      "With PATH: of the files that are stored there (/ for all), by the replicas that they have"
          + " now. Without: of --replicas, --code or --policy on so many --nodes; no cluster is asked.",
      "The risk a year is an approximation from --days. Blocks that only snapshots hold count"
          + " where PATH is DIR/.snapshot/NAME.",
      "Figures may be given tier by tier: --nodes disk=1000,nas=100 --mtbf-years nas=6.",
      "Exit code 1 when a block is there that cannot be read already, 3 when a path may not be"
          + " read."
    },
    footer = "  tierwise risk --nodes 1000 --replicas 3,2,1")
public final class RiskCommand extends ClusterCommand {
  @Parameters(
      paramLabel = "PATH",
      arity = "0..*",
      description = "Files or directories of a running cluster, or patterns.")
  private List<String> paths = new ArrayList<>();

  @Option(
      names = "--replicas",
      paramLabel = "N",
      split = ",",
      description = "Numbers of replicas, for instance 3,2,1 (default: 3).")
  private List<Integer> replicas = new ArrayList<>();

  @Option(
      names = "--code",
      paramLabel = "D+P",
      split = ",",
      description = "Erasure codes: units of data and of parity, for instance 6+3,3+2.")
  private List<String> codes = new ArrayList<>();

  @Option(
      names = "--policy",
      paramLabel = "SPEC",
      description = "A layout instead, for instance \"layout:1 x disk + 1 x nas\".")
  private String policy;

  @Option(
      names = "--nodes",
      paramLabel = "[TIER=]N",
      split = ",",
      description = "How many nodes there are (default with PATH: live, not decommissioned).")
  private List<String> nodes = new ArrayList<>();

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "Blocks that are kept so (default: so many that any nodes hold one).")
  private Long blocks;

  @Option(
      names = "--mtbf-years",
      paramLabel = "[TIER=]YEARS",
      split = ",",
      description = "Mean time between failures of a node (default: 3).")
  private List<String> mtbfYears = new ArrayList<>();

  @Option(
      names = "--watts-per-tb",
      paramLabel = "[TIER=]WATTS",
      split = ",",
      description = "Power of a node for each TB of its capacity (default: 200 W for 24 TB).")
  private List<String> wattsPerTerabyte = new ArrayList<>();

  @Option(
      names = "--days",
      paramLabel = "DAYS",
      defaultValue = "1",
      description =
          "Time that is looked at, in which nothing is repaired (default: ${DEFAULT-VALUE}).")
  private double days;

  @Override
  public Integer call() throws IOException {
    NodeFigures figures = new NodeFigures(nodes, mtbfYears, wattsPerTerabyte, days);
    RiskAnswer answer =
        paths.isEmpty()
            ? new PolicyRisk(figures, blocks).of(policy, replicas, codes)
            : ofStored(figures);
    output.answer(answer, () -> Output.print(answer.table(), answer.legend(), output.out()));
    if (answer.stored() == null || answer.stored().unreadableBlocks() == 0) {
      return 0;
    }
    output.say(
        Words.count(answer.stored().unreadableBlocks(), "block")
            + " cannot be read already, and not counted: see 'hdfs fsck'");
    return ExitCode.FAILED;
  }

  private RiskAnswer ofStored(NodeFigures figures) throws IOException {
    if (policy != null || blocks != null || !replicas.isEmpty() || !codes.isEmpty()) {
      throw OperatorException.badInput(
          "--policy, --replicas, --code and --blocks are not for PATH, where they are seen");
    }
    try (StoredFiles files = StoredFiles.find(cluster.configuration(), paths)) {
      DrawnLine drawn = new DrawnLine(output.err());
      WalkProgress progress = WalkProgress.of(drawn::draw, output::say, ProgressBar.onTerminal());
      RiskAnswer answer = StoredRisk.of(files.fs(), files.plainPaths(), figures, progress::add);
      drawn.clear();
      return answer;
    }
  }
}
