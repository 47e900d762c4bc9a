package io.tierwise.benchmarks.placement;

import io.tierwise.benchmarks.Interval;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

/**
 * Measures what the order {@code auto} costs a NameNode that is asked where files are: the
 * locations of a file of one block a second, with the order and its counting and without.
 *
 * <p>By RPC it is the processor time of the NameNode's readers and handlers, which is what decides
 * how many calls it can answer. The same call without them, from where a handler has read it, shows
 * the difference more sharply. A NameNode that leaves the replicas as they are listed, with our
 * plug-ins beside, says what an order that costs nothing would reach.
 */
final class OpensBench implements AutoCloseable {
  private static final int NODES = 100;

  /** An even number. */
  private static final int NAME_NODES = 6;

  private static final int CLIENTS = 64;
  private static final int PAIRS_TO_COMPILE = 4;

  private final List<BenchCluster> clusters = new ArrayList<>();
  private final List<ServedCalls> calls = new ArrayList<>();
  private final List<SwitchedTopology> topologies = new ArrayList<>();
  private final Random random = new Random(1);

  OpensBench() throws IOException {
    Configuration changes = new Configuration(false);
    changes.setClass(
        DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY, SwitchedTopology.class, DFSNetworkTopology.class);
    changes.set(TierwiseTopology.STRATEGY, "auto");
    changes.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, "");
    for (int nameNode = 0; nameNode < NAME_NODES; nameNode++) {
      BenchCluster cluster = OpensByRpc.clusterWithFiles(NODES, changes);
      clusters.add(cluster);
      calls.add(new ServedCalls(cluster.nameNode()));
      BlockManager blocks = cluster.nameNode().getNamesystem().getBlockManager();
      topologies.add((SwitchedTopology) blocks.getDatanodeManager().getNetworkTopology());
    }
  }

  /** Opens a second, ours / stock, of what a NameNode spends on them; prints a line for each. */
  Interval measure() throws IOException {
    System.out.println("locations of a file a second, " + PairedTurns.method(NAME_NODES));
    measureAlone();
    Interval ratio = measureServed();
    askBusily();
    check();
    return ratio;
  }

  private void measureAlone() throws IOException {
    PairedTurns turns = turns(new Inside(Order.AUTO));
    turns.warmUp(PAIRS_TO_COMPILE, true);
    turns.compare("stock order with itself", false);
    turns.compare("auto, the call alone", true);
    turns(new Inside(Order.AS_LISTED)).compare("no order, the call alone", true);
  }

  private Interval measureServed() throws IOException {
    PairedTurns turns = turns(served(Order.AUTO));
    turns.warmUp(PAIRS_TO_COMPILE, true);
    turns.compare("stock, by RPC, with itself", false);
    Interval ratio = turns.compare("auto, by RPC", true);
    turns(served(Order.AS_LISTED)).compare("no order, by RPC", true);
    return ratio;
  }

  private OpensByRpc served(Order order) throws IOException {
    return new OpensByRpc(
        clusters, (nameNode, ours) -> switchTo(nameNode, ours ? order : Order.STOCK));
  }

  private PairedTurns turns(PairedTurns.Work work) {
    return new PairedTurns(clusters, "call", OpensByRpc.OPENS_A_TURN, work);
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
            calls.get(0).locations(OpensByRpc.file(draw.nextInt(OpensByRpc.FILES)));
          },
          ours -> switchTo(0, ours ? Order.AUTO : Order.STOCK));
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted while a NameNode was asked");
    }
  }

  private void switchTo(int nameNode, Order order) {
    clusters.get(nameNode).usePlugIns(order != Order.STOCK);
    topologies.get(nameNode).use(order);
  }

  private void check() {
    for (SwitchedTopology topology : topologies) {
      topology.check();
    }
  }

  /** Calls from where the RPC handler has read them, in the asking thread. */
  private final class Inside implements PairedTurns.Work {
    private final Order order;

    Inside(Order order) {
      this.order = order;
    }

    @Override
    public void use(int nameNode, boolean ours) {
      switchTo(nameNode, ours ? order : Order.STOCK);
    }

    @Override
    public void turn(int nameNode) throws IOException {
      for (int open = 0; open < OpensByRpc.OPENS_A_TURN; open++) {
        Server.getCurCall().set(new CallFrom(random.nextInt(CLIENTS), random.nextInt(NODES)));
        calls.get(nameNode).locations(OpensByRpc.file(random.nextInt(OpensByRpc.FILES)));
      }
      Server.getCurCall().remove();
    }
  }

  /** The part that puts replicas into order. */
  private enum Order {
    STOCK,
    AUTO,
    /** Nothing does. */
    AS_LISTED
  }

  /**
   * Changes its order while its NameNode runs; in stock's it works as if no strategy were named.
   */
  static final class SwitchedTopology extends TierwiseTopology {
    private static final Field PICK = pickField();

    private Object picked;
    private boolean asListed;

    private static Field pickField() {
      try {
        Field pick = TierwiseTopology.class.getDeclaredField("pick");
        pick.setAccessible(true);
        return pick;
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("the topology keeps its strategy elsewhere", e);
      }
    }

    void use(Order order) {
      asListed = order == Order.AS_LISTED;
      try {
        if (picked == null) {
          picked = PICK.get(this);
        }
        PICK.set(this, order == Order.AUTO ? picked : null);
      } catch (IllegalAccessException e) {
        throw new LinkageError(e.getMessage(), e);
      }
    }

    @Override
    public <T extends Node> void sortByDistance(
        Node reader, T[] nodes, int activeLen, Consumer<List<T>> secondarySort) {
      if (!asListed) {
        super.sortByDistance(reader, nodes, activeLen, secondarySort);
      }
    }

    @Override
    public <T extends Node> void sortByDistanceUsingNetworkLocation(
        Node reader, T[] nodes, int activeLen, Consumer<List<T>> secondarySort) {
      if (!asListed) {
        super.sortByDistanceUsingNetworkLocation(reader, nodes, activeLen, secondarySort);
      }
    }

    /** That each order was what its name says. */
    void check() {
      if (failureCount() > 0 || countedReads() == 0) {
        throw new IllegalStateException(
            failureCount() + " failures, " + countedReads() + " counted reads");
      }
      use(Order.STOCK);
      List<AtomicInteger> sorted = List.of(new AtomicInteger(), new AtomicInteger());
      NodeBase reader = new NodeBase("outside", "/r0");
      sortByDistance(reader, replicas(), 2, equals -> sorted.get(0).incrementAndGet());
      sortByDistanceUsingNetworkLocation(
          reader, replicas(), 2, equals -> sorted.get(1).incrementAndGet());
      if (sorted.stream().anyMatch(sorts -> sorts.get() == 0)) {
        throw new IllegalStateException("what was taken for stock did not sort by distance");
      }
    }

    private DatanodeInfoWithStorage[] replicas() {
      return getLeaves("/").stream()
          .limit(2)
          .map(DatanodeInfo.class::cast)
          .map(node -> new DatanodeInfoWithStorage(node, node.getDatanodeUuid(), StorageType.DISK))
          .toArray(DatanodeInfoWithStorage[]::new);
    }
  }

  @Override
  public void close() {
    clusters.forEach(BenchCluster::close);
  }

  /**
   * For itself, without the rest of the bench.
   *
   * @param args {@code alone} or {@code served} for that part only
   */
  public static void main(String[] args) throws IOException {
    try (OpensBench bench = new OpensBench()) {
      switch (args.length == 0 ? "" : args[0]) {
        case "alone" -> bench.measureAlone();
        case "served" -> bench.measureServed();
        default -> bench.measure();
      }
      bench.check();
    }
    System.exit(0);
  }
}
