package io.tierwise.benchmarks.placement;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * A client's calls from where the NameNode's RPC handler has read them: through the service that
 * the server has in its table, which a plug-in may have replaced. No socket, no other thread.
 */
final class ServedCalls {
  /** As much as HDFS's client asks for. */
  static final long BYTES_OF_AN_OPEN = 10 * BenchCluster.BLOCK_BYTES;

  private final Map<?, ?> table;
  private final Object key;
  private final Field service;
  private final ClientNamenodeProtocol.BlockingInterface served =
      ClientNamenodeProtocol.newBlockingStub(
          (method, controller, request, answer) ->
              service().callBlockingMethod(method, controller, request));

  ServedCalls(NameNode nameNode) {
    NameNodeRpcServer server = (NameNodeRpcServer) nameNode.getRpcServer();
    try {
      Method entries = RPC.Server.class.getDeclaredMethod("getProtocolImplMap", RPC.RpcKind.class);
      entries.setAccessible(true);
      table =
          (Map<?, ?>) entries.invoke(server.getClientRpcServer(), RPC.RpcKind.RPC_PROTOCOL_BUFFER);
      Class<?> entry = table.values().iterator().next().getClass();
      Field protocol = entry.getDeclaredField("protocolClass");
      protocol.setAccessible(true);
      service = entry.getDeclaredField("protocolImpl");
      service.setAccessible(true);
      key = keyOf(ClientNamenodeProtocolPB.class, protocol);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this Hadoop keeps its table of protocols elsewhere", e);
    }
  }

  private Object keyOf(Class<?> wanted, Field protocol) throws IllegalAccessException {
    for (Map.Entry<?, ?> entry : table.entrySet()) {
      if (protocol.get(entry.getValue()) == wanted) {
        return entry.getKey();
      }
    }
    throw new LinkageError("the NameNode serves no client protocol");
  }

  /** As it is now: starting and stopping a plug-in changes it. */
  private BlockingService service() {
    try {
      return (BlockingService) service.get(table.get(key));
    } catch (IllegalAccessException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  /** Asks where the first blocks of a file are, as HDFS's client does that opens it. */
  LocatedBlocks locations(String path) throws IOException {
    GetBlockLocationsRequestProto request =
        GetBlockLocationsRequestProto.newBuilder()
            .setSrc(path)
            .setOffset(0)
            .setLength(BYTES_OF_AN_OPEN)
            .build();
    try {
      return PBHelperClient.convert(served.getBlockLocations(null, request).getLocations());
    } catch (ServiceException e) {
      throw new IOException(path + ": no locations", e);
    }
  }

  /** Asks for the next block of a file that is open. */
  LocatedBlock addBlock(String path, String client, long fileId) throws IOException {
    AddBlockRequestProto request =
        AddBlockRequestProto.newBuilder()
            .setSrc(path)
            .setClientName(client)
            .setFileId(fileId)
            .build();
    try {
      return PBHelperClient.convertLocatedBlockProto(served.addBlock(null, request).getBlock());
    } catch (ServiceException e) {
      throw new IOException(path + ": no block", e);
    }
  }
}
