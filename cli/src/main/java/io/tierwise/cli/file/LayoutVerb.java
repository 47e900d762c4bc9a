package io.tierwise.cli.file;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.cli.output.TerminalListener;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.mover.LayoutAnswer;
import io.tierwise.hadoop.mover.LayoutChanges;
import io.tierwise.hadoop.mover.LayoutRun;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.lab.EndedEarly;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that gives paths another layout, and their files as many replicas as that names. */
abstract class LayoutVerb extends ClusterCommand implements LayoutChanges.Verb {
  @Mixin private JournalOptions journal;

  @Mixin private PathsParameter paths;

  @Option(
      names = "--dry-run",
      description = "Say what would change, and what not as wanted; change nothing.")
  private boolean dryRun;

  @Option(
      names = "--anyway",
      description = {
        "Change also where copies get no place as wanted: HDFS puts them into a fallback tier or"
            + " another region, or waits for a node. Else nothing is changed then, and the exit"
            + " code is 1."
      })
  private boolean anyway;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description = "Wait until HDFS has copied and dropped, at most so long.")
  private Integer waitSeconds;

  @Override
  public final Integer call() throws IOException {
    LayoutRun run =
        new LayoutRun(
            this, new LayoutRun.Asked(dryRun, anyway, waitSeconds), new TerminalListener(output));
    Configuration conf = cluster.configuration();
    // Else Hadoop closes it at Ctrl-C, and errors stand beside what is said then.
    MoverCluster.prepare(conf);
    try (EndedEarly early = EndedEarly.saying(output::say, run::stays);
        StoredFiles files = paths.find(conf)) {
      LayoutAnswer answer =
          run.run(MoverCluster.of(files.fs(), conf), files, to -> journal.start(conf, files, to));
      output.answer(answer, () -> answer.lines(waitSeconds).forEach(output::line));
      if (answer.changed()) {
        MoveRun.sayTheId(output, answer.id());
      }
      return ExitCode.failedUnless(answer.complete());
    }
  }
}
