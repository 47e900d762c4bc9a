package io.tierwise.lab.dfsio;

import java.util.List;
import java.util.Map;

/**
 * The measurements of one task.
 *
 * @param index the task's
 * @param bytes written or read
 * @param nanos from the first byte asked for to the last one there; a write ends when the file is
 *     closed
 * @param checksum CRC-32C of the bytes
 * @param bytesByTier bytes read, by tier name; empty for a write
 * @param bytesByDistance bytes read, by distance; empty for a write
 * @param sources host names of the nodes that each block was read from, in the order of the file;
 *     empty for a write
 */
public record TaskFigures(
    int index,
    long bytes,
    long nanos,
    long checksum,
    Map<String, Long> bytesByTier,
    Map<BenchPlace.Distance, Long> bytesByDistance,
    List<String> sources) {
  public TaskFigures {
    bytesByTier = Map.copyOf(bytesByTier);
    bytesByDistance = Map.copyOf(bytesByDistance);
    sources = List.copyOf(sources);
  }

  public double bytesPerSecond() {
    return bytes / (nanos / 1e9);
  }
}
