package io.tierwise.cli.autotier;

import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.hadoop.autotier.Control;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Asks something of the daemon by HDFS, and says what it does then. */
abstract class ControlAction extends ClusterCommand {
  /** Asks for nothing but its status. */
  void ask(Control control) throws IOException {}

  /** Does something with the answer. */
  void seen(Control.Status status) {}

  @Override
  public Integer call() throws IOException {
    Configuration conf = cluster.configuration();
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      new NameNodePlugin(fs, conf).ofActive().requireNameNode();
      Control control = new Control(fs, conf);
      ask(control);
      Control.Status status = control.status();
      seen(status);
      output.answer(status, () -> output.fold(status.text()));
      return 0;
    }
  }
}
