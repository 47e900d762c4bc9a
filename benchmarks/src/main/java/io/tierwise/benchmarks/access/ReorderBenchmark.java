package io.tierwise.benchmarks.access;

import io.tierwise.hadoop.hdfs.client.ClientKeys;
import io.tierwise.hadoop.hdfs.client.LocatedBlockOrder;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Times the re-ordering of a file of 1,000 blocks with three replicas each, over 100 nodes.
 *
 * <p>Each round orders blocks that were built anew, as a client gets them from the network: no
 * string of theirs has been hashed or compared before. After warming up, the median of the rounds
 * counts, in time of the processor: what other processes take from a busy machine is not ours.
 */
public final class ReorderBenchmark {
  private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();
  private static final int BLOCKS = 1000;
  private static final int NODES = 100;
  private static final int REPLICAS = 3;
  private static final long BLOCK_BYTES = 128L << 20;
  private static final int WARM_UP_ROUNDS = 300;
  private static final int ROUNDS = 101;
  private static final StorageType[] TYPES = {StorageType.SSD, StorageType.DISK, StorageType.DISK};

  private ReorderBenchmark() {}

  /** Prints the time of each strategy. */
  public static void main(String[] arguments) {
    for (String strategy : AccessStrategies.names()) {
      System.out.printf(
          Locale.ROOT, "%-14s %8.3f ms for %d blocks%n", strategy, medianMillis(strategy), BLOCKS);
    }
  }

  /** The figure that is published as {@code reorder_1000_blocks_ms}: the slowest strategy's. */
  public static double slowestMedianMillis() {
    return AccessStrategies.names().stream()
        .mapToDouble(ReorderBenchmark::medianMillis)
        .max()
        .orElseThrow();
  }

  /** Milliseconds for one file under that strategy. */
  public static double medianMillis(String spec) {
    Configuration conf = new Configuration(false);
    conf.set(ClientKeys.LOCATION, "/rack1/host1");
    LocatedBlockOrder order = LocatedBlockOrder.of(conf, TierConfiguration.byStorageType());
    AccessStrategy strategy = AccessStrategies.parse(spec);
    SplittableRandom random = new SplittableRandom(1);
    double[] millis = new double[ROUNDS];
    for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      LocatedBlocks blocks = blocks(random);
      long start = THREAD.getCurrentThreadCpuTime();
      order.order("/data/file", blocks, strategy);
      if (round >= 0) {
        millis[round] = (THREAD.getCurrentThreadCpuTime() - start) / 1e6;
      }
    }
    if (order.failureCount() > 0) {
      throw new IllegalStateException(spec + " failed on " + order.failureCount() + " blocks");
    }
    Arrays.sort(millis);
    return millis[ROUNDS / 2];
  }

  private static LocatedBlocks blocks(SplittableRandom random) {
    List<LocatedBlock> blocks = new ArrayList<>(BLOCKS);
    for (int i = 0; i < BLOCKS; i++) {
      blocks.add(block(i, random));
    }
    return new LocatedBlocks(
        BLOCKS * BLOCK_BYTES, false, blocks, blocks.get(BLOCKS - 1), true, null, null);
  }

  private static LocatedBlock block(int index, SplittableRandom random) {
    DatanodeInfo[] nodes = new DatanodeInfo[REPLICAS];
    String[] storageIds = new String[REPLICAS];
    int first = random.nextInt(NODES);
    for (int replica = 0; replica < REPLICAS; replica++) {
      int node = (first + replica * 37) % NODES;
      nodes[replica] = node(node);
      storageIds[replica] =
          String.format(Locale.ROOT, "DS-%08d-0000-4000-8000-%012d", node, replica);
    }
    return new LocatedBlock(
        new ExtendedBlock("BP-1-127.0.0.1-1", index, BLOCK_BYTES, 1000 + index),
        nodes,
        storageIds,
        TYPES.clone(),
        index * BLOCK_BYTES,
        false,
        null);
  }

  private static DatanodeInfo node(int node) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setIpAddr("10.0.0." + node)
        .setHostName("host" + node)
        .setDatanodeUuid(String.format(Locale.ROOT, "%08d-1111-4111-8111-111111111111", node))
        .setXferPort(9866)
        .setNetworkLocation("/rack" + node % 10)
        .setXceiverCount(node % 7)
        .setCapacity(1L << 40)
        .build();
  }
}
