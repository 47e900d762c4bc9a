package io.tierwise.cli.heat;

import io.tierwise.hadoop.hdfs.audit.HeatCalls;
import io.tierwise.hadoop.inspect.audit.HeatAnswer;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tierwise heat top}. */
@Command(
    name = "top",
    description = {
      "Lists the files that were read most often of late: by the reads of the last three windows"
          + " (--window), then by all reads.",
      "Opens of one reader that follow each other count as one read. Files beyond --files are"
          + " estimated, and never too low."
    },
    footer = "  tierwise heat top --audit-log hdfs-audit.log --count 10")
final class HeatTopCommand extends HeatAction {
  @Mixin private Below below;

  @Override
  HeatAnswer answer(LogHeat heat) {
    return heat.top(below.count(), below.path());
  }

  @Override
  HeatCalls.Question question() {
    return question(HeatCalls.Kind.TOP, below.count(), below.path(), 0, List.of());
  }
}
