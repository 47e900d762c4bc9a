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

  /**
   * A router of a federation puts it into the context of a call that it passes on. A process that
   * reads takes several routers, and would be several hosts: none of that is heard.
   */
  private static final String ROUTED = CallerContext.CLIENT_IP_STR + ":";

  private final ReplicaTiers tiers;
  private final LongAdder heard = new LongAdder();

  ReportedReads(ReplicaTiers tiers) {
    this.tiers = tiers;
  }

  /** The reports of the reader whose call this thread handles; null when it sends none. */
  static String told() {
    CallerContext context = CallerContext.getCurrent();
    return context == null ? null : context.getContext();
  }

  /**
   * The call that this thread handles, of that reader, has just begun.
   *
   * @param told by the reader
   * @param queuedMillis that it waited before: for so much longer its reads are over
   */
  void hear(AccessStrategy strategy, ReadPath.Reader reader, String told, long queuedMillis) {
    InetAddress address = Server.getRemoteIp();
    if (address == null || told.contains(ROUTED)) {
      return;
    }
    for (ReadReport read : ReadReportText.in(told)) {
      ReplicaTiers.Storage storage = tiers.numbered(read.device());
      long agoMillis = read.agoMillis() + queuedMillis;
      if (storage != null && agoMillis <= ReadReport.AGO_MILLIS_MAX) {
        ReportedReplica replica = new ReportedReplica(tiers, storage, read.remote(), reader);
        strategy.reported(replica, 0, read.ended(agoMillis), hostNumber(address));
        heard.increment();
      }
    }
  }

  /** The host that called, not the one that it says it is. */
  private static long hostNumber(InetAddress address) {
    return (Arrays.hashCode(address.getAddress()) * MIXER) >>> Integer.SIZE;
  }

  long heardCount() {
    return heard.sum();
  }
}
