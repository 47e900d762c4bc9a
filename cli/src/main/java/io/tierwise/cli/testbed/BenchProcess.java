package io.tierwise.cli.testbed;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.Output;
import io.tierwise.lab.dfsio.BenchTable;
import io.tierwise.lab.testbed.bench.BenchReport;
import io.tierwise.lab.testbed.bench.BenchSettings;
import io.tierwise.lab.testbed.bench.TestbedBench;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The process of {@code tierwise testbed bench} inside the NameNode's node. The command outside
 * passes its output on.
 */
final class BenchProcess {
  private BenchProcess() {}

  /** Takes the file with the settings; exit code 0 when all was measured. */
  public static void main(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    // The prints of libraries go to the log, beside the errors.
    System.setOut(System.err);
    int exitCode = 0;
    try (TestbedBench bench =
        new TestbedBench(BenchSettings.read(Path.of(arguments[0])), out::println)) {
      print(bench.run(), out);
    } catch (IOException | RuntimeException e) {
      e.printStackTrace(System.err);
      exitCode = ExitCode.CLUSTER;
    }
    System.exit(exitCode);
  }

  private static void print(BenchReport report, PrintWriter out) {
    for (BenchReport.Comparison each : report.comparisons()) {
      out.println();
      out.println(each.title());
      BenchTable table = BenchTable.of(each.rows(), BenchReport.TIERS);
      Output.print(table.table(), table.legend(), out);
    }
    out.println();
    report.remarks().forEach(out::println);
  }
}
