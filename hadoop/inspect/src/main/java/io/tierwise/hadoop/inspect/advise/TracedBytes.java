package io.tierwise.hadoop.inspect.advise;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.audit.ClientTraces;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import io.tierwise.hadoop.inspect.audit.TraceCounts;
import io.tierwise.hadoop.inspect.image.IdIndex;
import io.tierwise.hadoop.inspect.image.ImageFile;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The bytes that were read of each file: by client traces where there are some, by its reads times
 * its size where there are none.
 *
 * <p>Own: traces seldom cover the whole log. A file's bytes are those of its traces, and its size
 * for each read of another time. A file that has none, though it was read when others have, is
 * estimated whole: its readers read its blocks' files themselves, or its DataNode's log is not
 * there.
 */
final class TracedBytes {
  /** Own: a trace is written when bytes were sent, which is after the open that the log has. */
  private static final long LATE_MILLIS = 60_000;

  /** Of an erasure-coded group there are no more blocks. */
  private static final int GROUP_BLOCKS_MAX = 16;

  private final ClientTraces traces;
  private final int[] readsWhileTraced;
  private final BitSet mapped = new BitSet();
  private final Sum traced = new Sum();
  private final Sum unopened = new Sum();
  private final Sum estimated = new Sum();
  private long shortCircuitFiles;
  private long otherTimeReads;
  private double otherTimeBytes;
  private long excessBytes;

  private static final class Sum {
    private long files;
    private double bytes;

    void add(double more) {
      files++;
      bytes += more;
    }

    Advice.TracePart part() {
      return new Advice.TracePart(files, (long) bytes);
    }
  }

  private TracedBytes(ClientTraces traces, int[] readsWhileTraced) {
    this.traces = traces;
    this.readsWhileTraced = readsWhileTraced;
  }

  /**
   * Reads the traces.
   *
   * @param wish null for none
   * @param heat of the log, which was read
   * @param filesEnd numbers of files are below
   */
  static TracedBytes read(ClientTraces.Wish wish, LogHeat heat, ReadLog reads, int filesEnd)
      throws IOException {
    if (wish == null) {
      return new TracedBytes(null, new int[0]);
    }
    ClientTraces traces =
        ClientTraces.read(wish, heat.firstMillis(), heat.totals().nowMillis() + LATE_MILLIS);
    long first = (traces.firstMillis() - LATE_MILLIS) / 1000;
    long last = traces.lastMillis() / 1000;
    return new TracedBytes(traces, reads.readsWithin(first, last, filesEnd));
  }

  /**
   * Bytes that were read of a file.
   *
   * @param number the log's for it; below 0 when it has none
   * @param reads by the log
   */
  double of(ImageFile file, int number, long reads) {
    double bySize = (double) file.bytes() * reads;
    if (traces == null) {
      return bySize;
    }
    long[] bytesAndShortCircuits = new long[2];
    for (int block = 0; block < file.blockCount(); block++) {
      addBlock(file, block, bytesAndShortCircuits);
    }
    shortCircuitFiles += bytesAndShortCircuits[1] > 0 ? 1 : 0;
    long bytes = bytesAndShortCircuits[0];
    long within = number < 0 ? 0 : Math.min(reads, readsWhileTraced[number]);
    if (bytes == 0 && within > 0 && file.bytes() > 0) {
      estimated.add((double) file.bytes() * within);
    } else if (bytes > 0) {
      traced.add((double) bytes);
      if (reads == 0) {
        unopened.add((double) bytes);
      }
    }
    double otherTime = (double) file.bytes() * (reads - within);
    otherTimeReads += reads - within;
    otherTimeBytes += otherTime;
    return bytes == 0 ? bySize : bytes + otherTime;
  }

  private void addBlock(ImageFile file, int block, long[] bytesAndShortCircuits) {
    long id = file.blockId(block);
    int count = file.striped() ? GROUP_BLOCKS_MAX : 1;
    for (int i = 0; i < count; i++) {
      int number = traces.number(file.striped() ? ClientTraces.inGroup(id, i) : id);
      if (number != IdIndex.NONE) {
        mapped.set(number);
        // No line is of more than its block has: whole chunks are sent, and lines may be forged.
        double most = (double) file.blockBytes(block) * traces.reads(number);
        long bytes = Math.min((long) most, traces.bytes(number));
        excessBytes += Math.min(traces.bytes(number) - bytes, Long.MAX_VALUE - excessBytes);
        bytesAndShortCircuits[0] += bytes;
        bytesAndShortCircuits[1] += traces.shortCircuits(number);
      }
    }
  }

  /** The figures of the traces; null when there were none. Call when all files are known. */
  Advice.Traces part() {
    if (traces == null) {
      return null;
    }
    Sum unmapped = new Sum();
    int block = mapped.nextClearBit(0);
    while (block < traces.blockCount()) {
      unmapped.add((double) traces.bytes(block));
      block = mapped.nextClearBit(block + 1);
    }
    return new Advice.Traces(
        traces.counts(),
        traces.nodeCount(),
        second(traces.firstMillis()),
        second(traces.lastMillis()),
        (traces.lastMillis() - traces.firstMillis()) / 1e3,
        traced.part(),
        unopened.part(),
        estimated.part(),
        otherTimeReads,
        (long) otherTimeBytes,
        shortCircuitFiles,
        unmapped.files,
        (long) unmapped.bytes,
        excessBytes);
  }

  /** The problems of the traces, a line each. */
  List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    if (traces == null) {
      return remarks;
    }
    TraceCounts counts = traces.counts();
    if (counts.corrupt() > 0) {
      remarks.add(
          Words.count(counts.corrupt(), "corrupt client trace")
              + " left out, the first: "
              + counts.firstCorrupt());
    }
    if (counts.outside() > 0) {
      remarks.add(
          Words.count(counts.outside(), "client trace")
              + " of another time than the audit log's left out");
    }
    if (counts.otherPool() > 0) {
      remarks.add(
          Words.count(counts.otherPool(), "client trace") + " of other block pools left out");
    }
    if (otherTimeReads > 0) {
      remarks.add(
          "client traces are of "
              + second(traces.firstMillis())
              + " to "
              + second(traces.lastMillis())
              + ": "
              + Words.count(otherTimeReads, "read")
              + " of other times count with the size of their files");
    }
    return remarks;
  }

  private static String second(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
