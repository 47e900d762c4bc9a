package io.tierwise.benchmarks.placement;

import io.tierwise.benchmarks.Interval;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Measures what the order {@code auto} costs a NameNode that is asked where files are: the
 * locations of a file of one block a second, with the order and its counting and without.
 *
 * <p>By RPC it is the processor time of the NameNode's readers and handlers, which is what decides
 * how many calls it can answer. The same call without them, from where a handler has read it, shows
 * the difference more sharply.
 */
final class OpensBench implements AutoCloseable {
  private static final int NODES = 100;

  /** An even number. */
  private static final int NAME_NODES = 6;

  private static final int FILES = 256;
  private static final int OPENS_A_TURN = 32;
  private static final int CLIENTS = 64;
  private static final int PAIRS_TO_COMPILE = 4;

  private final List<BenchCluster> clusters = new ArrayList<>();
  private final List<ServedCalls> calls = new ArrayList<>();
  private final List<Order> orders = new ArrayList<>();
  private final Random random = new Random(1);

  OpensBench() throws IOException {
    Configuration changes = new Configuration(false);
    changes.setClass(
        DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY, TierwiseTopology.class, DFSNetworkTopology.class);
    changes.set(TierwiseTopology.STRATEGY, "auto");
    changes.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, "");
    for (int nameNode = 0; nameNode < NAME_NODES; nameNode++) {
      BenchCluster cluster = new BenchCluster(TreeShape.FLAT, changes);
      cluster.growTo(NODES);
      cluster.nameNode().getRpcServer().mkdirs("/data", FsPermission.getDirDefault(), true);
      FileOperations operations = new FileOperations(cluster);
      for (int file = 0; file < FILES; file++) {
        operations.write("/data/file-" + file);
      }
      clusters.add(cluster);
      calls.add(new ServedCalls(cluster.nameNode()));
      orders.add(new Order(cluster));
    }
  }

  /** Opens a second, ours / stock, of what a NameNode spends on them; prints a line for each. */
  Interval measure() throws IOException {
    System.out.println("locations of a file a second, " + PairedTurns.method(NAME_NODES));
    PairedTurns inside = new PairedTurns(clusters, "call", OPENS_A_TURN, new Inside());
    inside.warmUp(PAIRS_TO_COMPILE, true);
    inside.compare("stock order with itself", false);
    inside.compare("auto, the call alone", true);
    PairedTurns served = new PairedTurns(clusters, "call", OPENS_A_TURN, new Served(clusters));
    served.warmUp(PAIRS_TO_COMPILE, true);
    served.compare("stock, by RPC, with itself", false);
    Interval ratio = served.compare("auto, by RPC", true);
    askBusily();
    for (Order order : orders) {
      order.check();
    }
    return ratio;
  }

  /** One NameNode is asked as fast as it answers. */
  private void askBusily() throws IOException {
    SplittableRandom[] draws = new SplittableRandom[Runtime.getRuntime().availableProcessors()];
    Arrays.setAll(draws, SplittableRandom::new);
    try {
      BusyNameNode.measure(
          handler -> {
            SplittableRandom draw = draws[handler];
            Server.getCurCall().set(new CallFrom(draw.nextInt(CLIENTS), draw.nextInt(NODES)));
            calls.get(0).locations("/data/file-" + draw.nextInt(FILES));
          },
          ours -> switchOn(0, ours));
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted while a NameNode was asked");
    }
  }

  private void switchOn(int nameNode, boolean ours) {
    clusters.get(nameNode).usePlugIns(ours);
    orders.get(nameNode).use(ours);
  }

  /** Calls by RPC: what counts is the processor time of the server's own threads. */
  private final class Served implements PairedTurns.Work {
    private final List<ClientProtocol> clients = new ArrayList<>();
    private final List<long[]> threads = new ArrayList<>();

    Served(List<BenchCluster> clusters) throws IOException {
      for (BenchCluster cluster : clusters) {
        InetSocketAddress address = cluster.nameNode().getNameNodeAddress();
        clients.add(
            NameNodeProxies.createNonHAProxy(
                    new Configuration(false),
                    address,
                    ClientProtocol.class,
                    UserGroupInformation.getCurrentUser(),
                    false)
                .getProxy());
        String port = " port " + address.getPort();
        threads.add(
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().endsWith(port))
                .mapToLong(Thread::getId)
                .toArray());
      }
    }

    @Override
    public void use(int nameNode, boolean ours) {
      switchOn(nameNode, ours);
    }

    @Override
    public void turn(int nameNode) throws IOException {
      for (int open = 0; open < OPENS_A_TURN; open++) {
        clients
            .get(nameNode)
            .getBlockLocations(
                "/data/file-" + random.nextInt(FILES), 0, ServedCalls.BYTES_OF_AN_OPEN);
      }
    }

    @Override
    public long processorNanos(int nameNode) {
      long nanos = 0;
      for (long thread : threads.get(nameNode)) {
        nanos += PairedTurns.THREADS.getThreadCpuTime(thread);
      }
      return nanos;
    }
  }

  /** Calls from where the RPC handler has read them, in the asking thread. */
  private final class Inside implements PairedTurns.Work {
    @Override
    public void use(int nameNode, boolean ours) {
      switchOn(nameNode, ours);
    }

    @Override
    public void turn(int nameNode) throws IOException {
      for (int open = 0; open < OPENS_A_TURN; open++) {
        Server.getCurCall().set(new CallFrom(random.nextInt(CLIENTS), random.nextInt(NODES)));
        calls.get(nameNode).locations("/data/file-" + random.nextInt(FILES));
      }
      Server.getCurCall().remove();
    }
  }

  /** A call of a client on one of the nodes. */
  private static final class CallFrom extends Server.Call {
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

  /** Switches a NameNode's order of replicas off, as if no strategy were named, and on again. */
  private static final class Order {
    private final TierwiseTopology topology;
    private final Field pick;
    private final Object picked;

    Order(BenchCluster cluster) {
      BlockManager blocks = cluster.nameNode().getNamesystem().getBlockManager();
      DatanodeManager nodes = blocks.getDatanodeManager();
      topology = (TierwiseTopology) nodes.getNetworkTopology();
      try {
        pick = TierwiseTopology.class.getDeclaredField("pick");
        pick.setAccessible(true);
        picked = pick.get(topology);
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("the topology keeps its strategy elsewhere", e);
      }
    }

    void use(boolean ours) {
      try {
        pick.set(topology, ours ? picked : null);
      } catch (IllegalAccessException e) {
        throw new LinkageError(e.getMessage(), e);
      }
    }

    void check() {
      if (topology.failureCount() > 0 || topology.countedReads() == 0) {
        throw new IllegalStateException(
            topology.failureCount() + " failures, " + topology.countedReads() + " counted reads");
      }
    }
  }

  @Override
  public void close() {
    clusters.forEach(BenchCluster::close);
  }

  /** For itself, without the rest of the bench. */
  public static void main(String[] args) throws IOException {
    try (OpensBench bench = new OpensBench()) {
      bench.measure();
    }
    System.exit(0);
  }
}
