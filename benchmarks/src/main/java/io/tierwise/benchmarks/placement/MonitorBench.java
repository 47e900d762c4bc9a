package io.tierwise.benchmarks.placement;

import io.tierwise.benchmarks.Interval;
import io.tierwise.hadoop.hdfs.namenode.MonitorSettings;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.policies.movement.RepairBacklog;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.EditLogFileOutputStream;
import org.apache.hadoop.net.NetUtils;

/**
 * The cost of the monitor to a NameNode with 200,000 managed blocks that it walks through all the
 * time: create + addBlock + complete + delete a second with it and without, by turns, as a clock on
 * the wall tells; and the heap that it keeps when none of the blocks is as its layout wants.
 *
 * <p>Prints a table and, as its last line, one JSON object. Arguments: files and pairs of turns,
 * for a quick look.
 */
public final class MonitorBench {
  private static final int NODES = 100;
  private static final int FILES = 200_000;
  private static final int FILES_IN_DIRECTORY = 1_000;
  private static final int PAIRS = 20;
  private static final int PAIRS_TO_WARM_UP = 4;
  private static final long TURN_NANOS = 1_500_000_000L;
  private static final int QUEUE_BLOCKS = 20_000;
  private static final int ASK_BLOCKS = 1_000;
  private static final String MANAGED = "/bench/managed";

  private final BenchCluster cluster;
  private final FileOperations operations;
  private final int files;
  private final int pairs;

  private MonitorBench(BenchCluster cluster, int files, int pairs) {
    this.cluster = cluster;
    this.files = files;
    this.pairs = pairs;
    this.operations = new FileOperations(cluster);
  }

  public static void main(String[] arguments) throws IOException {
    int files = arguments.length > 0 ? Integer.parseInt(arguments[0]) : FILES;
    int pairs = arguments.length > 1 ? Integer.parseInt(arguments[1]) : PAIRS;
    EditLogFileOutputStream.setShouldSkipFsyncForTesting(true);
    Configuration changes = new Configuration(false);
    changes.setBoolean(DFSConfigKeys.DFS_NAMENODE_EDITS_ASYNC_LOGGING, false);
    changes.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, "");
    changes.set(MonitorSettings.INTERVAL_KEY, "1");
    try (BenchCluster cluster = new BenchCluster(TreeShape.FLAT, changes)) {
      cluster.growTo(NODES);
      MonitorBench bench = new MonitorBench(cluster, files, pairs);
      bench.makeFiles();
      double bytes = bench.bytesOfABlock();
      Interval ratio = bench.overhead();
      System.out.printf(
          Locale.ROOT,
          "{\"monitor_overhead_percent\": %.1f, \"bytes_per_managed_block\": %.1f}%n",
          (1 - ratio.median()) * 100,
          bytes);
    }
    System.exit(0);
  }

  private void makeFiles() throws IOException {
    use(false);
    cluster.managedFile("managed", "layout:1 x ssd + 2 x disk");
    for (int file = 0; file < files; file++) {
      String directory = MANAGED + "/part-" + file / FILES_IN_DIRECTORY;
      if (file % FILES_IN_DIRECTORY == 0) {
        mkdirs(directory);
      }
      operations.write(directory + "/file-" + file);
    }
  }

  private void mkdirs(String path) throws IOException {
    cluster.nameNode().getRpcServer().mkdirs(path, FsPermission.getDirDefault(), true);
  }

  /** From now on the plug-in runs with the monitor, or without it. */
  private void use(boolean monitor) {
    cluster.nameNode().getConf().setBoolean(MonitorSettings.ENABLED_KEY, monitor);
    cluster.usePlugIns(true);
  }

  private Interval overhead() throws IOException {
    setPolicy("layout:1 x ssd + 2 x disk");
    mkdirs(MANAGED + "/turns");
    double[] with = new double[pairs];
    double[] without = new double[pairs];
    double[] ratio = new double[pairs];
    double lockShare = 0;
    for (int pair = -PAIRS_TO_WARM_UP; pair < pairs; pair++) {
      double[] rate = new double[2];
      for (int turn = 0; turn < 2; turn++) {
        boolean monitor = (turn + pair) % 2 == 0;
        use(monitor);
        cluster.heartbeat();
        rate[monitor ? 0 : 1] = filesPerSecond();
        lockShare = monitor ? (double) shown("LockSeconds") / (TURN_NANOS / 1e9) : lockShare;
      }
      if (pair >= 0) {
        with[pair] = rate[0];
        without[pair] = rate[1];
        ratio[pair] = rate[0] / rate[1];
      }
    }
    Interval found = Interval.ofMedian(ratio);
    System.out.printf(
        Locale.ROOT,
        "create + addBlock + complete + delete a second: %.0f without, %.0f with the monitor, ratio"
            + " %s; it held the lock for %.1f%% of the last turn%n",
        Interval.ofMedian(without).median(),
        Interval.ofMedian(with).median(),
        found,
        100 * lockShare);
    return found;
  }

  private double filesPerSecond() throws IOException {
    long start = System.nanoTime();
    long written = 0;
    while (System.nanoTime() - start < TURN_NANOS) {
      String path = MANAGED + "/turns/file-" + written++ % 8;
      operations.write(path);
      cluster.nameNode().getRpcServer().delete(path, false);
    }
    return 1e9 * written / (System.nanoTime() - start);
  }

  /** With a full queue, and as many blocks remembered that were repaired. */
  private double bytesOfABlock() throws IOException {
    use(false);
    cluster.awaitDeletions();
    long before = usedHeap();
    setPolicy("layout:3 x archive");
    use(true);
    awaitWalks(1);
    long queued = usedHeap();
    repairAll();
    awaitWalks(2);
    long all = usedHeap();
    System.out.printf(
        Locale.ROOT,
        "%d managed blocks, %d queued, %s remembered as repaired: %.1f MB of heap (%.1f before any"
            + " was repaired); a walk took %.1f s%n",
        (long) shown("ManagedBlocks"),
        (int) shown("QueueBlocks"),
        shown("LeftAloneBlocks"),
        (all - before) / 1e6,
        (queued - before) / 1e6,
        (double) shown("WalkSeconds"));
    return (all - before) / (double) files;
  }

  /** As if a mover had repaired as many blocks as the queue holds, and somebody undone it. */
  private void repairAll() throws IOException {
    Configuration conf = cluster.nameNode().getConf();
    String address = NetUtils.getHostPortString(cluster.nameNode().getNameNodeAddress());
    try (DistributedFileSystem fs = new DistributedFileSystem()) {
      fs.initialize(URI.create("hdfs://" + address), conf);
      NameNodePlugin plugin = new NameNodePlugin(fs, conf);
      NameNodePlugin.Answer active = plugin.ofActive();
      for (int asked = 0; asked < QUEUE_BLOCKS; asked += ASK_BLOCKS) {
        RepairCalls.Question question =
            new RepairCalls.Question(ASK_BLOCKS, 60, RepairCalls.State.MOVING, 1, 1, 0);
        List<String> results = new ArrayList<>(List.of(RepairCalls.TELL));
        for (RepairCalls.Work work : RepairCalls.parse(plugin.answer(active, question.format()))) {
          results.add(
              new RepairCalls.Result(
                      work.blockId(),
                      work.wanted(),
                      RepairBacklog.Outcome.DONE,
                      RepairCalls.Moved.NONE,
                      RepairCalls.Moved.NONE,
                      "none")
                  .format());
        }
        plugin.answer(active, results.toArray(new String[0]));
      }
    }
  }

  private static void awaitWalks(int more) throws IOException {
    long until = (long) shown("Walks") + more;
    while ((long) shown("Walks") < until) {
      LockSupport.parkNanos(20_000_000L);
    }
  }

  private void setPolicy(String policy) throws IOException {
    XAttr attribute =
        new XAttr.Builder()
            .setNameSpace(XAttr.NameSpace.USER)
            .setName("tierwise.placement")
            .setValue(policy.getBytes(StandardCharsets.UTF_8))
            .build();
    cluster
        .nameNode()
        .getRpcServer()
        .setXAttr(MANAGED, attribute, EnumSet.of(XAttrSetFlag.REPLACE));
  }

  private static long usedHeap() {
    for (int turn = 0; turn < 3; turn++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static Object shown(String attribute) throws IOException {
    try {
      ObjectName bean = new ObjectName("Hadoop:service=NameNode,name=TierwiseMonitor");
      return ManagementFactory.getPlatformMBeanServer().getAttribute(bean, attribute);
    } catch (JMException e) {
      throw new IOException("the monitor shows no JMX bean", e);
    }
  }
}
