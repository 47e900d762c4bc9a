package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.inspect.audit.FollowedLogs;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import io.tierwise.hadoop.inspect.audit.NameNodeLogs;
import io.tierwise.policies.heat.HeatReport;
import io.tierwise.policies.rules.FileFacts;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtilClient;

/** The reads that the logs of a cluster's NameNodes tell of, and for how long they tell of all. */
final class ReadHistory {
  private final LogHeat heat;
  private final List<NameNodeLogs.Source> sources;
  private final int nameNodes;
  private Supplier<Optional<NameNodeLogs.Covered>> covered = Optional::empty;

  /** Reads nothing yet. */
  ReadHistory(LogHeat heat, List<NameNodeLogs.Source> sources, DistributedFileSystem fs) {
    this.heat = heat;
    this.sources = sources;
    nameNodes = nameNodes(fs);
  }

  /** Counts observers, too. A client that names one NameNode by its host knows of no other. */
  private static int nameNodes(DistributedFileSystem fs) {
    URI cluster = fs.getUri();
    return HAUtilClient.isLogicalUri(fs.getConf(), cluster)
        ? DFSUtilClient.getNameNodeIds(fs.getConf(), cluster.getHost()).size()
        : 1;
  }

  /** Reads the logs as they are now. */
  void read() throws IOException {
    NameNodeLogs.Covered now = heat.read(sources);
    covered = () -> Optional.of(now);
  }

  /** Reads them while they are written. */
  void follow(long everyMillis, Runnable each, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    try (FollowedLogs logs = heat.open(sources)) {
      covered = () -> logs.isCaughtUp() ? Optional.of(logs.covered()) : Optional.empty();
      heat.follow(logs, everyMillis, each, stopped);
    }
  }

  HeatReport report() {
    return heat.report();
  }

  /** The time that ends now in which each read is known; none while the logs are being read. */
  FileFacts.Counted counted(double nowSeconds) {
    int logCount = sources.size();
    if (logCount < nameNodes) {
      return new FileFacts.Counted(
          0,
          "of "
              + nameNodes
              + " NameNodes' logs "
              + logCount
              + (logCount == 1 ? " is" : " are")
              + " read: give --audit-log for each");
    }
    Optional<NameNodeLogs.Covered> read = covered.get();
    if (read.isEmpty()) {
      return new FileFacts.Counted(0, "what the logs held at first is being read");
    }
    NameNodeLogs.Heard heard = read.get().until((long) (nowSeconds * 1e3));
    return new FileFacts.Counted(heard.seconds(), heard.why());
  }
}
