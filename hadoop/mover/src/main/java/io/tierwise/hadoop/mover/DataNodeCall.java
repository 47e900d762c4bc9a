package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.mover.MoveFailure.Kind;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;

/**
 * Asks a DataNode to take a replica: it copies it from the source's node, or moves it between its
 * own volumes, and tells the NameNode which replica may go.
 *
 * <p>{@link #close} from another thread ends the wait; the DataNode goes on by itself.
 */
final class DataNodeCall implements Closeable {
  /** A DataNode says at least twice in this time that it still copies from another one. */
  private static final int SILENCE_FACTOR = 5;

  /**
   * Own: between its own volumes it says nothing until it is done, at a slow disk's pace at least.
   */
  private static final long INSIDE_BYTES_PER_MILLI = 5_000;

  /** Own: a node that takes no connection for so long is passed over. */
  private static final int CONNECT_MILLIS_MAX = 10_000;

  private static final String FULL = "its new node says that it has no room for it";

  /** A target says so when the source's node refused the copy. */
  private static final String COPY_REFUSED = ", copy block ";

  /** All that the target learns: the source's node has more to say in its own log. */
  private static final String CLOSED =
      " cannot be read: it was dropped meanwhile, is unreadable, or its node is too busy";

  private static final Pattern EXCEPTION = Pattern.compile("\\b(\\w+(?:Exception|Error))\\b");

  /** The target says so of the source's node. */
  private static final Pattern NO_CONNECTION =
      Pattern.compile("ConnectException|ConnectTimeoutException|NoRouteToHost");

  private final MoverConnection connection;
  private final boolean byHostName;
  private final int timeoutMillis;
  private final Socket socket = new Socket();

  DataNodeCall(MoverConnection connection, Configuration conf) {
    this.connection = connection;
    this.byHostName =
        conf.getBoolean(
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    int timeout =
        conf.getInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, HdfsConstants.READ_TIMEOUT);
    // A client may wait for ever (0); a run would have no end then.
    this.timeoutMillis = timeout > 0 ? timeout : HdfsConstants.READ_TIMEOUT;
  }

  /** Makes the move; returns when the DataNode says that it is done. */
  void make(PlannedMove move) throws MoveFailure {
    Endpoint to = move.to();
    Token<BlockTokenIdentifier> token = token(move);
    InetSocketAddress address = NetUtils.createSocketAddr(to.node().getXferAddr(byHostName));
    try {
      NetUtils.connect(socket, address, Math.min(timeoutMillis, CONNECT_MILLIS_MAX));
      socket.setSoTimeout(silenceMillisMax(move));
      socket.setKeepAlive(true);
    } catch (IOException e) {
      throw new MoveFailure(Kind.TARGET_LOST, "no connection to " + address, e);
    }
    BlockOpResponseProto answer;
    try {
      answer = ask(move, token);
    } catch (SocketTimeoutException e) {
      throw new MoveFailure(Kind.SILENT, address + " took the move and did not answer", e);
    } catch (EOFException | SocketException e) {
      throw new MoveFailure(Kind.TARGET_CLOSED, address + " closed the connection unanswered", e);
    } catch (IOException e) {
      throw new MoveFailure(Kind.OTHER, "no answer from " + address, e);
    }
    if (answer.getStatus() != Status.SUCCESS) {
      throw refused(answer, to, move.source());
    }
  }

  private Token<BlockTokenIdentifier> token(PlannedMove move) throws MoveFailure {
    try {
      Endpoint to = move.to();
      return connection.token(move.work().block(), to.type(), to.storageId());
    } catch (IOException e) {
      throw new MoveFailure(Kind.OTHER, "no block token can be had for it", e);
    }
  }

  private int silenceMillisMax(PlannedMove move) {
    long millis = (long) timeoutMillis * SILENCE_FACTOR;
    millis += move.inside() ? move.bytes() / INSIDE_BYTES_PER_MILLI : 0;
    return (int) Math.min(Integer.MAX_VALUE, millis);
  }

  private BlockOpResponseProto ask(PlannedMove move, Token<BlockTokenIdentifier> token)
      throws IOException {
    Endpoint to = move.to();
    ExtendedBlock block = move.work().block();
    IOStreamPair streams = connection.streams(socket, to.node(), token);
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(streams.out));
    DataInputStream in = new DataInputStream(new BufferedInputStream(streams.in));
    new Sender(out)
        .replaceBlock(
            block, to.type(), token, move.from().nodeId(), move.source().node(), to.storageId());
    BlockOpResponseProto answer = read(in);
    while (answer.getStatus() == Status.IN_PROGRESS) {
      answer = read(in);
    }
    return answer;
  }

  private static BlockOpResponseProto read(DataInputStream in) throws IOException {
    return BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
  }

  /** Messages do not name the block: a disk that fails would give each of its blocks its own. */
  static MoveFailure refused(BlockOpResponseProto answer, Endpoint to, Endpoint source) {
    String detail = answer.getMessage();
    if (answer.getStatus() == Status.ERROR_BLOCK_PINNED) {
      return new MoveFailure(Kind.PINNED, "it is pinned to its node by its writer", detail);
    } else if (detail.contains("threads quota") || detail.contains("quota is exceeded")) {
      boolean ofSource = detail.contains(COPY_REFUSED);
      Kind kind = ofSource ? Kind.SOURCE_BUSY : Kind.BUSY;
      return new MoveFailure(
          kind, addressOf(ofSource ? source : to) + " makes as many moves as it may", detail);
    } else if (detail.contains("DiskOutOfSpaceException")) {
      return new MoveFailure(Kind.FULL, FULL, detail);
    } else if (detail.contains("checksum error") || detail.contains("checksum mismatch")) {
      return new MoveFailure(Kind.SOURCE_BAD, replicaOn(source) + " is corrupt", detail);
    } else if (detail.contains("SocketTimeoutException")) {
      return new MoveFailure(Kind.SOURCE_SILENT, replicaOn(source) + " was not sent", detail);
    } else if (NO_CONNECTION.matcher(detail).find()) {
      return new MoveFailure(
          Kind.SOURCE_LOST, "its new node has no connection to " + addressOf(source), detail);
    } else if (detail.contains(COPY_REFUSED)) {
      return new MoveFailure(Kind.SOURCE_BAD, replicaOn(source) + " is refused", detail);
    } else if (detail.contains("EOFException") || detail.contains("Connection reset")) {
      return new MoveFailure(Kind.SOURCE_CLOSED, replicaOn(source) + CLOSED, detail);
    }
    return new MoveFailure(Kind.OTHER, "its new node could not take it" + nameOf(detail), detail);
  }

  /** The first exception that a DataNode tells of. */
  private static String nameOf(String detail) {
    Matcher exception = EXCEPTION.matcher(detail);
    return exception.find() ? ": " + exception.group(1) : "";
  }

  private static String addressOf(Endpoint at) {
    return at.node().getXferAddr();
  }

  private static String replicaOn(Endpoint source) {
    return "its replica on " + addressOf(source);
  }

  @Override
  public void close() {
    IOUtils.closeSocket(socket);
  }
}
