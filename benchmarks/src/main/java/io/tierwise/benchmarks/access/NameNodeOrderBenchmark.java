package io.tierwise.benchmarks.access;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.topology.ReadReportText;
import io.tierwise.hadoop.hdfs.topology.ReplicaTiers;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import io.tierwise.policies.access.ReadReport;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;

/**
 * Times the order of one block's three replicas in the NameNode, counting included, over 1,000
 * nodes in 50 racks: each block is a call of another reader. Stock HDFS's order by distance is part
 * of ours, and is timed beside it, and so is ours where each call tells of a read, all in turns.
 */
public final class NameNodeOrderBenchmark {
  private static final int NODES = 1_000;
  private static final int RACKS = 50;
  private static final int BLOCKS = 20_000;
  private static final int WARM_UP_ROUNDS = 10;
  private static final int ROUNDS = 11;
  private static final byte[] CLIENT = new byte[16];
  private static final double TAIL = 0.99;

  private final DatanodeInfoWithStorage[] nodes = new DatanodeInfoWithStorage[NODES];
  private final DatanodeInfoWithStorage[][] blocks = new DatanodeInfoWithStorage[BLOCKS][];
  private final long[] numbers = new long[NODES];
  private final InetAddress[] hosts = new InetAddress[NODES];
  private final SplittableRandom random = new SplittableRandom(1);

  private NameNodeOrderBenchmark() {
    ReplicaTiers tiers = new ReplicaTiers(TierConfiguration.byStorageType());
    for (int node = 0; node < NODES; node++) {
      DatanodeInfo info =
          new DatanodeInfo.DatanodeInfoBuilder()
              .setIpAddr("10.0." + node / 250 + "." + node % 250)
              .setHostName("host" + node)
              .setDatanodeUuid(String.format(Locale.ROOT, "%08d-1111-4111-8111-111111111111", node))
              .setXferPort(9866)
              .setNetworkLocation("/rack" + node % RACKS)
              .setXceiverCount(node % 7)
              .build();
      StorageType type = node % 4 == 0 ? StorageType.SSD : StorageType.DISK;
      nodes[node] = new DatanodeInfoWithStorage(info, "DS-" + node, type);
      numbers[node] = tiers.of(nodes[node]).number();
      hosts[node] = host(node);
    }
  }

  /** Prints the times as one JSON object. */
  public static void main(String[] arguments) {
    StringJoiner json = new StringJoiner(",", "{", "}");
    figures()
        .forEach((key, value) -> json.add(String.format(Locale.ROOT, "\"%s\":%.3f", key, value)));
    System.out.println(json);
  }

  /** Microseconds for a block: the medians of the rounds' medians and 99th percentiles. */
  public static Map<String, Double> figures() {
    NameNodeOrderBenchmark bench = new NameNodeOrderBenchmark();
    DFSNetworkTopology stock = new DFSNetworkTopology();
    TierwiseTopology ours = topology("auto");
    TierwiseTopology told = topology("auto");
    DFSNetworkTopology[] contenders = {ours, stock, told};
    double[][] medians = new double[contenders.length][ROUNDS];
    double[][] tails = new double[contenders.length][ROUNDS];
    for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      for (int contender = 0; contender < contenders.length; contender++) {
        long[] nanos = bench.round(contenders[contender], contenders[contender] == told);
        if (round >= 0) {
          medians[contender][round] = nanos[BLOCKS / 2] / 1e3;
          tails[contender][round] = nanos[(int) (BLOCKS * TAIL)] / 1e3;
        }
      }
    }
    if (ours.failureCount() > 0
        || ours.countedReads() != (double) BLOCKS * (WARM_UP_ROUNDS + ROUNDS)) {
      throw new IllegalStateException("counted " + ours.countedReads() + " reads");
    }
    // Of storages that were listed before; nearly all are after some thousand blocks.
    if (told.reportedReadCount() < (long) BLOCKS * ROUNDS) {
      throw new IllegalStateException("heard " + told.reportedReadCount() + " reports");
    }
    Map<String, Double> figures = new TreeMap<>();
    figures.put("order_micros_p50", median(medians[0]));
    figures.put("order_micros_p99", median(tails[0]));
    figures.put("order_stock_micros_p50", median(medians[1]));
    figures.put("order_stock_micros_p99", median(tails[1]));
    figures.put("order_reports_micros_p50", median(medians[2]));
    figures.put("order_reports_micros_p99", median(tails[2]));
    return figures;
  }

  private static TierwiseTopology topology(String strategy) {
    TierwiseTopology topology = new TierwiseTopology();
    Configuration conf = new Configuration(false);
    conf.set(TierwiseTopology.STRATEGY, strategy);
    topology.setConf(conf);
    return topology;
  }

  /** A call from a host. */
  private static final class CallFrom extends Server.Call {
    private final InetAddress host;

    CallFrom(int id, InetAddress host) {
      super(id, 0, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, CLIENT);
      this.host = host;
    }

    @Override
    public InetAddress getHostInetAddress() {
      return host;
    }
  }

  /** What a reader tells of the block before: one in ten had a fifth of a device's speed. */
  private CallerContext report() {
    int node = random.nextInt(NODES);
    long millis = node % 10 == 0 ? 5_000 : 1_000;
    ReadReport read = new ReadReport(numbers[node], true, 128L << 20, millis, 5);
    return new CallerContext.Builder(ReadReportText.KEY + ":" + ReadReportText.of(List.of(read)))
        .build();
  }

  private static InetAddress host(int reader) {
    try {
      return InetAddress.getByAddress(
          new byte[] {10, 0, (byte) (reader / 250), (byte) (reader % 250)});
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /** Nanoseconds of each block, sorted. */
  private long[] round(DFSNetworkTopology topology, boolean tells) {
    for (int block = 0; block < BLOCKS; block++) {
      int first = random.nextInt(NODES);
      blocks[block] =
          new DatanodeInfoWithStorage[] {
            nodes[first], nodes[(first + 37) % NODES], nodes[(first + 491) % NODES]
          };
    }
    long[] nanos = new long[BLOCKS];
    for (int block = 0; block < BLOCKS; block++) {
      int reader = random.nextInt(NODES);
      Server.getCurCall().set(new CallFrom(block, hosts[reader]));
      CallerContext.setCurrent(tells ? report() : null);
      long start = System.nanoTime();
      topology.sortByDistance(nodes[reader], blocks[block], 3, null);
      nanos[block] = System.nanoTime() - start;
    }
    Server.getCurCall().remove();
    CallerContext.setCurrent(null);
    Arrays.sort(nanos);
    return nanos;
  }
}
