package io.tierwise.hadoop.mover;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RPC;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has DataNodes report their blocks after a failover (docs/decisions/0117).
 *
 * <p>A NameNode that takes over drops no replica too many while one of the block's DataNodes has
 * not reported all its blocks to it since: for up to six hours ({@code
 * dfs.blockreport.intervalMsec}). A move between nodes would not come to its end before. So the
 * nodes of blocks that wait are asked to report when it is their {@linkplain ReportTurns turn}.
 *
 * <p>Source: Apache Hadoop 3.5.0, {@code BlockManager.processExtraRedundancyBlock}, {@code
 * DatanodeStorageInfo.areBlockContentsStale}; the call is that of {@code hdfs dfsadmin
 * -triggerBlockReport}.
 */
final class FreshReports implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(FreshReports.class);
  private static final int CALL_MILLIS_MAX = 10_000;

  private final DistributedFileSystem fs;
  private final Configuration conf;
  private final boolean byHostName;
  private final ReportTurns turns = new ReportTurns();
  private final ExecutorService calls;
  private final boolean pair;

  /** Whether a question waits or is under way: blocks that are late come again. */
  private final AtomicBoolean asks = new AtomicBoolean();

  FreshReports(DistributedFileSystem fs, Configuration given) {
    this(
        fs,
        given,
        Executors.newSingleThreadExecutor(task -> RunThreads.daemon(task, "mover-reports")));
  }

  FreshReports(DistributedFileSystem fs, Configuration given, ExecutorService calls) {
    this.fs = fs;
    this.calls = calls;
    this.conf = new Configuration(given);
    // Nobody waits for a node that is down.
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    conf.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 1);
    this.byHostName =
        conf.getBoolean(
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    this.pair = HAUtil.isHAEnabled(conf, fs.getUri().getHost());
  }

  /** Null when nobody says that it is active at this moment. */
  private InetSocketAddress active() {
    try {
      return HAUtil.getAddressOfActive(fs);
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** HDFS is slow to drop a replica of the block; returns at once. */
  void late(LocatedBlock block) {
    DatanodeInfo[] nodes = block.getLocations();
    // A single NameNode that starts is sent full reports by all.
    if (pair && asks.compareAndSet(false, true)) {
      calls.execute(() -> askOnce(nodes));
    }
  }

  private void askOnce(DatanodeInfo[] nodes) {
    try {
      ask(nodes);
    } finally {
      asks.set(false);
    }
  }

  private void ask(DatanodeInfo[] nodes) {
    InetSocketAddress now = active();
    if (now == null) {
      return;
    }
    turns.due(now, nodes, System.nanoTime()).forEach(this::ask);
  }

  private void ask(DatanodeInfo node) {
    ClientDatanodeProtocol proxy = null;
    try {
      proxy =
          DFSUtilClient.createClientDatanodeProtocolProxy(node, conf, CALL_MILLIS_MAX, byHostName);
      proxy.triggerBlockReport(new BlockReportOptions.Factory().setIncremental(false).build());
    } catch (IOException e) {
      LOG.debug("{} does not report its blocks", node, e);
    } finally {
      if (proxy != null) {
        RPC.stopProxy(proxy);
      }
    }
  }

  @Override
  public void close() {
    calls.shutdownNow();
  }
}
