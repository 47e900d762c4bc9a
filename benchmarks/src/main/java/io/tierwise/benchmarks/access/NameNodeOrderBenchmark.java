package io.tierwise.benchmarks.access;

import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import java.util.Arrays;
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
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;

/**
 * Times the order of one block's three replicas in the NameNode, counting included, over 1,000
 * nodes in 50 racks: each block is a call of another reader. Stock HDFS's order by distance is part
 * of ours, and is timed beside it, the two in turns.
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
  private final SplittableRandom random = new SplittableRandom(1);

  private NameNodeOrderBenchmark() {
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
    TierwiseTopology ours = new TierwiseTopology();
    Configuration conf = new Configuration(false);
    conf.set(TierwiseTopology.STRATEGY, "auto");
    ours.setConf(conf);
    double[][] medians = new double[2][ROUNDS];
    double[][] tails = new double[2][ROUNDS];
    for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      for (int contender = 0; contender < 2; contender++) {
        long[] nanos = bench.round(contender == 0 ? ours : stock);
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
    Map<String, Double> figures = new TreeMap<>();
    figures.put("order_micros_p50", median(medians[0]));
    figures.put("order_micros_p99", median(tails[0]));
    figures.put("order_stock_micros_p50", median(medians[1]));
    figures.put("order_stock_micros_p99", median(tails[1]));
    return figures;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /** Nanoseconds of each block, sorted. */
  private long[] round(DFSNetworkTopology topology) {
    for (int block = 0; block < BLOCKS; block++) {
      int first = random.nextInt(NODES);
      blocks[block] =
          new DatanodeInfoWithStorage[] {
            nodes[first], nodes[(first + 37) % NODES], nodes[(first + 491) % NODES]
          };
    }
    long[] nanos = new long[BLOCKS];
    for (int block = 0; block < BLOCKS; block++) {
      DatanodeInfoWithStorage reader = nodes[random.nextInt(NODES)];
      Server.getCurCall()
          .set(new Server.Call(block, 0, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, CLIENT));
      long start = System.nanoTime();
      topology.sortByDistance(reader, blocks[block], 3, null);
      nanos[block] = System.nanoTime() - start;
    }
    Server.getCurCall().remove();
    Arrays.sort(nanos);
    return nanos;
  }
}
