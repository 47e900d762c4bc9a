package io.tierwise.hadoop.mover;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The movers of other name services that share DataNodes with this one. Each name service has a
 * lock of its own, so that several may move at once; where n do on a node, each keeps the n-th part
 * of its limits there (docs/decisions/0157).
 *
 * <p>The name services are those whose DataNodes are one cluster's by Hadoop's settings ({@code
 * dfs.internal.nameservices}, else {@code dfs.nameservices}). Clients often name other clusters
 * there as well: a name service that shares no DataNode is asked seldom. What goes wrong is kept
 * for {@link #unseen}, and holds nobody up.
 */
final class OtherMovers implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(OtherMovers.class);

  /** As often as by default DataNodes tell their NameNode how busy they are. */
  private static final long REST_MILLIS = TimeUnit.SECONDS.toMillis(3);

  /** Own: DataNodes join a second name service when an operator sets that up. */
  private static final long APART_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Own: what has never answered is likely another cluster, behind a wall. */
  private static final long UNKNOWN_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Own: a NameNode that works answers within a second. */
  private static final int CALL_MILLIS_MAX = 5_000;

  private final Configuration conf;
  private final String own;
  private final ForegroundWatch.Question ownNodes;
  private final List<Other> others = new ArrayList<>();
  private final CountDownLatch first = new CountDownLatch(1);
  private volatile Map<String, Integer> byNode = Map.of();
  private volatile boolean closed;
  private Thread thread;
  private String problem;

  /** What is known of the DataNodes of another name service. */
  private enum Sharing {
    UNKNOWN,
    NOTHING,
    NODES
  }

  /** Another name service. */
  private static final class Other implements Closeable {
    private final URI uri;
    private DistributedFileSystem fs;
    private String blockPoolId;
    private List<String> nodes = List.of();
    private long answeredNanos = System.nanoTime();

    private Sharing sharing = Sharing.UNKNOWN;
    private long nextNanos = answeredNanos;

    Other(URI uri) {
      this.uri = uri;
    }

    private void connect(Configuration conf) throws IOException {
      if (fs == null) {
        DistributedFileSystem connected = new DistributedFileSystem();
        connected.initialize(uri, conf);
        fs = connected;
      }
      if (blockPoolId == null) {
        blockPoolId =
            NameNodeProxies.createProxy(conf, uri, NamenodeProtocol.class)
                .getProxy()
                .versionRequest()
                .getBlockPoolID();
      }
    }

    /** Asks for the nodes on which its mover may move now, and decides when to ask again. */
    private void ask(OtherMovers movers) throws IOException {
      connect(movers.conf);
      if (sharing != Sharing.NODES) {
        boolean apart = blockPoolId.equals(movers.own) || !sharesANode(movers.ownNodes);
        sharing = apart ? Sharing.NOTHING : Sharing.NODES;
      }
      boolean shares = sharing == Sharing.NODES;
      nodes = shares && isLocked() ? nodes(DatanodeReportType.LIVE) : List.of();
      answeredNanos = System.nanoTime();
      nextNanos = answeredNanos + (shares ? 0 : APART_NANOS);
    }

    /** Also by nodes that are down just now. */
    private boolean sharesANode(ForegroundWatch.Question ownNodes) throws IOException {
      Set<String> all = new HashSet<>(nodes(DatanodeReportType.ALL));
      return ownNodes.liveNodes().stream().anyMatch(node -> all.contains(node.getDatanodeUuid()));
    }

    private List<String> nodes(DatanodeReportType which) throws IOException {
      return Stream.of(fs.getClient().datanodeReport(which))
          .map(DatanodeInfo::getDatanodeUuid)
          .toList();
    }

    /** A name service that does not answer is no sign of a mover that is gone. */
    private void gaveNoAnswer() {
      long now = System.nanoTime();
      if (now - answeredNanos > ForegroundWatch.BELIEVED_NANOS_MAX) {
        nodes = List.of();
      }
      nextNanos = now + (sharing == Sharing.NODES ? 0 : UNKNOWN_NANOS);
    }

    private boolean isLocked() throws IOException {
      try {
        return !fs.isFileClosed(MoverConnection.LOCK);
      } catch (FileNotFoundException e) {
        return false;
      }
    }

    @Override
    public void close() {
      try {
        if (fs != null) {
          fs.close();
        }
      } catch (IOException e) {
        LOG.debug("cannot close the connection to {}", uri, e);
      }
    }
  }

  private OtherMovers(Configuration given, String own, ForegroundWatch.Question ownNodes) {
    this.own = own;
    this.ownNodes = ownNodes;
    this.conf = new Configuration(given);
    conf.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
    // Nobody waits for one that is down.
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    conf.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 1);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, CALL_MILLIS_MAX);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, CALL_MILLIS_MAX);
    conf.setInt(HdfsClientConfigKeys.Failover.MAX_ATTEMPTS_KEY, 2);
  }

  /**
   * @param own the block pool of the name service itself, which may be known by several names
   * @param ownNodes answers with its DataNodes
   */
  static OtherMovers of(Configuration conf, String own, ForegroundWatch.Question ownNodes) {
    OtherMovers movers = new OtherMovers(conf, own, ownNodes);
    Collection<URI> uris = DFSUtil.getInternalNsRpcUris(conf);
    if (uris.size() > 1) {
      uris.forEach(uri -> movers.others.add(new Other(uri)));
    }
    return movers;
  }

  /** Whether there is any other name service. */
  boolean mayBe() {
    return !others.isEmpty();
  }

  /** Begins to ask, and waits for a moment for the first answers. */
  void start() {
    if (mayBe()) {
      thread = RunThreads.daemon(this::watch, "mover-others");
      thread.start();
      try {
        boolean unused = first.await(CALL_MILLIS_MAX, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The part of a node's limits that this mover keeps. */
  double part(String nodeId) {
    return 1.0 / (1 + byNode.getOrDefault(nodeId, 0));
  }

  /** A line for people: the movers that nobody could be asked about; null when there is none. */
  synchronized String unseen() {
    return problem;
  }

  private void watch() {
    try {
      while (!closed) {
        look();
        first.countDown();
        TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
      }
    } catch (InterruptedException e) {
      // The mover is closed.
      Thread.currentThread().interrupt();
    } finally {
      others.forEach(Other::close);
    }
  }

  private void look() {
    Map<String, Integer> counts = new HashMap<>();
    for (Other other : others) {
      try {
        if (other.nextNanos - System.nanoTime() <= 0) {
          other.ask(this);
        }
      } catch (IOException | RuntimeException e) {
        if (other.sharing != Sharing.NOTHING) {
          unseen(other.uri, e);
        }
        other.gaveNoAnswer();
      }
      other.nodes.forEach(node -> counts.merge(node, 1, Integer::sum));
    }
    byNode = counts;
  }

  private synchronized void unseen(URI uri, Exception why) {
    LOG.debug("{} does not say whether a mover runs there", uri, why);
    if (problem == null && !closed) {
      problem =
          "moves could not always share nodes with a mover of "
              + uri
              + ", which did not say whether one runs ("
              + String.valueOf(why.getMessage()).lines().findFirst().orElse("no reason given")
              + "): give each mover its part of the bandwidths";
    }
  }

  @Override
  public void close() {
    closed = true;
    if (thread != null) {
      thread.interrupt();
    }
  }
}
