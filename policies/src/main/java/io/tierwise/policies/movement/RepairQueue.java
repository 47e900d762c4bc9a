package io.tierwise.policies.movement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The blocks that wait for repair, the most urgent first. Bounded: when it is full the least urgent
 * is left out, and whoever walks the files finds it again. The host keeps it and hands in the time;
 * it is for one thread.
 *
 * <p>A block whose repair failed waits, longer each time, and behind all others, so that blocks
 * that cannot be repaired do not stand in the way of those that can.
 */
public final class RepairQueue {
  /** Own: a tier without room seldom has some within seconds; a look costs the mover one call. */
  static final double RETRY_SECONDS_MIN = 60;

  static final double RETRY_SECONDS_MAX = 3600;

  private final int blocksMax;
  private final TreeMap<Long, Entry> byBlock = new TreeMap<>();
  private final TreeSet<Entry> byUrgency = new TreeSet<>();
  private long bytes;
  private long leftOut;

  private record Entry(Misplaced block, int failures, double notBeforeSeconds, long pass)
      implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byFailures = Integer.compare(failures, other.failures);
      return byFailures != 0 ? byFailures : Misplaced.MOST_URGENT_FIRST.compare(block, other.block);
    }
  }

  /**
   * @param blocksMax that it holds; each takes about 250 bytes
   */
  public RepairQueue(int blocksMax) {
    this.blocksMax = blocksMax;
  }

  /**
   * Takes a block, or what is now known of one that waits: it keeps its age, and a fallback stays
   * one.
   *
   * @param pass number of the walk that found it
   */
  public void add(Misplaced found, long pass) {
    Entry old = remove(found.blockId());
    Entry entry = new Entry(found, 0, 0, pass);
    if (old != null) {
      entry = new Entry(merge(old.block(), found), old.failures(), old.notBeforeSeconds(), pass);
    }
    if (byBlock.size() >= blocksMax) {
      leftOut++;
      if (blocksMax == 0 || entry.compareTo(byUrgency.last()) > 0) {
        return;
      }
      remove(byUrgency.last().block().blockId());
    }
    put(entry);
  }

  private static Misplaced merge(Misplaced old, Misplaced found) {
    boolean fallback = old.urgency() == Urgency.FALLBACK && found.urgency() == Urgency.WRONG_TIER;
    Misplaced kept =
        fallback
            ? new Misplaced(
                found.blockId(),
                found.fileId(),
                found.blockIndex(),
                found.wanted(),
                found.replicas(),
                found.bytes(),
                found.missingCopies(),
                Urgency.FALLBACK,
                0)
            : found;
    return kept.since(old.sinceSeconds());
  }

  private void put(Entry entry) {
    byBlock.put(entry.block().blockId(), entry);
    byUrgency.add(entry);
    bytes += entry.block().bytes();
  }

  private Entry remove(long blockId) {
    Entry entry = byBlock.remove(blockId);
    if (entry != null) {
      byUrgency.remove(entry);
      bytes -= entry.block().bytes();
    }
    return entry;
  }

  /** Takes a block off: it was repaired, or is to be left alone. Empty when it did not wait. */
  public Optional<Misplaced> drop(long blockId) {
    return Optional.ofNullable(remove(blockId)).map(Entry::block);
  }

  /** A repair failed: the block waits, twice as long as before. */
  public void failed(long blockId, double nowSeconds) {
    Entry old = remove(blockId);
    if (old != null) {
      double wait =
          Math.min(RETRY_SECONDS_MAX, RETRY_SECONDS_MIN * (1L << Math.min(old.failures(), 10)));
      put(new Entry(old.block(), old.failures() + 1, nowSeconds + wait, old.pass()));
    }
  }

  /** The most urgent blocks that may be tried now; they stay until they are dropped. */
  public List<Misplaced> first(int count, double nowSeconds) {
    List<Misplaced> first = new ArrayList<>();
    for (Entry entry : byUrgency) {
      if (first.size() >= count) {
        break;
      }
      if (entry.notBeforeSeconds() <= nowSeconds) {
        first.add(entry.block());
      }
    }
    return first;
  }

  /**
   * As {@link #first}, for somebody who repairs them: nobody else gets them for {@code
   * leaseSeconds}, or until he tells how it went.
   */
  public List<Misplaced> lend(int count, double nowSeconds, double leaseSeconds) {
    List<Misplaced> lent = first(count, nowSeconds);
    for (Misplaced block : lent) {
      Entry old = remove(block.blockId());
      put(new Entry(old.block(), old.failures(), nowSeconds + leaseSeconds, old.pass()));
    }
    return lent;
  }

  /** A block that was lent was not tried: the next one who asks gets it. */
  public void giveBack(long blockId) {
    Entry old = remove(blockId);
    if (old != null) {
      put(new Entry(old.block(), old.failures(), 0, old.pass()));
    }
  }

  /** Drops what no walk since {@code pass} has found: it was repaired by itself, or is gone. */
  public void forgetBefore(long pass) {
    List<Long> gone = new ArrayList<>();
    byBlock.forEach(
        (blockId, entry) -> {
          if (entry.pass() < pass) {
            gone.add(blockId);
          }
        });
    gone.forEach(this::remove);
  }

  /** Tells every block that waits. */
  public void forEach(Consumer<Misplaced> told) {
    byUrgency.forEach(entry -> told.accept(entry.block()));
  }

  public void clear() {
    byBlock.clear();
    byUrgency.clear();
    bytes = 0;
    leftOut = 0;
  }

  public boolean isEmpty() {
    return byBlock.isEmpty();
  }

  public int size() {
    return byBlock.size();
  }

  /** Bytes of the replicas that wait. */
  public long bytes() {
    return bytes;
  }

  /** Times that a block was left out because the queue was full. */
  public long leftOut() {
    return leftOut;
  }

  /** When the block that waits longest was found; {@code nowSeconds} when none waits. */
  public double oldestSinceSeconds(double nowSeconds) {
    double oldest = nowSeconds;
    for (Entry entry : byUrgency) {
      oldest = Math.min(oldest, entry.block().sinceSeconds());
    }
    return oldest;
  }
}
