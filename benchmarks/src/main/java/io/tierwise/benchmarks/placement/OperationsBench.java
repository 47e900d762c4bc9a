package io.tierwise.benchmarks.placement;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.EditLogFileOutputStream;

/**
 * Measures what the plug-ins cost a NameNode: create + addBlock + complete + setrep + delete a
 * second, on a stock NameNode and on one with the plug-ins, in one JVM.
 *
 * <p>Short rounds of both in turns, the first of a pair by turns; what counts is the median over
 * the pairs of stock's processor time to ours, because whatever else runs on the machine comes and
 * goes slower than a pair. Edits are written by the calling thread and not forced to the disk:
 * otherwise waiting for it would hide what is looked for.
 */
final class OperationsBench implements AutoCloseable {
  private static final int NODES = 100;
  private static final int PAIRS = 150;
  private static final int PAIRS_TO_WARM_UP = 30;
  private static final int FILES_A_ROUND = 400;
  private static final int HEAP_FILES = 40_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final BenchCluster stock;
  private final BenchCluster ours;
  private final Map<String, Double> keys = new LinkedHashMap<>();

  OperationsBench() throws IOException {
    EditLogFileOutputStream.setShouldSkipFsyncForTesting(true);
    Configuration changes = new Configuration(false);
    changes.setBoolean(DFSConfigKeys.DFS_NAMENODE_EDITS_ASYNC_LOGGING, false);
    ours = new BenchCluster(TreeShape.FLAT, changes);
    changes.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_DEFAULT.getName());
    changes.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, "");
    stock = new BenchCluster(TreeShape.FLAT, changes);
    for (BenchCluster cluster : new BenchCluster[] {stock, ours}) {
      cluster.growTo(NODES);
      cluster.nameNode().getRpcServer().mkdirs("/data/plain", FsPermission.getDirDefault(), true);
    }
    ours.awaitView();
  }

  /** The figures by key; prints a line for each. */
  Map<String, Double> measure() throws IOException {
    System.out.println(
        "create + addBlock + complete + setrep + delete a second; ratio ours / stock, medians of "
            + PAIRS
            + " pairs (quartiles)");
    compare("unmanaged_ratio_none_managed", "unmanaged, no path managed", "/data/plain");
    ours.managedFile("managed", "hybrid");
    compare("unmanaged_ratio", "unmanaged beside managed ones", "/data/plain");
    stock.nameNode().getRpcServer().mkdirs("/bench/managed", FsPermission.getDirDefault(), true);
    compare("managed_ratio", "managed (hybrid)", "/bench/managed");
    measureHeap();
    return keys;
  }

  private void compare(String key, String label, String directory) throws IOException {
    FileOperations byStock = new FileOperations(stock);
    FileOperations byOurs = new FileOperations(ours);
    double[] ratios = new double[PAIRS];
    double[] wallRatios = new double[PAIRS];
    double[] stockNanos = new double[PAIRS];
    double[] bytes = new double[PAIRS];
    for (int pair = -PAIRS_TO_WARM_UP; pair < PAIRS; pair++) {
      boolean oursFirst = pair % 2 == 0;
      Round first = round(oursFirst ? byOurs : byStock, directory);
      Round second = round(oursFirst ? byStock : byOurs, directory);
      Round of = oursFirst ? first : second;
      Round from = oursFirst ? second : first;
      if (pair >= 0) {
        ratios[pair] = from.processorNanos / of.processorNanos;
        wallRatios[pair] = from.wallNanos / of.wallNanos;
        stockNanos[pair] = from.processorNanos / FILES_A_ROUND;
        bytes[pair] = (of.bytes - from.bytes) / FILES_A_ROUND;
      }
      if (pair % 10 == 0) {
        stock.heartbeat();
        ours.heartbeat();
      }
    }
    keys.put(key, quantile(ratios, 0.5));
    System.out.printf(
        Locale.ROOT,
        "%-32s stock %6.0f/s  ratio %.3f (%.3f to %.3f), by wall time %.3f, %+.0f bytes a file%n",
        label,
        1e9 / quantile(stockNanos, 0.5),
        quantile(ratios, 0.5),
        quantile(ratios, 0.25),
        quantile(ratios, 0.75),
        quantile(wallRatios, 0.5),
        quantile(bytes, 0.5));
  }

  private record Round(double processorNanos, double wallNanos, double bytes) {}

  private static Round round(FileOperations operations, String directory) throws IOException {
    long allocated = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    long wall = System.nanoTime();
    long processor = THREADS.getCurrentThreadCpuTime();
    for (int file = 0; file < FILES_A_ROUND; file++) {
      String path = directory + "/file-" + file;
      operations.write(path);
      operations.shrinkAndDelete(path);
    }
    return new Round(
        THREADS.getCurrentThreadCpuTime() - processor,
        System.nanoTime() - wall,
        THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - allocated);
  }

  /** Files of one block in a managed directory, beside the same on the stock NameNode. */
  private void measureHeap() throws IOException {
    double ofStock = heapOfFiles(stock);
    double ofOurs = heapOfFiles(ours);
    keys.put("heap_bytes_per_managed_file", ofOurs - ofStock);
    System.out.printf(
        Locale.ROOT,
        "heap a file of one block: stock %.0f bytes, managed %.0f bytes%n",
        ofStock,
        ofOurs);
  }

  private static double heapOfFiles(BenchCluster cluster) throws IOException {
    FileOperations operations = new FileOperations(cluster);
    long before = usedHeap();
    for (int file = 0; file < HEAP_FILES; file++) {
      operations.write("/bench/managed/kept-" + file);
    }
    return (usedHeap() - before) / (double) HEAP_FILES;
  }

  private static long usedHeap() {
    for (int turn = 0; turn < 3; turn++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static double quantile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) (share * (sorted.length - 1))];
  }

  @Override
  public void close() {
    stock.close();
    ours.close();
  }

  /** For itself, without the rest of the bench. */
  public static void main(String[] args) throws IOException {
    try (OperationsBench bench = new OperationsBench()) {
      System.out.println(bench.measure());
    }
    System.exit(0);
  }
}
