package io.tierwise.hadoop.mover;

import io.tierwise.policies.movement.Watermarks;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A real HDFS of three nodes with a small SSD each, and flushes of it. */
abstract class FlushCluster {
  static final long MB = 1 << 20;
  static final int NODES = 3;
  static final long SSD_BYTES = 16 * MB;
  static final Watermarks MARKS = new Watermarks(0.7, 0.5);

  @TempDir java.nio.file.Path folder;
  LiveCluster cluster;

  final void start(long diskBytes) throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    LiveCluster.haveHdfsHurry(conf);
    StorageType[][] types = new StorageType[NODES][];
    long[][] capacities = new long[NODES][];
    for (int node = 0; node < NODES; node++) {
      types[node] = LiveCluster.BOTH;
      capacities[node] = new long[] {SSD_BYTES, diskBytes};
    }
    cluster = LiveCluster.start(conf, new String[] {"/a", "/a", "/b"}, types, capacities);
  }

  @AfterEach
  final void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  final TierFlush flush() throws IOException {
    return flush(Long.MAX_VALUE);
  }

  final TierFlush flush(long bytesMax) throws IOException {
    return TierFlush.of(
        cluster.cluster(),
        LiveCluster.quick(),
        "/",
        "ssd",
        MARKS,
        "oldest",
        bytesMax,
        new FlushFiles());
  }

  /** Files of a block each, the first one the oldest. */
  final void write(String directory, int files, int replicas) throws IOException {
    for (int i = 0; i < files; i++) {
      Path file = cluster.write(String.format("%s/f%02d", directory, i), 1, replicas);
      cluster.fs().setTimes(file, 1_000_000L * (i + 1), -1);
    }
    cluster.tellOfVolumes();
  }

  final long ssdUsed() throws IOException {
    cluster.tellOfVolumes();
    return flush().plan().usedBytes();
  }

  final String types(String file) throws IOException {
    return cluster.typesOf(new Path(file)).get(0);
  }
}
