package io.tierwise.cli.policy;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.Output;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.MountTable;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.compliance.Compliance;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.inspect.policy.FindLines;
import io.tierwise.hadoop.inspect.policy.ManagedPaths;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
          + " its kind one of path, access, file, unreadable and total.",
      "Exit code 3 when something below PATH may not be read, 2 when a policy is malformed, 1 when"
          + " --check fails."
    },
    mixinStandardHelpOptions = true)
final class PolicyFindCommand implements Callable<Integer> {
  private static final int NAMED_MAX = 20;
  private static final String ROW = "%8s %8s %10s %10s  %s  %s%n";

  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

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
    // Locations as the NameNode gives them: no strategy is to be asked for a million files.
    conf.set(MountTable.clientKey(conf), DistributedFileSystem.class.getName());
    TierConfiguration own = TierConfiguration.load(conf);
    try (ClusterConnection.Place place = cluster.connect(conf, path)) {
      NameNodePlugin plugin = new NameNodePlugin(place.fs(), conf);
      NameNodePlugin.Answer active = plugin.ofActive();
      NameNodePlugin.Tiers tiers = plugin.tiersInForce(active, own);
      if (!active.runs()) {
        output.say(active.whyNotObeyed());
      }
      FileJudge judge = FileJudge.of(conf, active, tiers.configuration());
      return find(place, tiers, judge);
    }
  }

  private int find(ClusterConnection.Place place, NameNodePlugin.Tiers tiers, FileJudge judge)
      throws IOException {
    // A path that is not there ends in its one line, without a table's head before it.
    place.fs().getFileStatus(place.path());
    Progress progress = Progress.of(output);
    ManagedPaths managed =
        new ManagedPaths(tiers.configuration(), judge, progress::add, new Printer(progress));
    Path parent = place.path().getParent();
    if (parent != null) {
      Optional<PathPolicy> inherited = PathPolicy.placementAttribute(place.fs(), parent);
      inherited.ifPresent(policy -> managed.inherit(place.plain(), policy.inherited()));
    }
    printHead();
    try (NamespaceWalk walk = new NamespaceWalk(place.fs(), true, managed)) {
      walk.walk(place.plain());
    }
    managed.finish();
    progress.clear();
    printTotal(managed, tiers);
    return exitCode(managed);
  }

  private void printHead() {
    if (!output.json() && !summary) {
      output.out().printf(ROW, "blocks", "bytes", "files", "off tier", "path", "policy").flush();
    }
  }

  /** Prints rows as they come: how wide the longest path is nobody knows yet. */
  private final class Printer implements ManagedPaths.Listener {
    private final Progress progress;
    private int named;

    Printer(Progress progress) {
      this.progress = progress;
    }

    @Override
    public void path(
        String at, PathPolicy policy, FileJudge.Reading reading, Compliance compliance) {
      if (summary) {
        return;
      }
      progress.clear();
      Compliance judged = reading.stock() ? null : compliance;
      if (output.json()) {
        output.printJsonLine(FindLines.path(at, policy, reading, compliance));
      } else {
        String problem = reading.problem() == null ? "" : "  ignored: " + reading.problem();
        row(judged, at, policy.specification() + problem);
      }
      output.out().flush();
    }

    @Override
    public void access(String at, String specification) {
      if (summary) {
        return;
      }
      progress.clear();
      if (output.json()) {
        output.printJsonLine(FindLines.access(at, specification));
      } else {
        row(null, at, "access " + specification);
      }
    }

    @Override
    public void fileOffTier(String at, PathPolicy policy, Compliance compliance) {
      if (!withFiles) {
        return;
      }
      progress.clear();
      if (output.json()) {
        output.printJsonLine(FindLines.file(at, policy, compliance));
      } else {
        row(compliance, at, policy.specification());
      }
    }

    @Override
    public void unreadable(String at, boolean directory) {
      if (output.json()) {
        output.printJsonLine(FindLines.unreadable(at));
      }
      if (named++ < NAMED_MAX) {
        progress.clear();
        output.say(
            "no permission to read " + at + (directory ? ": what is below it is not counted" : ""));
      }
    }
  }

  private void row(Compliance compliance, String at, String policy) {
    output
        .out()
        .printf(
            Locale.ROOT,
            ROW,
            compliance == null ? "-" : percent(compliance.getBlockShare()),
            compliance == null ? "-" : percent(compliance.getByteShare()),
            compliance == null ? "-" : compliance.getFiles(),
            compliance == null ? "-" : compliance.getFilesOffTier(),
            Words.plain(at),
            Words.plain(policy));
  }

  private static String percent(Double share) {
    return share == null ? "-" : Words.percent(share);
  }

  private void printTotal(ManagedPaths managed, NameNodePlugin.Tiers tiers) {
    Compliance total = managed.total();
    if (output.json()) {
      output.printJsonLine(FindLines.total(path, managed, tiers.whose()));
    } else {
      String sums =
          String.format(
              Locale.ROOT,
              "%s: %,d of %s managed; on their tier %s of the blocks and %s of the bytes; %s not all"
                  + " on it",
              path,
              total.getFiles(),
              Words.count(managed.files(), "file"),
              percent(total.getBlockShare()),
              percent(total.getByteShare()),
              Words.count(total.getFilesOffTier(), "file"));
      output.out().println(Fold.text(sums));
      output.out().println(Fold.text("tiers by: " + tiers.whose()));
    }
    output.out().flush();
  }

  private int exitCode(ManagedPaths managed) {
    if (managed.unreadable() > 0) {
      output.say(
          Words.count(managed.unreadable(), "path")
              + " could not be read, and nothing of it is counted: run as HDFS's superuser");
      return ExitCode.CLUSTER;
    }
    if (managed.malformed() > 0) {
      output.say(
          Words.count(managed.malformed(), "malformed policy") + " ignored: correct what is named");
      return ExitCode.BAD_INPUT;
    }
    Double share = managed.total().getBlockShare();
    if (check != null && (share == null || share * 100 < check)) {
      output.say(
          share == null
              ? "there is no managed block below " + path + " to check"
              : percent(share) + " of the blocks are on their tier, less than " + check + "%");
      return 1;
    }
    return 0;
  }
}
