package io.tierwise.cli.file;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.mover.FileTiers;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.LayoutChanges;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.lab.EndedEarly;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that gives paths another layout, and their files as many replicas as that names. */
abstract class LayoutVerb extends ClusterCommand {
  @Mixin private JournalOptions journal;

  @Mixin private PathsParameter paths;

  @Option(names = "--dry-run", description = "Say what would change; change nothing.")
  private boolean dryRun;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description = "Wait until HDFS has copied and dropped, at most so long.")
  private Integer waitSeconds;

  /**
   * The answer as {@code --json} prints it.
   *
   * @param id of the run in the journal; null when nothing was changed
   * @param blocksPending that still have too many or too few replicas; null when nobody knows
   */
  private record Answer(
      String id, boolean changed, List<FileTiers.Change> paths, Long blocksPending) {}

  /** Of the run in the journal; null until something is changed. */
  private volatile String id;

  /** The change at a path. */
  abstract FileTiers.Change change(MoverCluster known, String path) throws IOException;

  @Override
  public final Integer call() throws IOException {
    if (waitSeconds != null) {
      OperatorException.requireAtLeast(1, "--wait", waitSeconds);
    }
    Configuration conf = cluster.configuration();
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    // Else Hadoop closes it at Ctrl-C, and errors stand beside what is said then.
    conf.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
    try (EndedEarly early = EndedEarly.saying(output::say, this::stays);
        StoredFiles files = paths.find(conf)) {
      MoverCluster known = MoverCluster.of(files.fs(), conf);
      LayoutChanges all = LayoutChanges.of(known, files, this::change);
      boolean waits = waitSeconds != null && !dryRun;
      long end = System.nanoTime() + (waits ? TimeUnit.SECONDS.toNanos(waitSeconds) : 0);
      if (waits && all.awaitEarlier(end, waitSeconds)) {
        all = LayoutChanges.of(known, files, this::change);
      }
      LayoutChanges.Made made = make(all, files, conf, end);
      print(new Answer(made.id(), !dryRun, all.changes(), made.blocksPending()), made);
      if (!dryRun) {
        MoveRun.sayTheId(output, made.id());
      }
      return ExitCode.failedUnless(!made.isUndone());
    }
  }

  private LayoutChanges.Made make(
      LayoutChanges all, StoredFiles files, Configuration conf, long end) throws IOException {
    if (dryRun) {
      return new LayoutChanges.Made(null);
    }
    JobRun.Start begun = journal.start(conf, files, all.changes().get(0).after());
    JobRun.Start start =
        () -> {
          JournalRun run = begun.begin();
          id = run.id();
          return run;
        };
    return waitSeconds == null ? all.apply(start) : all.applyAndWait(start, end);
  }

  private String stays() {
    return id == null
        ? "nothing was changed"
        : String.format(
            "HDFS goes on with what was changed: 'tierwise journal %s' tells it, 'tierwise undo %s'"
                + " takes it back",
            id, id);
  }

  private void print(Answer answer, LayoutChanges.Made made) {
    if (output.json()) {
      output.printJson(answer);
      if (made.unknown() != null) {
        output.say(made.waited(waitSeconds));
      }
      return;
    }
    answer.paths().forEach(change -> output.fold(change.text(answer.changed())));
    if (waitSeconds != null && !dryRun) {
      output.line(made.waited(waitSeconds));
    }
  }
}
