package io.tierwise.lab.demo;

import io.tierwise.lab.demo.MovementReader.Read;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of the movement demo: what the reader met, and where the data is at its end.
 *
 * @param fromSeconds since the reader began
 * @param bytesByTier replicas' bytes at the end, tiers fastest first
 */
public record MovementPhase(
    String name,
    double fromSeconds,
    double untilSeconds,
    long reads,
    double p50Seconds,
    double p99Seconds,
    Map<String, Long> bytesByTier) {
  static MovementPhase of(
      String name, double from, double until, List<Read> all, Map<String, Long> bytesByTier) {
    double[] seconds =
        all.stream()
            .filter(read -> read.atSeconds() >= from && read.atSeconds() < until)
            .mapToDouble(Read::seconds)
            .sorted()
            .toArray();
    return new MovementPhase(
        name,
        from,
        until,
        seconds.length,
        percentile(seconds, 0.5),
        percentile(seconds, 0.99),
        new LinkedHashMap<>(bytesByTier));
  }

  /** The smallest value that at least this share of the sorted ones does not exceed. */
  static double percentile(double[] sorted, double share) {
    return sorted.length == 0
        ? Double.NaN
        : sorted[(int) Math.max(0, Math.ceil(share * sorted.length) - 1)];
  }

  public double seconds() {
    return untilSeconds - fromSeconds;
  }

  /** Bytes that the reader got a second. */
  public double readBytesPerSecond() {
    return reads * (double) MovementData.BLOCK_BYTES / seconds();
  }

  /** The figures by name; one that is not there is null. */
  public Map<String, Object> columns() {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("phase", name);
    columns.put("seconds", seconds());
    columns.put("reads", reads);
    columns.put("read_p50_seconds", Double.isNaN(p50Seconds) ? null : p50Seconds);
    columns.put("read_p99_seconds", Double.isNaN(p99Seconds) ? null : p99Seconds);
    columns.put("read_bytes_per_second", readBytesPerSecond());
    columns.put("bytes_by_tier", bytesByTier);
    return columns;
  }
}
