package io.tierwise.policies.movement;

import io.tierwise.core.cluster.DeviceClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Chooses the files that get a replica of each block in a fast tier, and those that make room.
 *
 * <p>A file of s bytes with n reads to come saves n s (1/r_slow - 1/r_fast) seconds of readers
 * there, and costs s (1/r_slow + 1/w_fast) seconds of devices. It pays when it saves more. Where
 * there is no room, files that are there leave, the least saving ones for each byte first: then the
 * file also costs what these would have saved, and their way back, s (1/r_fast + 1/w_slow).
 *
 * <p>While q streams are under way on each device of a tier, a reader and a copy get r / (1 + q)
 * and w / (1 + q) there. The load of now stands for that to come. Where a reader would be served
 * later by the fast tier than by the slow one, nothing comes and nothing leaves.
 *
 * <p>Files that come first (those of scheduled jobs and those under an SLA) come before all others,
 * whether they pay or not, take the room of any that does not, and leave for none. Source:
 * DerbyhatS, 5.2.4 (an SLA counts irrespective of the popularity).
 *
 * <p>Own: the papers promote by popularity alone. A file stays until another one needs its room:
 * leaving saves no reader anything. All reads are taken to find the fast replica; the time of links
 * is the same on both sides and left out.
 *
 * @param fast the class of the fast tier
 * @param slow that of the tier where replicas are otherwise
 * @param load of both now
 */
public record TierPromotions(DeviceClass fast, DeviceClass slow, TierLoad load) {
  /** Why nothing comes to a tier whose devices have more to do than they can. */
  public static final String BOTTLENECK = "the fast tier is the bottleneck";

  /** Of devices that do nothing else. */
  public TierPromotions(DeviceClass fast, DeviceClass slow) {
    this(fast, slow, TierLoad.IDLE);
  }

  /** The claim of a file to its place in the fast tier. */
  public enum Claim {
    /** It leaves for what is worth more. */
    USUAL,
    /** It came there so shortly ago that it leaves for files alone that come first. */
    HELD,
    /** A job reads it: it leaves for none. */
    IN_USE,
    /** It comes first, and leaves for none. */
    FIRST
  }

  /**
   * A file.
   *
   * @param number any that tells it from the others
   * @param reads to come
   * @param thereBytes of it that have their replica in the fast tier: all or none, unless a move
   *     ended half-way
   */
  public record File(long number, long bytes, double reads, long thereBytes, Claim claim) {
    private long missingBytes() {
      return bytes - thereBytes;
    }

    private boolean isFirst() {
      return claim == Claim.FIRST;
    }
  }

  /**
   * The answer.
   *
   * @param in files that come, or of which the rest comes, the most saving first, with the seconds
   *     that each saves
   * @param out files that leave
   * @param outForFirst of these, those that leave for files that come first
   * @param why files that do not come, with the reason
   */
  public record Choice(
      Map<Long, Double> in, List<Long> out, Set<Long> outForFirst, Map<Long, String> why) {}

  /** Whether both classes were measured: nothing can be weighed otherwise. */
  public boolean isMeasured() {
    return !Double.isNaN(fast.readBytesPerSecond())
        && !Double.isNaN(fast.writeBytesPerSecond())
        && !Double.isNaN(slow.readBytesPerSecond())
        && !Double.isNaN(slow.writeBytesPerSecond());
  }

  /** Whether a reader would be served later by the fast tier than by the slow one. */
  public boolean isBottleneck() {
    return fastShare() / fast.readBytesPerSecond() > slowShare() / slow.readBytesPerSecond();
  }

  /** Among how many one that comes now shares a device. */
  private double fastShare() {
    return 1 + load.fastStreams();
  }

  private double slowShare() {
    return 1 + load.slowStreams();
  }

  /** Seconds of devices that the way there takes. */
  public double costSeconds(long bytes) {
    return bytes
        * (slowShare() / slow.readBytesPerSecond() + fastShare() / fast.writeBytesPerSecond());
  }

  private double backSeconds(long bytes) {
    return bytes
        * (fastShare() / fast.readBytesPerSecond() + slowShare() / slow.writeBytesPerSecond());
  }

  /** Seconds that so many reads of a file save. */
  public double savedSeconds(double reads, long bytes) {
    return reads
        * bytes
        * (slowShare() / slow.readBytesPerSecond() - fastShare() / fast.readBytesPerSecond());
  }

  /** Reads of a file that save as many seconds as its way there takes, whatever its size. */
  public double readsToPay() {
    double saved = savedSeconds(1, 1);
    return saved > 0 ? costSeconds(1) / saved : Double.POSITIVE_INFINITY;
  }

  private double savedSeconds(File file) {
    return savedSeconds(file.reads(), file.bytes());
  }

  /** Of readers and devices, when what is there of a file leaves. */
  private double lostSeconds(File file) {
    return savedSeconds(file.reads(), file.thereBytes()) + backSeconds(file.thereBytes());
  }

  /**
   * Chooses.
   *
   * @param roomBytes that files may still take there
   */
  public Choice choose(List<File> files, long roomBytes) {
    Comparator<File> byWorth =
        Comparator.comparingDouble((File file) -> savedSeconds(file) / Math.max(1, file.bytes()))
            .thenComparingLong(File::number);
    Round round = new Round(files, byWorth, roomBytes);
    files.stream()
        .filter(file -> file.missingBytes() > 0)
        .sorted(Comparator.comparing(File::isFirst).thenComparing(byWorth).reversed())
        .forEach(round::ask);
    return new Choice(round.in, List.copyOf(round.out), round.outForFirst, round.why);
  }

  /** A choice while it is made. */
  private final class Round {
    private final Map<Long, Double> in = new LinkedHashMap<>();
    private final Set<Long> out = new LinkedHashSet<>();
    private final Set<Long> outForFirst = new TreeSet<>();
    private final Map<Long, String> why = new TreeMap<>();

    /** Files that may leave, the least saving ones first, those that are held at the end. */
    private final NavigableSet<File> there;

    /** What is there of them, by their claim. */
    private final Map<Claim, Long> thereBytes = new EnumMap<>(Claim.class);

    private long room;

    Round(List<File> files, Comparator<File> byWorth, long roomBytes) {
      room = roomBytes;
      there = new TreeSet<>(Comparator.comparing(File::claim).thenComparing(byWorth));
      for (File file : files) {
        boolean mayLeave = file.claim() == Claim.USUAL || file.claim() == Claim.HELD;
        if (file.thereBytes() > 0 && mayLeave) {
          there.add(file);
          thereBytes.merge(file.claim(), file.thereBytes(), Long::sum);
        }
      }
    }

    private void ask(File file) {
      if (isBottleneck()) {
        why.put(file.number(), BOTTLENECK);
        return;
      }
      if (out.contains(file.number())) {
        why.put(file.number(), "it leaves the fast tier for files that are worth more");
        return;
      }
      long missing = file.missingBytes();
      double saved = savedSeconds(file.reads(), missing);
      double gain = saved - costSeconds(missing);
      if (!file.isFirst() && !(gain > 0)) {
        why.put(file.number(), "a replica in the fast tier does not pay");
        return;
      }
      if (room + leavableBytes(file) < missing) {
        why.put(file.number(), "the fast tier has no room for it");
        return;
      }
      List<File> leave = leaving(file, missing - room);
      double lost = leave.stream().mapToDouble(TierPromotions.this::lostSeconds).sum();
      if (!file.isFirst() && gain <= lost) {
        why.put(
            file.number(), "a replica in the fast tier does not pay for what it would displace");
        return;
      }
      takeOut(file);
      long freed = 0;
      for (File gone : leave) {
        takeOut(gone);
        freed += gone.thereBytes();
        out.add(gone.number());
        if (file.isFirst()) {
          outForFirst.add(gone.number());
        }
      }
      room += freed - missing;
      in.put(file.number(), saved);
    }

    /** The file makes no more room: it leaves, or the rest of it comes. */
    private void takeOut(File file) {
      if (file.thereBytes() > 0 && there.remove(file)) {
        thereBytes.merge(file.claim(), -file.thereBytes(), Long::sum);
      }
    }

    /** Bytes that files would free for the one that comes; what is there of it is no such room. */
    private long leavableBytes(File coming) {
      long bytes = 0;
      for (Claim claim : leaveFor(coming)) {
        bytes += thereBytes.getOrDefault(claim, 0L);
        bytes -= claim == coming.claim() && there.contains(coming) ? coming.thereBytes() : 0;
      }
      return bytes;
    }

    private static Set<Claim> leaveFor(File coming) {
      return coming.isFirst() ? EnumSet.of(Claim.USUAL, Claim.HELD) : EnumSet.of(Claim.USUAL);
    }

    /** The files that free so many bytes, the least saving ones first. */
    private List<File> leaving(File coming, long neededBytes) {
      Set<Claim> claims = leaveFor(coming);
      List<File> leave = new ArrayList<>();
      long freed = 0;
      for (File file : there) {
        // Those that are held come last.
        if (freed >= neededBytes || !claims.contains(file.claim())) {
          break;
        }
        if (!file.equals(coming)) {
          leave.add(file);
          freed += file.thereBytes();
        }
      }
      return leave;
    }
  }
}
