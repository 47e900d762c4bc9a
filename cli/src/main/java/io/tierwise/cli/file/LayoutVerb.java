package io.tierwise.cli.file;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.Output;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.FileTiers;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that gives paths another layout, and their files as many replicas as that names. */
abstract class LayoutVerb implements Callable<Integer> {
  private static final long POLL_MILLIS = 500;

  @Mixin private ClusterOptions cluster;
  @Mixin private JournalOptions journal;
  @Mixin private Output output;

  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description = "Files and directories, all of one cluster.")
  private List<String> paths;

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
   * @param blocksPending that still have too many or too few replicas; null when nobody looked
   */
  private record Answer(
      String id, boolean changed, List<FileTiers.Change> paths, Long blocksPending) {}

  /** What is to change at a path. */
  abstract FileTiers.Change change(MoverCluster known, String path) throws IOException;

  @Override
  public final Integer call() throws IOException {
    if (waitSeconds != null && waitSeconds < 1) {
      throw OperatorException.badInput("--wait " + waitSeconds + " is too little: give 1 or more");
    }
    Configuration conf = cluster.configuration();
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    try (StoredFiles files = StoredFiles.find(cluster, conf, paths)) {
      MoverCluster known = MoverCluster.of(files.fs(), conf);
      FileTiers tiers = new FileTiers(known);
      files.requireNoRoot();
      List<FileTiers.Change> changes = new ArrayList<>();
      for (String path : files.plainPaths()) {
        changes.add(change(known, path));
      }
      String id = dryRun ? null : apply(conf, files, tiers, changes);
      Long pending = dryRun || waitSeconds == null ? null : awaitReplicas(tiers, changes);
      print(new Answer(id, !dryRun, changes, pending));
      if (id != null) {
        MoveRun.sayTheId(output, id);
      }
      return pending == null || pending == 0 ? 0 : ExitCode.FAILED;
    }
  }

  private String apply(
      Configuration conf, StoredFiles files, FileTiers tiers, List<FileTiers.Change> changes)
      throws IOException {
    String after = changes.get(0).after();
    try (JournalRun run = journal.begin(conf, files.fs(), files.plainPaths(), after)) {
      long done = 0;
      for (FileTiers.Change change : changes) {
        done += tiers.apply(change, run);
      }
      run.append(new JournalEntry.End(done, 0, List.of(), false));
      return run.id();
    }
  }

  private long awaitReplicas(FileTiers tiers, List<FileTiers.Change> changes) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(waitSeconds);
    long pending = pending(tiers, changes);
    while (pending > 0 && System.nanoTime() < end) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("ended while it waited");
      }
      pending = pending(tiers, changes);
    }
    return pending;
  }

  private static long pending(FileTiers tiers, List<FileTiers.Change> changes) throws IOException {
    long sum = 0;
    for (FileTiers.Change change : changes) {
      sum += tiers.blocksPending(change.path());
    }
    return sum;
  }

  private void print(Answer answer) {
    if (output.json()) {
      output.printJson(answer);
      return;
    }
    for (FileTiers.Change change : answer.paths()) {
      output.out().println(Fold.text(line(change, answer.changed())));
    }
    if (answer.blocksPending() != null) {
      output
          .out()
          .println(
              answer.blocksPending() == 0
                  ? "all blocks have their replicas"
                  : Words.count(answer.blocksPending(), "block")
                      + " had too many or too few replicas after "
                      + waitSeconds
                      + " s");
    }
    output.out().flush();
  }

  private static String line(FileTiers.Change change, boolean changed) {
    String before = change.before() == null ? "stock HDFS" : change.before();
    return Words.plain(change.path())
        + (changed ? " is" : " would be")
        + " under "
        + Words.plain(change.after())
        + " (before: "
        + Words.plain(before)
        + "): "
        + Words.count(change.replicas(), "replica")
        + " a file; "
        + change.filesToChange()
        + " of "
        + Words.count(change.files(), "file")
        + (changed ? " had" : " have")
        + " another number, "
        + Words.bytes(change.comingBytes())
        + (changed ? " come" : " would come")
        + " and "
        + Words.bytes(change.goingBytes())
        + (changed ? " go" : " would go")
        + (change.filesLeftOut() == 0
            ? ""
            : "; left to HDFS, which has rules of its own for them: "
                + Words.count(change.filesLeftOut(), "file"));
  }
}
