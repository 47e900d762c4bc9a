package io.tierwise.hadoop.hdfs.namenode;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * The file that the client's call on this thread is about, by its inode id.
 *
 * <p>A client that asks for a block names its file by the path that it opened and by the id, and
 * the NameNode goes by the id. Its placement policy gets the path alone, which another file may
 * have taken since. So the server side of {@code addBlock} notes the id for the thread: the one
 * that handles the call also asks the policy. Why so: docs/decisions/0025-files-by-their-id.md.
 */
final class CalledFile {
  /** No call names a file: a copy, a gateway, a client that does not know ids. */
  static final long NONE = 0;

  private static final ThreadLocal<long[]> ID = ThreadLocal.withInitial(() -> new long[1]);

  private CalledFile() {}

  /** The file's inode id, or {@link #NONE}. */
  static long id() {
    return ID.get()[0];
  }

  /**
   * From now on {@code addBlock} calls of clients note their file, and calls that only look are not
   * counted as reads.
   *
   * @throws IOException when the server does not take the protocol
   */
  static void listen(NameNode nameNode) throws IOException {
    if (nameNode.getRpcServer() instanceof NameNodeRpcServer server) {
      register(nameNode.getConf(), server, new Noting(server, Looks.at(nameNode)));
    }
  }

  /** The server is Hadoop's own again. */
  static void forget(NameNode nameNode) throws IOException {
    if (nameNode.getRpcServer() instanceof NameNodeRpcServer server) {
      register(
          nameNode.getConf(), server, new ClientNamenodeProtocolServerSideTranslatorPB(server));
    }
  }

  /**
   * Replaces the entry of the protocol in the server's table; calls under way end as they began.
   */
  private static void register(
      Configuration conf,
      NameNodeRpcServer server,
      ClientNamenodeProtocolServerSideTranslatorPB translator)
      throws IOException {
    DFSUtil.addInternalPBProtocol(
        conf,
        ClientNamenodeProtocolPB.class,
        ClientNamenodeProtocol.newReflectiveBlockingService(translator),
        server.getClientRpcServer());
  }

  /**
   * Hadoop's own translator of calls, which also notes the file of an {@code addBlock}, and shows
   * what was asked of {@code getBlockLocations}.
   */
  private static final class Noting extends ClientNamenodeProtocolServerSideTranslatorPB {
    private final Looks looks;

    Noting(NameNodeRpcServer server, Looks looks) throws IOException {
      super(server);
      this.looks = looks;
    }

    @Override
    public GetBlockLocationsResponseProto getBlockLocations(
        RpcController controller, GetBlockLocationsRequestProto request) throws ServiceException {
      GetBlockLocationsResponseProto response = super.getBlockLocations(controller, request);
      looks.answered(request, response);
      return response;
    }

    @Override
    public AddBlockResponseProto addBlock(RpcController controller, AddBlockRequestProto request)
        throws ServiceException {
      long[] id = ID.get();
      id[0] = request.getFileId();
      try {
        return super.addBlock(controller, request);
      } finally {
        id[0] = NONE;
      }
    }
  }
}
