package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.access.ReadReport;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.Server;

/**
 * Tells the strategy what readers say of their reads when they ask where the next block is. Reports
 * of storages that this NameNode has not listed since it started are ignored. Safe for many
 * threads.
 */
final class ReportedReads {
  private static final long MIXER = 0x9E3779B97F4A7C15L;

  private final ReplicaTiers tiers;
  private final LongAdder heard = new LongAdder();

  ReportedReads(ReplicaTiers tiers) {
    this.tiers = tiers;
  }

  /** The call that this thread handles has just begun. */
  void hear(AccessStrategy strategy, long nowMillis) {
    CallerContext context = CallerContext.getCurrent();
    InetAddress reader = Server.getRemoteIp();
    if (context == null || reader == null) {
      return;
    }
    for (ReadReport read : ReadReportText.in(context.getContext())) {
      ReplicaTiers.Storage storage = tiers.numbered(read.device());
      if (storage != null) {
        ReportedReplica replica = new ReportedReplica(tiers, storage, read.remote(), nowMillis);
        strategy.reported(replica, 0, read, hostNumber(reader));
        heard.increment();
      }
    }
  }

  /** The host that called, not the one that it says it is. */
  private static long hostNumber(InetAddress reader) {
    return (Arrays.hashCode(reader.getAddress()) * MIXER) >>> Integer.SIZE;
  }

  long heardCount() {
    return heard.sum();
  }
}
