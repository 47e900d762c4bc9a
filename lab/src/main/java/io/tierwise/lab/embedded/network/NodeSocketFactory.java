package io.tierwise.lab.embedded.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;

/**
 * Makes the sockets of one node: bound to the node's address, so that whoever is called knows it.
 *
 * <p>Hadoop takes the class from {@code hadoop.rpc.socket.factory.class.default}, for calls and for
 * block data alike, and shares connections between equal factories: two are equal when their
 * addresses are.
 */
public final class NodeSocketFactory extends SocketFactory implements Configurable {
  private static final String ADDRESS_KEY = "tierwise.embedded.node.address";

  private Configuration conf;
  private InetAddress address;

  /** Writes into a configuration that whoever uses it is on the node with that address. */
  public static void setAddress(Configuration conf, InetAddress address) {
    conf.set(ADDRESS_KEY, address.getHostAddress());
    conf.set(
        CommonConfigurationKeysPublic.HADOOP_RPC_SOCKET_FACTORY_CLASS_DEFAULT_KEY,
        NodeSocketFactory.class.getName());
    // Clients of one context share open connections, whoever opened them.
    conf.set("dfs.client.context", address.getHostAddress());
  }

  @Override
  public void setConf(Configuration configuration) {
    conf = configuration;
    String text = configuration.getTrimmed(ADDRESS_KEY);
    if (text == null) {
      throw new IllegalArgumentException(ADDRESS_KEY + " is not set: name the node's address");
    }
    try {
      address = InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new UncheckedIOException(ADDRESS_KEY + " is " + text + ", which is no address", e);
    }
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public Socket createSocket() throws IOException {
    // With a channel: HDFS's block reader takes no other socket.
    Socket socket = SocketChannel.open().socket();
    socket.bind(new InetSocketAddress(address, 0));
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return createSocket(InetAddress.getByName(host), port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    Socket socket = createSocket();
    socket.connect(new InetSocketAddress(host, port));
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(InetAddress.getByName(host), port, local, localPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    Socket socket = SocketChannel.open().socket();
    socket.bind(new InetSocketAddress(local, localPort));
    socket.connect(new InetSocketAddress(host, port));
    return socket;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NodeSocketFactory factory && Objects.equals(address, factory.address);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(address);
  }
}
