package io.tierwise.cli.file;

import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where the journal is; mixed into every command that writes or reads it. */
public final class JournalOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--journal",
      paramLabel = "DIR",
      description =
          "Directory of the journal (default: the key "
              + Journal.DIRECTORY_KEY
              + ", else ~/.tierwise/journal).")
  private Path directory;

  /** The journal that the option, the configuration, or nobody names. */
  public Journal journal(Configuration conf) {
    return Journal.in(directory, conf);
  }

  /** Whether the option or the configuration names the directory. */
  boolean isNamed(Configuration conf) {
    return directory != null || !conf.getTrimmed(Journal.DIRECTORY_KEY, "").isEmpty();
  }

  /** Begins the journal of a run of this command. */
  public JobRun.Start start(Configuration conf, StoredFiles files, String to) {
    return start(conf, files.fs(), files.plainPaths(), to);
  }

  /** The same about these paths. */
  public JobRun.Start start(Configuration conf, FileSystem fs, List<String> paths, String to) {
    return () -> journal(conf).begin(name(), fs, paths, to, null);
  }

  /** Begins the journal of a run that takes one back. */
  JobRun.Start start(Journal journal, FileSystem fs, PastRun past) {
    String id = past.begin().id();
    return () -> journal.begin(name(), fs, past.begin().paths(), "undo " + id, id);
  }

  private String name() {
    String name = command.qualifiedName();
    return name.substring(name.indexOf(' ') + 1);
  }
}
