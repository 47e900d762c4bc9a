package io.tierwise.cli.autotier;

import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.hadoop.autotier.Control;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;

/** {@code tierwise autotier resume}. */
@Command(
    name = "resume",
    description = {
      "Takes a pause of the daemon back.",
      "What the last window asked for is done at once."
    })
final class AutotierResumeCommand extends ClusterCommand {
  @Override
  public Integer call() throws IOException {
    Configuration conf = cluster.configuration();
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      Control control = new Control(fs, conf);
      control.resume();
      Control.Status status = control.status();
      output.answer(status, () -> output.fold(status.text()));
      return 0;
    }
  }
}
