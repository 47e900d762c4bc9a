package io.tierwise.benchmarks.placement;

import io.tierwise.benchmarks.FigureRanges;
import io.tierwise.benchmarks.Interval;
import io.tierwise.hadoop.hdfs.audit.TierwiseAuditLogger;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.apache.hadoop.ipc.Server;

/**
 * The cost of the audit logger that counts accesses to a NameNode that is asked where files are:
 * opens a second by the processor time of its RPC threads, and the 99th percentile of the call
 * alone, with the logger and without, by turns. Hadoop's own audit log is written as by default.
 *
 * <p>Those intervals are as wide as the machine is busy. So each call is also its own pair: the
 * time that it takes, and the same without the time between the logger's first and last
 * instruction. That is exact on a busy machine too, and has none of what comes after the logger:
 * other contents of caches, and garbage.
 *
 * <p>Prints lines and, as its last one, a JSON object. Argument: the file of ranges.
 */
public final class FeedOverheadBench {
  private static final int NODES = 100;

  /** An even number. */
  private static final int NAME_NODES = 4;

  private static final int PAIRS_TO_COMPILE = 4;
  private static final int PAIRS = 20;

  /** Twenty leave an interval as wide as what is allowed. */
  private static final int PAIRS_OF_TAIL = 200;

  private static final int TURNS_IN_PAIR = 600;
  private static final double TAIL = 0.99;

  private final List<BenchCluster> clusters = new ArrayList<>();
  private final List<SwitchedLogger> loggers = new ArrayList<>();

  private FeedOverheadBench() throws IOException {
    Configuration changes = new Configuration(false);
    changes.set(
        DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY, "default," + SwitchedLogger.class.getName());
    changes.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, "");
    for (int nameNode = 0; nameNode < NAME_NODES; nameNode++) {
      BenchCluster cluster = OpensByRpc.clusterWithFiles(NODES, changes);
      clusters.add(cluster);
      cluster.nameNode().getNamesystem().getAuditLoggers().stream()
          .filter(SwitchedLogger.class::isInstance)
          .map(SwitchedLogger.class::cast)
          .forEach(loggers::add);
    }
  }

  public static void main(String[] arguments) throws IOException {
    FeedOverheadBench bench = new FeedOverheadBench();
    System.out.println("opens a second, " + PairedTurns.method(NAME_NODES));
    Interval rate = bench.byRpc();
    Interval tail = bench.tail();
    Interval[] inside = bench.inside();
    bench.check();
    Map<String, Double> figures = new TreeMap<>();
    figures.put("namenode_overhead_percent", (1 - rate.median()) * 100);
    figures.put("namenode_p99_overhead_percent", (tail.median() - 1) * 100);
    figures.put("namenode_logger_percent", (inside[0].median() - 1) * 100);
    figures.put("namenode_logger_p99_percent", (inside[1].median() - 1) * 100);
    List<String> misses = FigureRanges.read(Path.of(arguments[0])).misses(figures);
    misses.forEach(System.out::println);
    System.out.println(
        figures.entrySet().stream()
            .map(each -> String.format(Locale.ROOT, "\"%s\": %.2f", each.getKey(), each.getValue()))
            .collect(Collectors.joining(", ", "{", "}")));
    System.exit(misses.isEmpty() ? 0 : 1);
  }

  private Interval byRpc() throws IOException {
    PairedTurns turns =
        new PairedTurns(
            clusters,
            "call",
            OpensByRpc.OPENS_A_TURN,
            new OpensByRpc(clusters, (nameNode, ours) -> loggers.get(nameNode).use(ours)));
    turns.warmUp(PAIRS_TO_COMPILE, true);
    turns.compare("without, with itself", false);
    return turns.compare("with the audit logger", true);
  }

  /** With / without of the call alone, on one NameNode, from where a handler has read it. */
  private Interval tail() throws IOException {
    ServedCalls calls = new ServedCalls(clusters.get(0).nameNode());
    SplittableRandom random = new SplittableRandom(1);
    long before = loggers.get(0).told;
    int each = TURNS_IN_PAIR / 2 * OpensByRpc.OPENS_A_TURN;
    double[] ratio = new double[PAIRS_OF_TAIL];
    double[] without = new double[PAIRS_OF_TAIL];
    for (int pair = -PAIRS_TO_COMPILE; pair < PAIRS_OF_TAIL; pair++) {
      long[][] nanos = new long[2][each];
      int[] count = new int[2];
      for (int turn = 0; turn < TURNS_IN_PAIR; turn++) {
        // with, without, without, with: what comes after what evens out
        int with = turn % 4 == 0 || turn % 4 == 3 ? 1 : 0;
        loggers.get(0).use(with == 1);
        for (int open = 0; open < OpensByRpc.OPENS_A_TURN; open++) {
          // HDFS audits what came by RPC only.
          Server.getCurCall().set(new CallFrom(0, random.nextInt(NODES)));
          String file = OpensByRpc.file(random.nextInt(OpensByRpc.FILES));
          long start = System.nanoTime();
          calls.locations(file);
          nanos[with][count[with]++] = System.nanoTime() - start;
        }
      }
      if (pair >= 0) {
        without[pair] = tail(nanos[0]);
        ratio[pair] = tail(nanos[1]) / without[pair];
      }
    }
    Server.getCurCall().remove();
    if (loggers.get(0).told - before < (long) PAIRS_OF_TAIL * each) {
      throw new IllegalStateException("not every open was audited");
    }
    Interval found = Interval.ofMedian(ratio);
    System.out.printf(
        Locale.ROOT,
        "99th percentile of the call alone: %.1f us without, ratio %s%n",
        Interval.ofMedian(without).median() / 1e3,
        found);
    return found;
  }

  /**
   * With / without the logger's own time, of the same calls: of all together, and of their 99th
   * percentile. Two looks at the clock are in the logger's time.
   */
  private Interval[] inside() throws IOException {
    ServedCalls calls = new ServedCalls(clusters.get(0).nameNode());
    SwitchedLogger logger = loggers.get(0);
    SplittableRandom random = new SplittableRandom(2);
    int each = TURNS_IN_PAIR * OpensByRpc.OPENS_A_TURN;
    double[] all = new double[PAIRS];
    double[] tails = new double[PAIRS];
    logger.use(true);
    logger.time(true);
    for (int pair = -PAIRS_TO_COMPILE; pair < PAIRS; pair++) {
      long[] with = new long[each];
      long[] without = new long[each];
      for (int open = 0; open < each; open++) {
        Server.getCurCall().set(new CallFrom(0, random.nextInt(NODES)));
        String file = OpensByRpc.file(random.nextInt(OpensByRpc.FILES));
        logger.nanos = 0;
        long start = System.nanoTime();
        calls.locations(file);
        with[open] = System.nanoTime() - start;
        without[open] = with[open] - logger.nanos;
        if (logger.nanos == 0) {
          throw new IllegalStateException("an open was not audited");
        }
      }
      if (pair >= 0) {
        all[pair] = (double) LongStream.of(with).sum() / LongStream.of(without).sum();
        tails[pair] = tail(with) / tail(without);
      }
    }
    logger.time(false);
    Server.getCurCall().remove();
    Interval[] found = {Interval.ofMedian(all), Interval.ofMedian(tails)};
    System.out.printf(
        Locale.ROOT,
        "time of a call with the logger's part over that without: all %s, 99th percentile %s%n",
        found[0],
        found[1]);
    return found;
  }

  private static double tail(long[] nanos) {
    Arrays.sort(nanos);
    return nanos[(int) (nanos.length * TAIL)];
  }

  /** That the logger was there, and was told. */
  private void check() {
    if (loggers.size() != NAME_NODES) {
      throw new IllegalStateException(loggers.size() + " loggers of " + NAME_NODES);
    }
    for (SwitchedLogger logger : loggers) {
      if (logger.told == 0) {
        throw new IllegalStateException("a logger was never told of an open");
      }
    }
  }

  /** Ours, or nothing, while its NameNode runs. */
  public static final class SwitchedLogger implements AuditLogger {
    private final TierwiseAuditLogger ours = new TierwiseAuditLogger();
    private volatile boolean used;
    private volatile boolean timed;
    private long told;

    /** Of the last call, while it is timed; one thread asks then. */
    private long nanos;

    void use(boolean use) {
      used = use;
    }

    void time(boolean time) {
      timed = time;
    }

    @Override
    public void initialize(Configuration conf) {
      ours.initialize(conf);
    }

    @Override
    public void logAuditEvent(
        boolean succeeded,
        String userName,
        InetAddress address,
        String command,
        String source,
        String destination,
        FileStatus status) {
      if (used) {
        told++;
        long start = timed ? System.nanoTime() : 0;
        ours.logAuditEvent(succeeded, userName, address, command, source, destination, status);
        nanos = timed ? System.nanoTime() - start : 0;
      }
    }
  }
}
