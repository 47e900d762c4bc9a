package io.tierwise.cli.autotier;

import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.hadoop.autotier.Control;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;

/** {@code tierwise autotier status}. */
@Command(
    name = "status",
    description = {
      "Says whether the daemon runs, who paused it, and what it did last.",
      "It asks HDFS, where the daemon tells of itself: from any machine."
    })
final class AutotierStatusCommand extends ClusterCommand {
  @Override
  public Integer call() throws IOException {
    Configuration conf = cluster.configuration();
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      Control control = new Control(fs, conf);
      Control.Status status = control.status();
      output.answer(status, () -> output.fold(status.text()));
      return 0;
    }
  }
}
