package io.tierwise.benchmarks.placement;

import io.tierwise.benchmarks.Interval;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.EditLogFileOutputStream;

/**
 * Measures what the plug-ins cost a NameNode: create + addBlock + complete + setrep + delete a
 * second, on stock NameNodes and on ones with the plug-ins, in one JVM.
 *
 * <p>The compiler shapes the code by what has run. A NameNode has the plug-ins from its start or
 * never; here both kinds run by turns before the first figure. After a figure of stock NameNodes
 * alone the code would be shaped for those, for as long as the bench runs.
 *
 * <p>Edits are written by the asking thread and not forced to the disk: otherwise waiting would
 * hide what is looked for.
 */
final class OperationsBench implements AutoCloseable {
  private static final int NODES = 100;

  /** An even number. */
  private static final int NAME_NODES = 6;

  /** Before all figures: until the compiler has seen both kinds of NameNode. */
  private static final int PAIRS_TO_COMPILE = 4;

  private static final int FILES_A_TURN = 4;
  private static final int HEAP_FILES = 20_000;

  private final List<BenchCluster> clusters = new ArrayList<>();
  private final List<FileOperations> operations = new ArrayList<>();
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
    System.out.println(
        "create + addBlock + complete + setrep + delete a second, "
            + PairedTurns.method(NAME_NODES));
    turns("/data/plain").warmUp(PAIRS_TO_COMPILE, true);
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
    ratios.put(key, turns(directory).compare(label, plugIns));
  }

  private PairedTurns turns(String directory) {
    return new PairedTurns(
        clusters,
        "file",
        FILES_A_TURN,
        new PairedTurns.Work() {
          @Override
          public void use(int nameNode, boolean ours) {
            clusters.get(nameNode).usePlugIns(ours);
          }

          @Override
          public void turn(int nameNode) throws IOException {
            for (int file = 0; file < FILES_A_TURN; file++) {
              String path = directory + "/file-" + file;
              operations.get(nameNode).write(path);
              operations.get(nameNode).shrinkAndDelete(path);
            }
          }
        });
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
