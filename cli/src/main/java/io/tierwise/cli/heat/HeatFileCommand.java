package io.tierwise.cli.heat;

import io.tierwise.hadoop.hdfs.audit.HeatCalls;
import io.tierwise.hadoop.inspect.audit.HeatAnswer;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code tierwise heat file}. */
@Command(
    name = "file",
    description = "Tells how often one file was read.",
    // PATH behind the log's files would be taken for one of them.
    customSynopsis = "tierwise heat file PATH [--audit-log=FILE...] [OPTIONS]",
    footer = "  tierwise heat file /warehouse/part-0 --audit-log hdfs-audit.log")
final class HeatFileCommand extends HeatAction {
  @Parameters(paramLabel = "PATH", description = "The file, as HDFS names it.")
  private String path;

  @Override
  HeatAnswer answer(LogHeat heat) {
    return heat.file(Below.absolute("PATH ", path));
  }

  @Override
  HeatCalls.Question question() {
    return question(HeatCalls.Kind.FILE, 1, Below.absolute("PATH ", path), 0, List.of());
  }
}
