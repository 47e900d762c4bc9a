package io.tierwise.hadoop.hdfs.client;

import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.Versions;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.ReadReport;
import io.tierwise.policies.access.ReadSpeeds;
import io.tierwise.policies.access.SlowReads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DFSStripedInputStream;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.Time;

/**
 * An HDFS client whose reads follow access strategies.
 *
 * <p>Every stream asks its client for block locations, for its dead nodes and for connections; this
 * client answers all three: with the strategy's order, with dead nodes that are forgotten from one
 * block to the next when the strategy says so, and with the knowledge whether a node was reached.
 */
public final class TierwiseClient extends DFSClient {
  private final DFSClient owner;
  private final StrategySelector strategies;
  private final LocatedBlockOrder order;
  private final TierReads counts;
  private final ReadTracker tracker;
  private final ReadSpeeds speeds = new ReadSpeeds();
  private final long promptNanos;
  private final boolean countStock;
  private final boolean mayAskForEachBlock;
  private final String contextSeparator;
  private final OnceLog failures = new OnceLog("reads are not followed, stock HDFS reads on");
  private final ThreadLocal<RetryRounds> rounds =
      ThreadLocal.withInitial(() -> new RetryRounds(System::nanoTime));

  /** Null where rounds over all replicas are as long and as many as stock's. */
  private final DfsClientConf bounding;

  private TierwiseClient(
      DFSClient owner,
      URI uri,
      Configuration conf,
      FileSystem.Statistics statistics,
      TierConfiguration tiers,
      boolean waitsShortly)
      throws IOException {
    super(null, BorrowedNameNode.of(owner.getNamenode()), conf, statistics);
    this.owner = owner;
    strategies = StrategySelector.of(conf, tiers, uri.toString(), this::attributeOf);
    counts = new TierReads(tiers.table());
    order = new LocatedBlockOrder(conf, tiers, counts);
    tracker = new ReadTracker(counts, order, failures);
    promptNanos =
        TimeUnit.MILLISECONDS.toNanos(
            conf.getLong(ClientKeys.PROMPT_MILLIS, ClientKeys.PROMPT_MILLIS_DEFAULT));
    countStock = conf.getBoolean(ClientKeys.STATISTICS, false);
    bounding = waitsShortly ? RetryRounds.bounding(conf, rounds) : null;
    contextSeparator =
        conf.get(
            CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_SEPARATOR_KEY,
            CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_SEPARATOR_DEFAULT);
    mayAskForEachBlock =
        !HadoopDefaults.isSetByUser(conf, HdfsClientConfigKeys.Read.PREFETCH_SIZE_KEY);
  }

  /**
   * A client that reads beside the one that does everything else, over its connection to the
   * NameNode; null when the configuration asks for nothing but stock HDFS. It is closed before or
   * after its owner, which it does not close.
   *
   * @throws IOException one line that names the key and the bad value
   */
  static TierwiseClient beside(
      DFSClient owner, URI uri, Configuration conf, FileSystem.Statistics statistics)
      throws IOException {
    try {
      TierConfiguration tiers = TierConfiguration.load(conf);
      boolean stock =
          StrategySelector.of(conf, tiers, uri.toString(), directory -> null).alwaysStock();
      if (stock && !conf.getBoolean(ClientKeys.STATISTICS, false)) {
        return null;
      }
      if (!Versions.allow("client")) {
        return null;
      }
      Configuration patient = stock ? conf : RetryPatience.withShortWaits(conf);
      boolean waitsShortly = patient != conf;
      Configuration own = new Configuration(patient);
      // Hadoop's tests drop responses by this key, which makes a connection of its own.
      own.setInt(HdfsClientConfigKeys.DFS_CLIENT_TEST_DROP_NAMENODE_RESPONSE_NUM_KEY, 0);
      return new TierwiseClient(owner, uri, own, statistics, tiers, waitsShortly);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The reads so far by all streams of this client. */
  public ReadCounts readCounts() {
    return counts.snapshot(order.failureCount() + failures.failureCount());
  }

  /** The strategy of that path, or null for stock. */
  AccessSession session(String path) {
    return strategies.of(path);
  }

  /**
   * To be called after the owner has changed attributes of the path, or moved or deleted it: what
   * is remembered of it may be wrong.
   */
  void changed(Path path) {
    // A link on the path leads elsewhere, and only the NameNode knows where.
    strategies.forget(FileSystem.areSymlinksEnabled() ? "/" : path.toUri().getPath());
  }

  private String attributeOf(String directory) {
    try {
      byte[] value = getXAttrs(directory).get(ClientKeys.ATTRIBUTE);
      return value == null ? null : new String(value, StandardCharsets.UTF_8).trim();
    } catch (IOException e) {
      // No such directory, or no right to see it: then it names no strategy for this user.
      return null;
    }
  }

  /**
   * Streams ask this way, and get as many blocks as their prefetch holds; under a strategy that
   * orders for the moment one block, unless the user has set the prefetch.
   */
  @Override
  public LocatedBlocks getLocatedBlocks(String src, long start) throws IOException {
    return mayAskForEachBlock && ordersForTheMoment(src)
        ? getLocatedBlocks(src, start, 1)
        : super.getLocatedBlocks(src, start);
  }

  private boolean ordersForTheMoment(String src) {
    try {
      AccessSession session = strategies.of(src);
      return session != null && session.strategy().isForTheMoment();
    } catch (Throwable e) {
      failures.failed("asking for each block failed", e);
      return false;
    }
  }

  @Override
  public LocatedBlocks getLocatedBlocks(String src, long start, long length) throws IOException {
    long asked = System.nanoTime();
    LocatedBlocks blocks =
        ToldReads.ask(
            reportsFor(src), contextSeparator, () -> super.getLocatedBlocks(src, start, length));
    long nanos = System.nanoTime() - asked;
    AccessPick pick = order(src, blocks);
    if (pick != null) {
      tracker.located(LocatedBlockOrder.fileId(src), pick, blocks, nanos);
    }
    return blocks;
  }

  /**
   * The reports that this client has not sent yet; none if the path's strategy does not ask for
   * them.
   */
  private List<ReadReport> reportsFor(String src) {
    try {
      AccessSession session = strategies.of(src);
      return session != null && session.strategy().asksForReports()
          ? speeds.reports().take(Time.monotonicNow())
          : List.of();
    } catch (Throwable e) {
      failures.failed("telling of reads failed", e);
      return List.of();
    }
  }

  /** Callers of this method are no streams, and read nothing. */
  @Override
  public BlockLocation[] getBlockLocations(String src, long start, long length) throws IOException {
    try {
      return super.getBlockLocations(src, start, length);
    } finally {
      tracker.forgetLocated();
    }
  }

  /**
   * Puts the blocks into the order of the path's strategy. Does not fail.
   *
   * @return what ordered them; null for stock, or after an error
   */
  AccessPick order(String src, LocatedBlocks blocks) {
    if (blocks == null) {
      return null;
    }
    try {
      AccessSession session = strategies.of(src);
      if (session != null) {
        long fileId = LocatedBlockOrder.fileId(src);
        SlowReads slowReads = slowReads(session);
        AccessPick pick =
            slowReads == null ? session.pick(fileId) : new AccessPick(0, false, slowReads);
        order.order(fileId, blocks, pick);
        return pick;
      }
    } catch (Throwable e) {
      failures.failed("ordering failed", e);
    }
    return null;
  }

  /** The reader's part of the strategy, with what this client has seen; null if it has none. */
  private SlowReads slowReads(AccessSession session) {
    return session == null ? null : session.strategy().slowReads(() -> speeds).orElse(null);
  }

  @Override
  public HdfsLocatedFileStatus getLocatedFileInfo(String src, boolean needBlockToken)
      throws IOException {
    HdfsLocatedFileStatus status = super.getLocatedFileInfo(src, needBlockToken);
    if (status != null) {
      order(src, status.getLocatedBlocks());
    }
    return status;
  }

  @Override
  public DFSInputStream open(String src, int bufferSize, boolean verifyChecksum)
      throws IOException {
    return followed(src, super.open(src, bufferSize, verifyChecksum));
  }

  @Override
  public DFSInputStream open(HdfsPathHandle handle, int bufferSize, boolean verifyChecksum)
      throws IOException {
    return followed(handle.getPath(), super.open(handle, bufferSize, verifyChecksum));
  }

  private DFSInputStream followed(String src, DFSInputStream stream) {
    try {
      AccessSession session = strategies.of(src);
      if (session != null || countStock) {
        tracker.opened(stream, session, LocatedBlockOrder.fileId(src), slowReads(session));
      }
    } catch (Throwable e) {
      failures.failed("following a stream failed", e);
    }
    return stream;
  }

  @Override
  public HdfsDataInputStream createWrappedInputStream(DFSInputStream stream) throws IOException {
    HdfsDataInputStream wrapped = super.createWrappedInputStream(stream);
    StreamReads reads = tracker.of(stream);
    return reads != null && reads.isTimed() && !(stream instanceof DFSStripedInputStream)
        ? TimedDataInputStream.of(wrapped, stream, reads)
        : wrapped;
  }

  /** Streams ask it, also how often they may look for a replica that answers. */
  @Override
  public DfsClientConf getConf() {
    return bounding != null ? bounding : super.getConf();
  }

  @Override
  public ConcurrentHashMap<DatanodeInfo, DatanodeInfo> getDeadNodes(DFSInputStream stream) {
    ConcurrentHashMap<DatanodeInfo, DatanodeInfo> dead = super.getDeadNodes(stream);
    if (bounding != null && stream != null) {
      rounds.get().looks(stream);
    }
    StreamReads reads = stream == null ? null : tracker.of(stream);
    return reads == null || stream instanceof DFSStripedInputStream
        ? dead
        : reads.deadNodes(stream, dead, this::isDetectedDead);
  }

  /**
   * Whether the detector, where it is on, found that no stream of this process reaches the node.
   */
  private boolean isDetectedDead(DatanodeInfo node) {
    return getClientContext().isDeadNodeDetectionEnabled()
        && getDeadNodeDetector().isDeadNode(node);
  }

  @Override
  public void addNodeToDeadNodeDetector(DFSInputStream stream, DatanodeInfo node) {
    super.addNodeToDeadNodeDetector(stream, node);
    StreamReads reads = stream == null ? null : tracker.of(stream);
    if (reads == null) {
      return;
    }
    if (Choice.wasRefused(node, promptNanos)) {
      tracker.refused(reads);
    } else {
      reads.unreachable(node);
      tracker.failed();
    }
  }

  /** The owner connects: it alone knows whether its NameNode fell back to no security. */
  @Override
  public Peer newConnectedPeer(
      InetSocketAddress address, Token<BlockTokenIdentifier> blockToken, DatanodeID node)
      throws IOException {
    try {
      return owner.newConnectedPeer(address, blockToken, node);
    } catch (IOException e) {
      Choice.connectFailed();
      throw e;
    }
  }

  /** Keys for connections to DataNodes are the owner's, which makes these connections. */
  @Override
  public void clearDataEncryptionKey() {
    owner.clearDataEncryptionKey();
  }

  /** Without an address of its own, this client could not ask for the user's key server. */
  @Override
  public URI getKeyProviderUri() throws IOException {
    return owner.getKeyProviderUri();
  }

  /** Called by a stream that closes. */
  @Override
  public void removeNodeFromDeadNodeDetector(DFSInputStream stream, LocatedBlocks blocks) {
    super.removeNodeFromDeadNodeDetector(stream, blocks);
    tracker.closed(stream);
  }
}
