package io.tierwise.lab.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A phase of the popularity demo under one way to manage the fast tier: what was moved while it
 * lasted, and how its reads went.
 *
 * @param there files that were in the fast tier after the moves
 * @param heard reads of each file, by the NameNode's audit log
 * @param fastReads reads of each file that the fast tier served
 * @param seconds from the first read's begin to the last one's end
 * @param readerSeconds the sum over all reads
 * @param waitingSeconds from the last read's end until the moves were over, too: a window of an
 *     hour has that time, a phase of seconds has it not
 */
record PopularityPhase(
    FastTierMoves.Moved moved,
    Set<Integer> there,
    List<Integer> heard,
    List<Integer> fastReads,
    int reads,
    double seconds,
    double readerSeconds,
    double waitingSeconds) {
  PopularityPhase {
    there = Set.copyOf(there);
    heard = List.copyOf(heard);
    fastReads = List.copyOf(fastReads);
  }

  static long sum(List<Integer> counts) {
    return counts.stream().mapToLong(Integer::longValue).sum();
  }

  Map<String, Object> columns(int number) {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("phase", number);
    columns.put("reading_seconds", seconds);
    columns.put("reader_seconds", readerSeconds);
    columns.put("waiting_seconds", waitingSeconds);
    columns.put("moving_seconds", moved.seconds());
    columns.put("moved_bytes", moved.bytes());
    columns.put("fast_share", (double) sum(fastReads) / reads);
    columns.put("reads_by_file", heard);
    columns.put("files_in_fast_tier", there.stream().sorted().toList());
    return columns;
  }
}
