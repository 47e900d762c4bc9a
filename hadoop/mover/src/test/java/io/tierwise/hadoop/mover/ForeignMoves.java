package io.tierwise.hadoop.mover;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;

/** Moves that another tool asks for. */
final class ForeignMoves {
  private ForeignMoves() {}

  /**
   * Has a replica moved, as the Balancer does.
   *
   * @param targetPort of the DataNode that takes it
   */
  static Status move(LocatedBlock block, DatanodeInfo source, int targetPort, StorageType type) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), targetPort)) {
      new Sender(new DataOutputStream(socket.getOutputStream()))
          .replaceBlock(
              block.getBlock(),
              type,
              block.getBlockToken(),
              source.getDatanodeUuid(),
              source,
              null);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      BlockOpResponseProto answer = read(in);
      while (answer.getStatus() == Status.IN_PROGRESS) {
        answer = read(in);
      }
      return answer.getStatus();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static BlockOpResponseProto read(DataInputStream in) throws IOException {
    return BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
  }
}
