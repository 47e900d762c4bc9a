package io.tierwise.benchmarks.placement;

import com.sun.management.ThreadMXBean;
import io.tierwise.benchmarks.Interval;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.EditLogFileOutputStream;

/**
 * Measures what the plug-ins cost a NameNode: create + addBlock + complete + setrep + delete a
 * second, on stock NameNodes and on ones with the plug-ins, in one JVM.
 *
 * <p>A round is two turns of a few files on each NameNode, one NameNode after the other in an order
 * drawn anew, and then backwards. So other processes, collections of garbage and what one NameNode
 * leaves in the caches for the next one meet all alike. A window is many rounds, of which the
 * median counts.
 *
 * <p>Two stock NameNodes differ by up to 2%, by where their structures happen to lie. So each
 * NameNode is in turns a stock one and one with the plug-ins: two windows in which the halves of
 * the NameNodes change their parts make a pair, and in its mean that difference cancels out. The
 * figure is the median of the pairs, with its interval. The same with stock NameNodes alone shows
 * what the measure says where there is nothing to be found.
 *
 * <p>The compiler shapes the code by what has run. A NameNode has the plug-ins from its start or
 * never; here both kinds run by turns before the first figure. After a figure of stock NameNodes
 * alone the code would be shaped for those, for as long as the bench runs.
 *
 * <p>What counts is the processor time of the asking thread. Edits are written by it and not forced
 * to the disk: otherwise waiting would hide what is looked for.
 */
final class OperationsBench implements AutoCloseable {
  private static final int NODES = 100;

  /** An even number. */
  private static final int NAME_NODES = 6;

  private static final int PAIRS = 20;
  private static final int PAIRS_TO_WARM_UP = 2;

  /** Before all figures: until the compiler has seen both kinds of NameNode. */
  private static final int PAIRS_TO_COMPILE = 4;

  private static final long WINDOW_NANOS = 1_000_000_000L;

  /**
   * Of several files, so that most run with their code and data in the caches, as on a NameNode
   * that is alone; of few, so that a round is over before the machine's load changes.
   */
  private static final int FILES_A_TURN = 4;

  /** At the start of a window: the plug-ins were just started or stopped. */
  private static final int ROUNDS_TO_SETTLE = 25;

  private static final int ROUNDS_TO_HEARTBEAT = 250;
  private static final int HEAP_FILES = 20_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final List<BenchCluster> clusters = new ArrayList<>();
  private final List<FileOperations> operations = new ArrayList<>();
  private final Random random = new Random(1);
  private final Map<String, Interval> ratios = new LinkedHashMap<>();
  private double heapBytesPerManagedFile;

  OperationsBench() throws IOException {
    EditLogFileOutputStream.setShouldSkipFsyncForTesting(true);
    Configuration changes = new Configuration(false);
    changes.setBoolean(DFSConfigKeys.DFS_NAMENODE_EDITS_ASYNC_LOGGING, false);
    changes.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, "");
    for (int i = 0; i < NAME_NODES; i++) {
      BenchCluster cluster = new BenchCluster(TreeShape.FLAT, changes);
      cluster.growTo(NODES);
      cluster.nameNode().getRpcServer().mkdirs("/data/plain", FsPermission.getDirDefault(), true);
      clusters.add(cluster);
      operations.add(new FileOperations(cluster));
    }
  }

  /** Operations a second, ours / stock, by key. */
  Map<String, Interval> ratios() {
    return ratios;
  }

  /** Heap of a managed file less that of one on a stock NameNode. */
  double heapBytesPerManagedFile() {
    return heapBytesPerManagedFile;
  }

  /** Measures, and prints a line for each figure. */
  void measure() throws IOException {
    System.out.printf(
        Locale.ROOT,
        "create + addBlock + complete + setrep + delete a second, on %d NameNodes by turns;"
            + " ratios: medians of %d pairs of windows (95%% intervals)%n",
        NAME_NODES,
        PAIRS);
    warmUp(PAIRS_TO_COMPILE, "/data/plain", true);
    compare("stock_ratio", "stock with itself", "/data/plain", false);
    compare("unmanaged_ratio_none_managed", "unmanaged, no path managed", "/data/plain", true);
    for (BenchCluster cluster : clusters) {
      cluster.managedFile("managed", "hybrid");
    }
    compare("unmanaged_ratio", "unmanaged beside managed ones", "/data/plain", true);
    compare("managed_ratio", "managed (hybrid)", "/bench/managed", true);
    measureHeap();
  }

  private void compare(String key, String label, String directory, boolean plugIns)
      throws IOException {
    double[] ratio = new double[PAIRS];
    double[] stockNanos = new double[PAIRS];
    double[] bytes = new double[PAIRS];
    warmUp(PAIRS_TO_WARM_UP, directory, plugIns);
    for (int pair = 0; pair < PAIRS; pair++) {
      List<Round> first = window(directory, 0, plugIns);
      List<Round> second = window(directory, 1, plugIns);
      ratio[pair] = Math.sqrt(median(first, Round::ratio) * median(second, Round::ratio));
      stockNanos[pair] = mean(first, second, Round::stockNanos);
      bytes[pair] = mean(first, second, Round::moreBytes);
    }
    for (BenchCluster cluster : clusters) {
      cluster.usePlugIns(false);
    }
    ratios.put(key, Interval.ofMedian(ratio));
    System.out.printf(
        Locale.ROOT,
        "%-30s stock %6.0f/s  ratio %s, %+.0f bytes a file%n",
        label,
        1e9 / Interval.ofMedian(stockNanos).median(),
        ratios.get(key),
        Interval.ofMedian(bytes).median());
  }

  private void warmUp(int pairs, String directory, boolean plugIns) throws IOException {
    for (int window = 0; window < 2 * pairs; window++) {
      window(directory, window % 2, plugIns);
    }
  }

  /**
   * Rounds in which the NameNodes whose number leaves {@code ours} when halved are ours, the others
   * stock ones.
   */
  private List<Round> window(String directory, int ours, boolean plugIns) throws IOException {
    for (int i = 0; i < NAME_NODES; i++) {
      clusters.get(i).usePlugIns(plugIns && i % 2 == ours);
      // What was deleted is fetched, so that all windows begin alike.
      clusters.get(i).heartbeat();
    }
    for (int i = 0; i < ROUNDS_TO_SETTLE; i++) {
      round(directory, ours);
    }
    List<Round> rounds = new ArrayList<>();
    long end = System.nanoTime() + WINDOW_NANOS;
    while (System.nanoTime() < end) {
      rounds.add(round(directory, ours));
      if (rounds.size() % ROUNDS_TO_HEARTBEAT == 0) {
        for (BenchCluster cluster : clusters) {
          cluster.heartbeat();
        }
      }
    }
    return rounds;
  }

  /** Processor time of a file and bytes that ours allocates more for it, in one round. */
  private record Round(double stockNanos, double oursNanos, double moreBytes) {
    double ratio() {
      return stockNanos / oursNanos;
    }
  }

  private Round round(String directory, int ours) throws IOException {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < NAME_NODES; i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    long stockNanos = 0;
    long oursNanos = 0;
    long moreBytes = 0;
    long thread = Thread.currentThread().getId();
    for (int i = 0; i < 2 * NAME_NODES; i++) {
      int at = order.get(i < NAME_NODES ? i : 2 * NAME_NODES - 1 - i);
      long allocated = THREADS.getThreadAllocatedBytes(thread);
      long processor = THREADS.getCurrentThreadCpuTime();
      for (int file = 0; file < FILES_A_TURN; file++) {
        String path = directory + "/file-" + file;
        operations.get(at).write(path);
        operations.get(at).shrinkAndDelete(path);
      }
      long nanos = THREADS.getCurrentThreadCpuTime() - processor;
      long bytes = THREADS.getThreadAllocatedBytes(thread) - allocated;
      boolean isOurs = at % 2 == ours;
      stockNanos += isOurs ? 0 : nanos;
      oursNanos += isOurs ? nanos : 0;
      moreBytes += isOurs ? bytes : -bytes;
    }
    double files = NAME_NODES * FILES_A_TURN;
    return new Round(stockNanos / files, oursNanos / files, moreBytes / files);
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
    return Interval.ofMedian(rounds.stream().mapToDouble(figure).toArray()).median();
  }

  private static double mean(
      List<Round> first, List<Round> second, ToDoubleFunction<Round> figure) {
    return (median(first, figure) + median(second, figure)) / 2;
  }

  /**
   * Files of one block, kept: on each NameNode as many by stock HDFS as under a policy, what comes
   * first by turns.
   */
  private void measureHeap() throws IOException {
    double[] stock = new double[NAME_NODES];
    double[] more = new double[NAME_NODES];
    for (int i = 0; i < NAME_NODES; i++) {
      boolean oursFirst = i % 2 == 0;
      double first = heapOfFiles(i, oursFirst);
      double second = heapOfFiles(i, !oursFirst);
      stock[i] = oursFirst ? second : first;
      more[i] = oursFirst ? first - second : second - first;
    }
    heapBytesPerManagedFile = Arrays.stream(more).average().orElseThrow();
    Arrays.sort(more);
    System.out.printf(
        Locale.ROOT,
        "heap a file of one block: stock %.0f bytes, managed %+.1f bytes (%d NameNodes: %+.1f to"
            + " %+.1f)%n",
        Arrays.stream(stock).average().orElseThrow(),
        heapBytesPerManagedFile,
        NAME_NODES,
        more[0],
        more[NAME_NODES - 1]);
  }

  private double heapOfFiles(int nameNode, boolean plugIns) throws IOException {
    BenchCluster cluster = clusters.get(nameNode);
    String directory = "/bench/managed/kept-" + (plugIns ? "by-policy" : "by-stock");
    cluster.nameNode().getRpcServer().mkdirs(directory, FsPermission.getDirDefault(), true);
    cluster.awaitDeletions();
    cluster.usePlugIns(plugIns);
    long before = usedHeap();
    for (int file = 0; file < HEAP_FILES; file++) {
      operations.get(nameNode).write(directory + "/file-" + file);
    }
    double bytes = (usedHeap() - before) / (double) HEAP_FILES;
    cluster.usePlugIns(false);
    return bytes;
  }

  private static long usedHeap() {
    for (int turn = 0; turn < 3; turn++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  @Override
  public void close() {
    clusters.forEach(BenchCluster::close);
  }

  /** For itself, without the rest of the bench. */
  public static void main(String[] args) throws IOException {
    try (OperationsBench bench = new OperationsBench()) {
      bench.measure();
    }
    System.exit(0);
  }
}
