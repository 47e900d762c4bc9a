package io.tierwise.cli.autotier;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;

/** Directories of this machine, whose client opens no earlier than somebody lets it. */
public final class UnopenedFileSystem extends LocalFileSystem {
  /** Names a file: nothing opens as long as it is there. */
  static final String CLOSED = "tierwise.test.closed";

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    Path closed = Path.of(conf.get(CLOSED));
    while (Files.exists(closed)) {
      try {
        TimeUnit.MILLISECONDS.sleep(100);
      } catch (InterruptedException e) {
        throw new InterruptedIOException("interrupted");
      }
    }
    super.initialize(uri, conf);
  }
}
