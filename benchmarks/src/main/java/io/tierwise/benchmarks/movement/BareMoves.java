package io.tierwise.benchmarks.movement;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.net.NetUtils;

/**
 * Moves of replicas inside their nodes as HDFS makes them, without a mover: each is one request to
 * a DataNode, and nobody plans, keeps a rate or looks whether it is in place. What a reader meets
 * beside these is HDFS's own.
 */
final class BareMoves implements SteadyWork.Piece {
  private final List<Replica> replicas = new ArrayList<>();
  private final StorageType to;

  private record Replica(LocatedBlock block, DatanodeInfo node) {}

  /** Of all replicas of the files below a directory. */
  BareMoves(BenchHdfs hdfs, Path directory, StorageType to) throws IOException {
    this.to = to;
    for (LocatedBlock block : hdfs.blocks(directory)) {
      for (DatanodeInfo node : block.getLocations()) {
        replicas.add(new Replica(block, node));
      }
    }
  }

  int count() {
    return replicas.size();
  }

  @Override
  public void make(int number) throws IOException {
    Replica replica = replicas.get(number);
    DatanodeInfo node = replica.node();
    try (Socket socket = new Socket()) {
      NetUtils.connect(socket, NetUtils.createSocketAddr(node.getXferAddr()), 10_000);
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      LocatedBlock block = replica.block();
      new Sender(out)
          .replaceBlock(
              block.getBlock(), to, block.getBlockToken(), node.getDatanodeUuid(), node, null);
      BlockOpResponseProto answer = read(in);
      while (answer.getStatus() == Status.IN_PROGRESS) {
        answer = read(in);
      }
      if (answer.getStatus() != Status.SUCCESS) {
        throw new IOException(node + " did not move " + block.getBlock() + ": " + answer);
      }
    }
  }

  private static BlockOpResponseProto read(DataInputStream in) throws IOException {
    return BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
  }
}
