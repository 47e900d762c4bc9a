package io.tierwise.cli.bench;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.ProgressBar;
import io.tierwise.cli.output.TerminalListener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.lab.dfsio.BenchRow;
import io.tierwise.lab.dfsio.ClientKeysFor;
import io.tierwise.lab.dfsio.DfsioBench;
import io.tierwise.lab.dfsio.DfsioPlan;
import io.tierwise.lab.dfsio.DfsioWorker;
import io.tierwise.lab.dfsio.WorkerPlan;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.StringUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise bench dfsio}. */
@Command(
    name = "dfsio",
    mixinStandardHelpOptions = true,
    description = {
      "Writes and reads files like TestDFSIO, by placement and by access strategy.",
      "All tasks run in this process, on this host. Files are removed at the end.",
      "A placement or strategy named 'stock' is HDFS's own."
    })
public final class DfsioCommand implements Callable<Integer> {
  private static final String STOCK = "stock";
  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

  /** All are powers of 1,024, as Hadoop's own sizes. */
  private static final Pattern SIZE =
      Pattern.compile("([0-9]+) ?([kmgt]?)(?:(?<=[kmgt])i?b|b)?", Pattern.CASE_INSENSITIVE);

  @Option(
      names = "--placement",
      paramLabel = "SPEC",
      description = "A placement; may be given several times (default: ${DEFAULT-VALUE}).",
      defaultValue = STOCK)
  private List<String> placements;

  @Option(
      names = "--access",
      paramLabel = "SPEC",
      description = "An access strategy; may be given several times (default: ${DEFAULT-VALUE}).",
      defaultValue = STOCK)
  private List<String> strategies;

  @Option(
      names = "--files",
      paramLabel = "COUNT",
      description = "Tasks, one file each (default: ${DEFAULT-VALUE}).",
      defaultValue = "8")
  private int files;

  @Option(
      names = "--file-size",
      paramLabel = "BYTES",
      description = "Bytes of a file; k, m, g are understood (default: ${DEFAULT-VALUE}).",
      defaultValue = "64m")
  private String fileSize;

  @Option(
      names = "--block-size",
      paramLabel = "BYTES",
      description = "Bytes of a block (default: ${DEFAULT-VALUE}).",
      defaultValue = "16m")
  private String blockSize;

  @Option(
      names = "--replication",
      paramLabel = "COUNT",
      description = "Replicas of a block (default: ${DEFAULT-VALUE}).",
      defaultValue = "3")
  private short replication;

  @Option(
      names = "--repeats",
      paramLabel = "COUNT",
      description = "Repeats of each figure, the median counts (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  private int repeats;

  @Option(
      names = "--directory",
      paramLabel = "PATH",
      description = "Where the files go; must not exist (default: ${DEFAULT-VALUE}).",
      defaultValue = "/benchmarks/tierwise-dfsio")
  private String directory;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Makes content and order again (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  private long seed;

  @Option(names = "--dry-run", description = "Say what would be written and read, and stop.")
  private boolean dryRun;

  @Option(
      names = "--worker",
      paramLabel = "FILE.json",
      description = "Run one process's part of a larger bench and print its report as JSON.")
  private java.nio.file.Path worker;

  @Override
  public Integer call() throws IOException {
    if (worker != null) {
      WorkerPlan plan = DfsioWorker.plan(worker);
      output.out().println(DfsioWorker.toJson(DfsioWorker.run(plan, cluster.configuration())));
      output.out().flush();
      return 0;
    }
    DfsioPlan plan =
        new DfsioPlan(
            files,
            size("--file-size", fileSize),
            size("--block-size", blockSize),
            replication,
            1,
            seed);
    if (repeats < 1) {
      throw OperatorException.badInput("--repeats is " + repeats + ": give at least 1");
    }
    for (String strategy : strategies) {
      ClientKeysFor.access(strategy);
    }
    Configuration conf = cluster.configuration();
    DfsioBench bench =
        new DfsioBench(
            plan,
            placements,
            strategies,
            repeats,
            directory,
            conf,
            new TerminalListener(output, ProgressBar.onTerminal()));
    if (dryRun) {
      say(bench.work());
      return 0;
    }
    // Else Hadoop closes them at Ctrl-C, before the files are removed.
    conf.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
    try (DistributedFileSystem admin = cluster.connect(ClientKeysFor.stock(conf))) {
      Optional<List<BenchRow>> rows = bench.run(admin);
      if (rows.isEmpty()) {
        return ExitCode.INTERRUPTED;
      }
      print(rows.get(), bench.tierNames());
      return 0;
    } catch (IOException | RuntimeException e) {
      refuseTooSmallBlocks(e);
      throw e;
    }
  }

  /** The least size is the NameNode's key, which it tells only by refusing a file. */
  private void refuseTooSmallBlocks(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      String said = String.valueOf(cause.getMessage());
      if (said.contains(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY)) {
        throw OperatorException.badInput(
            "--block-size is " + blockSize + ": " + said.lines().findFirst().orElse(said));
      }
    }
  }

  private void say(DfsioBench.Work work) {
    if (output.json()) {
      output.printJson(work);
      return;
    }
    output
        .out()
        .printf(
            "would write %s in %d files (x %d replicas) to %s on %s, then read %s, and remove"
                + " them%n",
            Words.bytes(work.writtenBytes()),
            work.fileCount(),
            work.replication(),
            work.directory(),
            work.fileSystem(),
            Words.bytes(work.readBytes()));
    output.out().flush();
  }

  private void print(List<BenchRow> rows, List<String> tiers) {
    if (output.json()) {
      output.printJson(Map.of("rows", rows.stream().map(row -> row.columns(tiers)).toList()));
    } else {
      BenchTable.print(output.out(), rows, tiers, rows.get(0));
    }
  }

  private static long size(String option, String text) {
    Matcher size = SIZE.matcher(text.strip());
    try {
      if (size.matches()) {
        return StringUtils.TraditionalBinaryPrefix.string2long(size.group(1) + size.group(2));
      }
    } catch (IllegalArgumentException e) {
      // Too large: said below.
    }
    throw OperatorException.badInput(
        option + " is " + text + ": give bytes, or a number with k, m or g, as 64m, 64mb or 64MiB");
  }
}
