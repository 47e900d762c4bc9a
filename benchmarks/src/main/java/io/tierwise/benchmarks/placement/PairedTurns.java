package io.tierwise.benchmarks.placement;

import com.sun.management.ThreadMXBean;
import io.tierwise.benchmarks.Interval;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * Compares stock NameNodes with ones that have something of ours, by turns, in one JVM.
 *
 * <p>A round is two turns of a few pieces of work on each NameNode, one NameNode after the other in
 * an order drawn anew, and then backwards. So other processes, collections of garbage and what one
 * NameNode leaves in the caches for the next one meet all alike. A window is many rounds, of which
 * the median counts.
 *
 * <p>Two stock NameNodes differ by up to 2%, by where their structures happen to lie. So each
 * NameNode is in turns a stock one and one of ours: two windows in which the halves of the
 * NameNodes change their parts make a pair, and in its mean that difference cancels out. The figure
 * is the median of the pairs, with its interval. The same with stock NameNodes alone shows what the
 * measure says where there is nothing to be found.
 *
 * <p>Processor time counts: that of the asking thread, or of the threads that the work names.
 */
final class PairedTurns {
  private static final int PAIRS = 20;
  private static final int PAIRS_TO_WARM_UP = 2;
  private static final long WINDOW_NANOS = 1_000_000_000L;

  /** At the start of a window: what is compared was just switched on or off. */
  private static final int ROUNDS_TO_SETTLE = 25;

  private static final int ROUNDS_TO_HEARTBEAT = 250;
  static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The operation that each NameNode is asked for, again and again. */
  interface Work {
    /** From now on the NameNode has what is compared, or is a stock one. */
    void use(int nameNode, boolean ours);

    /**
     * A turn. Of several pieces, so that most run with their code and data in the caches, as on a
     * NameNode that is alone; of few, so that a round is over before the machine's load changes.
     */
    void turn(int nameNode) throws IOException;

    /** Processor time so far of the threads that work for this NameNode, in nanoseconds. */
    default long processorNanos(int nameNode) {
      return THREADS.getCurrentThreadCpuTime();
    }
  }

  private final List<BenchCluster> clusters;
  private final String piece;
  private final int piecesInTurn;
  private final Work work;
  private final Random random = new Random(1);

  /**
   * @param clusters an even number
   * @param piece what the work consists of, in a word
   * @param piecesInTurn how many of them a turn is
   */
  PairedTurns(List<BenchCluster> clusters, String piece, int piecesInTurn, Work work) {
    this.clusters = clusters;
    this.piece = piece;
    this.piecesInTurn = piecesInTurn;
    this.work = work;
  }

  /** The heading of the lines that {@link #compare} prints. */
  static String method(int nameNodes) {
    return String.format(
        Locale.ROOT,
        "on %d NameNodes by turns; ratios: medians of %d pairs of windows (95%% intervals)",
        nameNodes,
        PAIRS);
  }

  /**
   * Measures, and prints a line.
   *
   * @param ours whether one half is ours; else stock is compared with itself
   * @return ours / stock, in pieces a second
   */
  Interval compare(String label, boolean ours) throws IOException {
    double[] ratio = new double[PAIRS];
    double[] stockNanos = new double[PAIRS];
    double[] bytes = new double[PAIRS];
    warmUp(PAIRS_TO_WARM_UP, ours);
    for (int pair = 0; pair < PAIRS; pair++) {
      List<Round> first = window(0, ours);
      List<Round> second = window(1, ours);
      ratio[pair] = Math.sqrt(median(first, Round::ratio) * median(second, Round::ratio));
      stockNanos[pair] = mean(first, second, Round::stockNanos);
      bytes[pair] = mean(first, second, Round::moreBytes);
    }
    for (int nameNode = 0; nameNode < clusters.size(); nameNode++) {
      work.use(nameNode, false);
    }
    Interval found = Interval.ofMedian(ratio);
    System.out.printf(
        Locale.ROOT,
        "%-30s stock %6.0f/s  ratio %s, %+.0f bytes a %s%n",
        label,
        1e9 / Interval.ofMedian(stockNanos).median(),
        found,
        Interval.ofMedian(bytes).median(),
        piece);
    return found;
  }

  void warmUp(int pairs, boolean ours) throws IOException {
    for (int window = 0; window < 2 * pairs; window++) {
      window(window % 2, ours);
    }
  }

  /**
   * Rounds in which the NameNodes whose number leaves {@code remainder} when halved are ours, the
   * others stock ones.
   */
  private List<Round> window(int remainder, boolean ours) throws IOException {
    for (int nameNode = 0; nameNode < clusters.size(); nameNode++) {
      work.use(nameNode, ours && nameNode % 2 == remainder);
      // The heartbeat fetches the deletions, so that all windows begin alike.
      clusters.get(nameNode).heartbeat();
    }
    for (int i = 0; i < ROUNDS_TO_SETTLE; i++) {
      round(remainder);
    }
    List<Round> rounds = new ArrayList<>();
    long end = System.nanoTime() + WINDOW_NANOS;
    while (System.nanoTime() < end) {
      rounds.add(round(remainder));
      if (rounds.size() % ROUNDS_TO_HEARTBEAT == 0) {
        for (BenchCluster cluster : clusters) {
          cluster.heartbeat();
        }
      }
    }
    return rounds;
  }

  /** Processor time of a piece and bytes that ours allocates more for it, in one round. */
  private record Round(double stockNanos, double oursNanos, double moreBytes) {
    double ratio() {
      return stockNanos / oursNanos;
    }
  }

  private Round round(int remainder) throws IOException {
    int count = clusters.size();
    List<Integer> order = new ArrayList<>();
    for (int nameNode = 0; nameNode < count; nameNode++) {
      order.add(nameNode);
    }
    Collections.shuffle(order, random);
    long stockNanos = 0;
    long oursNanos = 0;
    long moreBytes = 0;
    long thread = Thread.currentThread().getId();
    for (int i = 0; i < 2 * count; i++) {
      int at = order.get(i < count ? i : 2 * count - 1 - i);
      long allocated = THREADS.getThreadAllocatedBytes(thread);
      long processor = work.processorNanos(at);
      work.turn(at);
      long nanos = work.processorNanos(at) - processor;
      long bytes = THREADS.getThreadAllocatedBytes(thread) - allocated;
      boolean isOurs = at % 2 == remainder;
      stockNanos += isOurs ? 0 : nanos;
      oursNanos += isOurs ? nanos : 0;
      moreBytes += isOurs ? bytes : -bytes;
    }
    double pieces = (double) count * piecesInTurn;
    return new Round(stockNanos / pieces, oursNanos / pieces, moreBytes / pieces);
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
    return Interval.ofMedian(rounds.stream().mapToDouble(figure).toArray()).median();
  }

  private static double mean(
      List<Round> first, List<Round> second, ToDoubleFunction<Round> figure) {
    return (median(first, figure) + median(second, figure)) / 2;
  }
}
