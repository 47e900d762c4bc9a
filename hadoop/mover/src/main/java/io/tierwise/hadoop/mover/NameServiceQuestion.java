package io.tierwise.hadoop.mover;

import java.io.IOException;
import java.net.URI;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.ipc.RPC;

/**
 * Asks a name service by its NameNode's own calls whether the lock of its mover is held, and where
 * its DataNodes are. Not for many threads.
 */
final class NameServiceQuestion implements OtherNameService.Question {
  private final Configuration conf;
  private final URI uri;
  private final String own;
  private final ForegroundWatch.Question ownNodes;
  private DistributedFileSystem fs;
  private String blockPoolId;
  private boolean shares;

  /**
   * @param own the block pool of the mover's name service, which may be known by several names
   * @param ownNodes answers with its DataNodes
   */
  NameServiceQuestion(Configuration conf, URI uri, String own, ForegroundWatch.Question ownNodes) {
    this.conf = conf;
    this.uri = uri;
    this.own = own;
    this.ownNodes = ownNodes;
  }

  @Override
  public OtherNameService.Answer ask() throws IOException {
    connect();
    if (!shares) {
      shares = !blockPoolId.equals(own) && sharesANode();
    }
    Set<String> nodes =
        shares && MoverConnection.isLocked(fs) ? nodes(DatanodeReportType.LIVE) : Set.of();
    return new OtherNameService.Answer(shares, nodes);
  }

  private void connect() throws IOException {
    if (fs == null) {
      DistributedFileSystem connected = new DistributedFileSystem();
      connected.initialize(uri, conf);
      fs = connected;
    }
    if (blockPoolId == null) {
      NamenodeProtocol nameNode =
          NameNodeProxies.createProxy(conf, uri, NamenodeProtocol.class).getProxy();
      try {
        blockPoolId = nameNode.versionRequest().getBlockPoolID();
      } finally {
        RPC.stopProxy(nameNode);
      }
    }
  }

  /**
   * Also by nodes that are down just now.
   *
   * @throws IOException while it may not have heard of all its DataNodes since it started
   */
  private boolean sharesANode() throws IOException {
    Set<String> all = nodes(DatanodeReportType.ALL);
    if (ownNodes.liveNodes().stream().anyMatch(node -> all.contains(node.getDatanodeUuid()))) {
      return true;
    }
    if (all.isEmpty() || fs.isInSafeMode()) {
      throw new IOException("it has not heard of all its DataNodes yet");
    }
    return false;
  }

  private Set<String> nodes(DatanodeReportType which) throws IOException {
    return Stream.of(fs.getClient().datanodeReport(which))
        .map(DatanodeInfo::getDatanodeUuid)
        .collect(Collectors.toSet());
  }

  @Override
  public void close() throws IOException {
    if (fs != null) {
      fs.close();
    }
  }
}
