package io.tierwise.cli.heat;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.audit.HeatCalls;
import io.tierwise.hadoop.inspect.audit.HeatAnswer;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import io.tierwise.policies.heat.TableNames;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tierwise heat table}. */
@Command(
    name = "table",
    description = {
      "Lists the tables whose files were read most often.",
      "A table is what a pattern matches, or else what stands above the first partition, such as"
          + " year=2026."
    },
    footer = "  tierwise heat table --audit-log hdfs-audit.log")
final class HeatTableCommand extends HeatAction {
  @Option(
      names = "--pattern",
      paramLabel = "PATH",
      description = "A table's directory, with * within a name (default: where Hive puts tables).")
  private List<String> patterns = TableNames.DEFAULTS;

  @Option(
      names = "--count",
      paramLabel = "COUNT",
      defaultValue = "20",
      description = "Rows at most (default: ${DEFAULT-VALUE}).")
  private int count;

  @Override
  HeatAnswer answer(LogHeat heat) {
    return heat.tables(count, checkedPatterns());
  }

  @Override
  HeatCalls.Question question() {
    return question(HeatCalls.Kind.TABLES, count, "/", 0, checkedPatterns());
  }

  private List<String> checkedPatterns() {
    OperatorException.requireAtLeast(1, "--count", count);
    try {
      new TableNames(patterns).of("/");
      return patterns;
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput("--pattern: " + e.getMessage());
    }
  }
}
