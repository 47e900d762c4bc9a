package io.tierwise.cli.heat;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.audit.HeatAnswer;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise heat dir}. */
@Command(name = "dir", description = "Lists the directories whose files were read most often.")
final class HeatDirCommand extends HeatAction {
  @Mixin private Below below;

  @Option(
      names = "--depth",
      paramLabel = "NAMES",
      defaultValue = "1",
      description = "How many names below --below a row is (default: ${DEFAULT-VALUE}).")
  private int depth;

  @Override
  HeatAnswer answer(LogHeat heat) {
    OperatorException.requireAtLeast(1, "--depth", depth);
    return heat.directories(below.count(), below.path(), depth);
  }
}
