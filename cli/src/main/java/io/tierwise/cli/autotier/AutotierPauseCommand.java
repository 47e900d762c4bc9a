package io.tierwise.cli.autotier;

import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.hadoop.autotier.Control;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;

/** {@code tierwise autotier pause}. */
@Command(
    name = "pause",
    description = {
      "Has the daemon change nothing any more, within seconds; it goes on counting reads.",
      "Holds until 'autotier resume', also for a daemon that is started later."
    })
final class AutotierPauseCommand extends ClusterCommand {
  @Override
  public Integer call() throws IOException {
    Configuration conf = cluster.configuration();
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      Control control = new Control(fs, conf);
      control.pause();
      Control.Status status = control.status();
      output.answer(status, () -> output.fold(status.text()));
      return 0;
    }
  }
}
