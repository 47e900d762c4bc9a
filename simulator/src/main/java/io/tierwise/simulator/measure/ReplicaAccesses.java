package io.tierwise.simulator.measure;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * How often each replica of a block was asked for: evenly, or one of them more than the others.
 * Bounded: of larger workloads it is not computed.
 */
public final class ReplicaAccesses {
  /** Own: some 10 MB of counts. */
  static final int REPLICAS_MAX = 1 << 16;

  private final Map<Integer, Map<Integer, Integer>> byBlock = new HashMap<>();
  private int replicaCount;

  /** A task begins to read a block from the replica on the volume. */
  public void accessed(int block, int volume) {
    if (replicaCount <= REPLICAS_MAX) {
      int count =
          byBlock.computeIfAbsent(block, added -> new HashMap<>()).merge(volume, 1, Integer::sum);
      replicaCount += count == 1 ? 1 : 0;
    }
  }

  /**
   * The standard deviation of the accesses to a block's replicas, the mean over blocks that were
   * read. Not a number when none was, or too many were.
   *
   * <p>Source: DerbyhatS, Fig. 5.7. Own: replicas are the whole population, those that nobody asked
   * for included, and those that were asked for and are gone.
   *
   * @param replicasOf the volumes of a block's replicas
   */
  double deviation(IntFunction<int[]> replicasOf) {
    if (byBlock.isEmpty() || replicaCount > REPLICAS_MAX) {
      return Double.NaN;
    }
    double sum = 0;
    for (Map.Entry<Integer, Map<Integer, Integer>> block : byBlock.entrySet()) {
      sum += deviation(block.getValue(), replicasOf.apply(block.getKey()));
    }
    return sum / byBlock.size();
  }

  private static double deviation(Map<Integer, Integer> accesses, int[] replicas) {
    Set<Integer> volumes = new TreeSet<>(accesses.keySet());
    IntStream.of(replicas).forEach(volumes::add);
    double mean =
        (double) accesses.values().stream().mapToInt(Integer::intValue).sum() / volumes.size();
    double squares =
        volumes.stream()
            .mapToDouble(volume -> Math.pow(accesses.getOrDefault(volume, 0) - mean, 2))
            .sum();
    return Math.sqrt(squares / volumes.size());
  }
}
