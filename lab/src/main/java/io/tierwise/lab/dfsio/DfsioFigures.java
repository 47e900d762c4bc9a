package io.tierwise.lab.dfsio;

import io.tierwise.simulator.bound.ReadBound;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * TestDFSIO's figures of one run.
 *
 * <p>Source: TestDFSIO, analyzeResult: throughput = sum of bytes / sum of task times; average =
 * mean(r), r a task's bytes per second; deviation = sqrt(|mean(r²) - average²|). Deviation: a
 * write's time includes closing the file, because bench files may be smaller than what a client
 * buffers; a megabyte is 10^6 bytes, as in device data sheets, not 2^20. Own: the aggregate, which
 * is all bytes over the time from the first task's start to the last one's end.
 *
 * @param taskCount tasks
 * @param bytes of all tasks
 * @param throughputBytesPerSecond throughput
 * @param averageBytesPerSecond average
 * @param deviationBytesPerSecond deviation
 * @param aggregateBytesPerSecond aggregate
 * @param bytesByTier bytes read, by tier
 * @param bytesByDistance bytes read, by distance
 * @param networkBytes bytes read from another node
 * @param refusals reads that a DataNode turned down; 0 for a client that does not count them
 * @param processorShare part of the machine's processor time that the measuring processes used;
 *     near 1 the figures tell of processors, not of devices
 * @param bound what such reads could reach at best; null where devices are not known
 * @param chosenBytesPerSecond the throughput that the same choices of replicas have in the
 *     simulator's network of these devices and links; null where that is not known
 */
public record DfsioFigures(
    int taskCount,
    long bytes,
    double throughputBytesPerSecond,
    double averageBytesPerSecond,
    double deviationBytesPerSecond,
    double aggregateBytesPerSecond,
    Map<String, Long> bytesByTier,
    Map<BenchPlace.Distance, Long> bytesByDistance,
    long networkBytes,
    long refusals,
    double processorShare,
    ReadBound bound,
    Double chosenBytesPerSecond) {

  /** Computes the figures of a run. */
  public static DfsioFigures of(
      List<TaskFigures> tasks, long wallNanos, long refusals, long processorNanos) {
    long bytes = 0;
    long nanos = 0;
    double rateSum = 0;
    double rateSquareSum = 0;
    Map<String, Long> byTier = new TreeMap<>();
    Map<BenchPlace.Distance, Long> byDistance = new EnumMap<>(BenchPlace.Distance.class);
    for (TaskFigures task : tasks) {
      bytes += task.bytes();
      nanos += task.nanos();
      rateSum += task.bytesPerSecond();
      rateSquareSum += task.bytesPerSecond() * task.bytesPerSecond();
      task.bytesByTier().forEach((tier, count) -> byTier.merge(tier, count, Long::sum));
      task.bytesByDistance().forEach((far, count) -> byDistance.merge(far, count, Long::sum));
    }
    double average = rateSum / tasks.size();
    return new DfsioFigures(
        tasks.size(),
        bytes,
        bytes / (nanos / 1e9),
        average,
        Math.sqrt(Math.abs(rateSquareSum / tasks.size() - average * average)),
        bytes / (wallNanos / 1e9),
        byTier,
        byDistance,
        byDistance.getOrDefault(BenchPlace.Distance.RACK, 0L)
            + byDistance.getOrDefault(BenchPlace.Distance.REMOTE, 0L),
        refusals,
        processorNanos / (double) wallNanos / Runtime.getRuntime().availableProcessors(),
        null,
        null);
  }

  /** The same beside what such reads could reach at best. */
  public DfsioFigures withBound(ReadBound atBest) {
    return with(atBest, chosenBytesPerSecond);
  }

  /** The same beside what these choices of replicas have in the simulator's network. */
  public DfsioFigures withChosen(Double bytesPerSecond) {
    return with(bound, bytesPerSecond);
  }

  private DfsioFigures with(ReadBound atBest, Double chosen) {
    return new DfsioFigures(
        taskCount,
        bytes,
        throughputBytesPerSecond,
        averageBytesPerSecond,
        deviationBytesPerSecond,
        aggregateBytesPerSecond,
        bytesByTier,
        bytesByDistance,
        networkBytes,
        refusals,
        processorShare,
        atBest,
        chosen);
  }

  /** The part of the bytes that was read from that tier. */
  public double tierShare(String tier) {
    return bytesByTier.getOrDefault(tier, 0L) / (double) bytes;
  }

  /** The part of the bytes that was read from that far. */
  public double distanceShare(BenchPlace.Distance distance) {
    return bytesByDistance.getOrDefault(distance, 0L) / (double) bytes;
  }
}
