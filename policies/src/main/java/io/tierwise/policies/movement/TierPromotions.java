package io.tierwise.policies.movement;

import io.tierwise.core.cluster.DeviceClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Chooses the files that get a replica of each block in a fast tier, and those that make room.
 *
 * <p>A file of s bytes with n reads to come saves n s (1/r_slow - 1/r_fast) seconds of readers
 * there, and costs s (1/r_slow + 1/w_fast) seconds of devices. It pays when it saves more. Where
 * there is no room, files that are there leave, the least saving ones for each byte first: then the
 * file also costs what these would have saved, and their way back, s (1/r_fast + 1/w_slow).
 *
 * <p>Own: the papers promote by popularity alone. A file stays until another one needs its room:
 * leaving saves no reader anything. All reads are taken to find the fast replica; the time of links
 * is the same on both sides and left out.
 *
 * @param fast the class of the fast tier
 * @param slow that of the tier where replicas are otherwise
 */
public record TierPromotions(DeviceClass fast, DeviceClass slow) {
  /**
   * A file.
   *
   * @param number any that tells it from the others
   * @param reads to come
   * @param thereBytes of it that have their replica in the fast tier: all or none, unless a move
   *     ended half-way
   * @param isHeld whether it came there so shortly ago that it is not sent away
   */
  public record File(long number, long bytes, double reads, long thereBytes, boolean isHeld) {
    private long missingBytes() {
      return bytes - thereBytes;
    }
  }

  /**
   * The answer.
   *
   * @param in files that come, or of which the rest comes, the most saving first, with the seconds
   *     that each saves
   * @param out files that leave
   * @param why files that do not come, with the reason
   */
  public record Choice(Map<Long, Double> in, List<Long> out, Map<Long, String> why) {}

  /** Whether both classes were measured: nothing can be weighed otherwise. */
  public boolean isMeasured() {
    return !Double.isNaN(fast.readBytesPerSecond())
        && !Double.isNaN(fast.writeBytesPerSecond())
        && !Double.isNaN(slow.readBytesPerSecond())
        && !Double.isNaN(slow.writeBytesPerSecond());
  }

  /** Seconds of devices that the way there takes. */
  public double costSeconds(long bytes) {
    return bytes * (1 / slow.readBytesPerSecond() + 1 / fast.writeBytesPerSecond());
  }

  private double backSeconds(long bytes) {
    return bytes * (1 / fast.readBytesPerSecond() + 1 / slow.writeBytesPerSecond());
  }

  /** Seconds that so many reads of a file save. */
  public double savedSeconds(double reads, long bytes) {
    return reads * bytes * (1 / slow.readBytesPerSecond() - 1 / fast.readBytesPerSecond());
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
    Map<Long, Double> in = new LinkedHashMap<>();
    List<Long> out = new ArrayList<>();
    Map<Long, String> why = new TreeMap<>();
    Comparator<File> byWorth =
        Comparator.comparingDouble((File file) -> savedSeconds(file) / Math.max(1, file.bytes()))
            .thenComparingLong(File::number);
    List<File> there =
        new ArrayList<>(files.stream().filter(f -> f.thereBytes() > 0 && !f.isHeld()).toList());
    there.sort(byWorth);
    long room = roomBytes;
    for (File file :
        files.stream().filter(f -> f.missingBytes() > 0).sorted(byWorth.reversed()).toList()) {
      if (out.contains(file.number())) {
        why.put(file.number(), "it leaves the fast tier for files that are worth more");
        continue;
      }
      long missing = file.missingBytes();
      double saved = savedSeconds(file.reads(), missing);
      double gain = saved - costSeconds(missing);
      if (!(gain > 0)) {
        why.put(file.number(), "a replica in the fast tier does not pay");
        continue;
      }
      List<File> leave = leaving(there, file, missing - room);
      long freed = leave.stream().mapToLong(File::thereBytes).sum();
      if (room + freed < missing) {
        why.put(file.number(), "the fast tier has no room for it");
        continue;
      }
      double lost = leave.stream().mapToDouble(this::lostSeconds).sum();
      if (gain <= lost) {
        why.put(
            file.number(), "a replica in the fast tier does not pay for what it would displace");
        continue;
      }
      there.removeAll(leave);
      there.remove(file);
      leave.forEach(f -> out.add(f.number()));
      room += freed - missing;
      in.put(file.number(), saved);
    }
    return new Choice(in, out, why);
  }

  /**
   * The files that free so many bytes, the least saving ones first; all where these are not enough.
   *
   * @param coming what is there of it is no room for its rest
   */
  private static List<File> leaving(List<File> there, File coming, long neededBytes) {
    List<File> leave = new ArrayList<>();
    long freed = 0;
    for (File file : there) {
      if (freed >= neededBytes) {
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
