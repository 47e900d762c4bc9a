package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.image.IdIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How many bytes of each block DataNodes sent to readers, by the client traces in their logs: 40
 * bytes for each block that was read.
 *
 * <p>A line is written when a DataNode has sent a range of a block, or as much of it as its reader
 * wanted. Its time is that. Copies between DataNodes (the balancer's, the mover's, repairs) leave
 * none.
 */
public final class ClientTraces {
  private static final int BLOCKS_EXPECTED_MIN = 1 << 10;

  /** Own: what lies in a log may claim any number of DataNodes. */
  private static final int NODES_MAX = 1 << 16;

  /** Of an erasure-coded group of blocks, its blocks have these bits of their own. */
  private static final long GROUP_MASK = ~0xfL;

  /** Lines of one block. */
  private final Sums sums = new Sums();

  private final Set<String> nodes = new HashSet<>();
  private final Wish wish;
  private final Reader reader;
  private String pool;
  private long reads;
  private long shortCircuits;
  private long outside;
  private long otherPool;
  private long sentBytes;
  private long firstMillis = Long.MAX_VALUE;
  private long lastMillis = Long.MIN_VALUE;

  /**
   * The files to read, and which of their lines count.
   *
   * @param files logs of DataNodes, in any order, each file once
   * @param zone the time zone that DataNodes write times in
   * @param pool the block pool that is meant; null when the files have one
   */
  public record Wish(List<Path> files, ZoneId zone, String pool, ChecksummedBytes checksums) {
    public Wish {
      files = List.copyOf(files);
      Set<Path> known = new HashSet<>();
      for (Path file : files) {
        if (!known.add(file.toAbsolutePath().normalize())) {
          throw OperatorException.badInput(
              file + " is given twice, and its bytes would count twice: name it once");
        }
      }
    }

    /** What was asked for; null where no files were given. */
    public static Wish of(List<Path> files, ZoneId zone, String pool, ChecksummedBytes checksums) {
      if (files.isEmpty() && pool != null) {
        throw OperatorException.badInput(
            "--block-pool " + pool + " says which client traces count: give --client-traces");
      }
      return files.isEmpty() ? null : new Wish(files, zone, pool, checksums);
    }
  }

  private static final class Sums {
    private IdIndex numbers = new IdIndex(BLOCKS_EXPECTED_MIN);
    private long[] bytes = new long[BLOCKS_EXPECTED_MIN];
    private int[] reads = new int[BLOCKS_EXPECTED_MIN];
    private int[] shortCircuits = new int[BLOCKS_EXPECTED_MIN];
    private int count;

    int of(long block) {
      int number = numbers.get(block);
      if (number != IdIndex.NONE) {
        return number;
      }
      if (count == bytes.length) {
        numbers = numbers.grown(2L * count);
        bytes = Arrays.copyOf(bytes, 2 * count);
        reads = Arrays.copyOf(reads, 2 * count);
        shortCircuits = Arrays.copyOf(shortCircuits, 2 * count);
      }
      numbers.put(block, count);
      return count++;
    }
  }

  private final class Reader extends LogLines {
    private final TraceLine line;

    Reader(ZoneId zone) {
      line = new TraceLine(zone);
    }

    @Override
    boolean line(byte[] bytes, int from, int to, boolean follows) {
      TraceLine.Verdict verdict = line.parse(bytes, from, to);
      switch (verdict) {
        case CUT -> spoilt("the line ends before its client trace does", from, to);
        case DAMAGED -> spoilt("this is no client trace, and begins as one", from, to);
        case READ, SHORT_CIRCUIT -> {
          if (follows) {
            spoilt("it follows a line that was cut, and may be part of a name", from, to);
          } else if (line.blockId() == 0) {
            spoilt("block 0 is none", from, to);
          } else {
            take(line, verdict == TraceLine.Verdict.READ);
          }
        }
        default -> {
          // A DataNode logs much else, and that is no damage.
        }
      }
      // A client's name may have any number of newlines.
      return verdict == TraceLine.Verdict.CUT || (follows && verdict == TraceLine.Verdict.UNDATED);
    }
  }

  private final long fromMillis;
  private final long toMillis;

  private ClientTraces(Wish wish, long fromMillis, long toMillis) {
    this.wish = wish;
    this.fromMillis = fromMillis;
    this.toMillis = toMillis;
    pool = wish.pool();
    reader = new Reader(wish.zone());
  }

  /**
   * Reads all files to their ends.
   *
   * @param fromMillis lines of before are left out
   * @param toMillis and lines of after
   * @throws OperatorException when they have no such line, or are of several block pools and none
   *     is named
   */
  public static ClientTraces read(Wish wish, long fromMillis, long toMillis) throws IOException {
    ClientTraces traces = new ClientTraces(wish, fromMillis, toMillis);
    traces.reader.readFiles(wish.files());
    traces.requireReads();
    return traces;
  }

  private void take(TraceLine line, boolean isRead) {
    if (isRead && pool == null) {
      pool = line.pool();
    }
    if (isRead && !line.pool().equals(pool)) {
      if (wish.pool() == null) {
        throw OperatorException.badInput(
            "the client traces are of several block pools, "
                + pool
                + " and "
                + line.pool()
                + ": name the one of the image, as blockpoolID in the NameNode's current/VERSION,"
                + " by --block-pool");
      }
      otherPool++;
      return;
    }
    long millis = line.timeMillis();
    if (millis < fromMillis || millis > toMillis) {
      outside++;
      return;
    }
    firstMillis = Math.min(firstMillis, millis);
    lastMillis = Math.max(lastMillis, millis);
    if (nodes.size() < NODES_MAX) {
      nodes.add(line.node());
    }
    int number = sums.of(line.blockId());
    if (isRead) {
      reads++;
      sentBytes = plus(sentBytes, line.sentBytes());
      sums.bytes[number] = plus(sums.bytes[number], wish.checksums().data(line.sentBytes()));
      sums.reads[number]++;
    } else {
      shortCircuits++;
      sums.shortCircuits[number]++;
    }
  }

  /** A forged line may have any number of bytes. */
  private static long plus(long one, long other) {
    long sum = one + other;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private void requireReads() {
    if (reads + shortCircuits > 0) {
      return;
    }
    String what = "no client trace of a read in " + wish.files() + ": ";
    if (outside > 0) {
      throw OperatorException.badInput(
          what
              + outside
              + " are of another time than the audit log, of "
              + Instant.ofEpochMilli(fromMillis)
              + " to "
              + Instant.ofEpochMilli(toMillis)
              + "; is --zone right?");
    }
    if (otherPool > 0) {
      throw OperatorException.badInput(
          what + otherPool + " are of other block pools than --block-pool " + wish.pool());
    }
    throw OperatorException.badInput(
        what
            + (reader.corrupt() > 0
                ? reader.firstCorrupt()
                : "DataNodes write them when the logger"
                    + " org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace is at DEBUG"));
  }

  /** The traces that were read. */
  public TraceCounts counts() {
    return new TraceCounts(
        reader.lines(),
        reads,
        shortCircuits,
        outside,
        otherPool,
        reader.corrupt(),
        reader.corrupt() == 0 ? null : reader.firstCorrupt(),
        sentBytes);
  }

  /** DataNodes that wrote the lines that count. */
  public int nodeCount() {
    return nodes.size();
  }

  /** The first of the lines that count. */
  public long firstMillis() {
    return firstMillis;
  }

  /** The last of them. */
  public long lastMillis() {
    return lastMillis;
  }

  /** Blocks that they are of. */
  public int blockCount() {
    return sums.count;
  }

  /** The number of a block, below {@link #blockCount}; {@link IdIndex#NONE} when it has no line. */
  public int number(long blockId) {
    return sums.numbers.get(blockId);
  }

  /** The id of the block in a group of an erasure-coded file. */
  public static long inGroup(long groupId, int index) {
    return (groupId & GROUP_MASK) + index;
  }

  /** Data of a block that was sent, by its number. */
  public long bytes(int number) {
    return sums.bytes[number];
  }

  /** How many times some was sent. */
  public int reads(int number) {
    return sums.reads[number];
  }

  /** How many times its file was handed out. */
  public int shortCircuits(int number) {
    return sums.shortCircuits[number];
  }
}
