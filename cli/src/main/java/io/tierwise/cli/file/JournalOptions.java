package io.tierwise.cli.file;

import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
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
  Journal journal(Configuration conf) {
    if (directory != null) {
      return new Journal(directory);
    }
    String configured = conf.getTrimmed(Journal.DIRECTORY_KEY, "");
    return new Journal(configured.isEmpty() ? Journal.defaultDirectory() : Path.of(configured));
  }

  /** Begins the journal of this command's run. */
  public JournalRun begin(
      Configuration conf, DistributedFileSystem fs, List<String> paths, String to)
      throws IOException {
    return begin(journal(conf), fs, paths, to, null);
  }

  JournalRun begin(
      Journal journal, DistributedFileSystem fs, List<String> paths, String to, String undoes)
      throws IOException {
    String name = command.qualifiedName();
    return journal.begin(
        name.substring(name.indexOf(' ') + 1),
        UserGroupInformation.getCurrentUser().getShortUserName(),
        fs.getUri().toString(),
        paths,
        to,
        undoes);
  }
}
