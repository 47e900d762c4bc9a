package io.tierwise.cli.bench;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.TerminalListener;
import io.tierwise.core.message.ByteSize;
import io.tierwise.core.message.OperatorException;
import io.tierwise.lab.dfsio.BenchRow;
import io.tierwise.lab.dfsio.BenchTable;
import io.tierwise.lab.dfsio.ClientKeysFor;
import io.tierwise.lab.dfsio.DfsioBench;
import io.tierwise.lab.dfsio.DfsioPlan;
import io.tierwise.lab.dfsio.DfsioWorker;
import io.tierwise.lab.dfsio.WorkerPlan;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tierwise bench dfsio}. */
@Command(
    name = "dfsio",
    description = {
      "Writes and reads files like TestDFSIO, by placement and by access strategy.",
      "All tasks run in this process, on this host. Files are removed at the end. Needs HDFS's"
          + " superuser.",
      "A placement or strategy named 'stock' is HDFS's own. Where the NameNode orders replicas by"
          + " a strategy, a stock client reads by that, and its row says so; auto is measured there"
          + " alone."
    },
    footer = "  tierwise bench dfsio --files 8 --file-size 256m --dry-run")
public final class DfsioCommand extends ClusterCommand {
  private static final String STOCK = "stock";

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
      description = "Bytes of a file (" + ByteSize.UNITS_HELP + "; default: ${DEFAULT-VALUE}).",
      defaultValue = "64m")
  private String fileSize;

  @Option(
      names = "--block-size",
      paramLabel = "BYTES",
      description = "Bytes of a block, as above (default: ${DEFAULT-VALUE}).",
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
      output.line(DfsioWorker.toJson(DfsioWorker.run(plan, cluster.configuration())));
      return 0;
    }
    DfsioPlan plan =
        new DfsioPlan(
            files,
            ByteSize.parse("--file-size", fileSize),
            ByteSize.parse("--block-size", blockSize),
            replication,
            1,
            seed);
    Configuration conf = cluster.configuration();
    DfsioBench bench =
        new DfsioBench(
            plan, placements, strategies, repeats, directory, conf, new TerminalListener(output));
    if (dryRun) {
      DfsioBench.Work work = bench.work();
      output.answer(work, () -> output.line(work.text()));
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
      Optional<String> refusal = DfsioBench.blocksTooSmall(e);
      if (refusal.isPresent()) {
        throw OperatorException.badInput("--block-size is " + blockSize + ": " + refusal.get());
      }
      throw e;
    }
  }

  private void print(List<BenchRow> rows, List<String> tiers) {
    BenchTable table = BenchTable.of(rows, tiers);
    output.answer(
        Map.of("rows", rows.stream().map(row -> row.columns(tiers)).toList()),
        () -> Output.print(table.table(), table.legend(), output.out()));
  }
}
