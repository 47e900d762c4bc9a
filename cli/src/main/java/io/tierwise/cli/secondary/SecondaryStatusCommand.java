package io.tierwise.cli.secondary;

import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.cli.file.PathsParameter;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.secondary.SecondaryStatus;
import io.tierwise.hadoop.secondary.SecondaryTier;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says where the bytes of files are. */
@Command(
    name = "status",
    description = {
      "Counts the files whose bytes are in HDFS, in the secondary store, or in both.",
      "Changes nothing, and does not ask the store: 'tierwise secondary verify' does."
    },
    footer = "  tierwise secondary status /warehouse")
final class SecondaryStatusCommand extends ClusterCommand {
  @Mixin private PathsParameter paths;

  @Override
  public Integer call() throws IOException {
    Configuration conf = cluster.configuration();
    SecondaryTier.prepare(conf);
    try (StoredFiles files = paths.find(conf);
        SecondaryTier tier = SecondaryTier.of(files.fs(), conf)) {
      SecondaryStatus status = SecondaryStatus.of(tier, files.plainPaths());
      output.answer(
          status,
          () -> {
            output.table(status.table());
            output.fold(status.text());
          });
      return 0;
    }
  }
}
