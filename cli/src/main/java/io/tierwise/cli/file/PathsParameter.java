package io.tierwise.cli.file;

import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Parameters;

/** The files that a command is about; mixed into every command about stored files. */
public final class PathsParameter {
  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description = "Files and directories, all of one cluster.")
  private List<String> paths;

  /** Connects, and looks whether each is there. */
  public StoredFiles find(Configuration conf) throws IOException {
    return StoredFiles.find(conf, paths);
  }
}
