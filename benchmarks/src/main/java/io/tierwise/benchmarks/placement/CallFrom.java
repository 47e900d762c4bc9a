package io.tierwise.benchmarks.placement;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;

/** A call of a client on one of the nodes. */
final class CallFrom extends Server.Call {
  private final InetAddress address;

  CallFrom(int client, int node) throws IOException {
    super(client, 0, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, idOf(client));
    address = InetAddress.getByAddress(new byte[] {10, 0, (byte) (node >> 8), (byte) node});
  }

  private static byte[] idOf(int client) {
    byte[] id = new byte[16];
    id[0] = (byte) client;
    return id;
  }

  @Override
  public InetAddress getHostInetAddress() {
    return address;
  }
}
