package io.tierwise.cli.heat;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.audit.HeatCalls;
import io.tierwise.hadoop.inspect.audit.HeatAnswer;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise heat dir}. */
@Command(
    name = "dir",
    description = "Lists the directories whose files were read most often.",
    footer = "  tierwise heat dir --audit-log hdfs-audit.log --below /warehouse --depth 2")
final class HeatDirCommand extends HeatAction {
  @Mixin private Below below;

  @Option(
      names = "--depth",
      paramLabel = "NAMES",
      defaultValue = "1",
      description = "How many names below --below a row is (default: ${DEFAULT-VALUE}).")
  private int depth;

  private int depth() {
    OperatorException.requireAtLeast(1, "--depth", depth);
    return depth;
  }

  @Override
  HeatAnswer answer(LogHeat heat) {
    return heat.directories(below.count(), below.path(), depth());
  }

  @Override
  HeatCalls.Question question() {
    return question(HeatCalls.Kind.DIRECTORIES, below.count(), below.path(), depth(), List.of());
  }
}
