package io.tierwise.lab.dfsio;

import io.tierwise.hadoop.hdfs.client.ReadCounts;
import io.tierwise.hadoop.hdfs.client.TierwiseFileSystem;
import org.apache.hadoop.fs.FileSystem;

/** How often a client was refused a read. A stock client does not count. */
final class ReadRefusals {
  private ReadRefusals() {}

  static long of(FileSystem client) {
    return client instanceof TierwiseFileSystem tierwise
        ? tierwise.readStatistics().map(ReadCounts::refusals).orElse(0L)
        : 0;
  }
}
