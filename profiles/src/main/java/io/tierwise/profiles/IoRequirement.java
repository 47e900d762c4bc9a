package io.tierwise.profiles;

import io.tierwise.core.message.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * ASPS's I/O requirement of an application: the time that fast devices save for each byte.
 *
 * <p>r_m = (T_m^h - T_m^s) / B: seconds of a mapper on slow devices (h) and on fast ones (s), and
 * the bytes B of its split. r_r = r (T_r^h - T_r^s) / (D m): seconds of a reducer, and the D m / r
 * bytes of its input; m mappers leave D bytes each for r reducers. Both in seconds for each byte.
 * The larger, the more an application gains by fast storage; one that computes has nearly none, and
 * one below 0 was slower on fast devices, which is chance or a fault of the cluster.
 *
 * <p>Source: ASPS, Eq. 1 and 2. Deviation: the paper times the I/O of one tailored task on a node
 * that does nothing else; here whole tasks are timed, in Config-1 and in Config-2 ({@code tierwise
 * profile run}). What a task computes takes the same time on both and falls out of the difference.
 * All tasks of a run are sampled, and means over runs are taken, as the paper says for splits that
 * differ. A MapReduce reducer's time is that from the end of its shuffle on, because until then it
 * mostly waits for mappers.
 *
 * @param slowRuns in Config-1, that succeeded
 * @param fastRuns in Config-2, likewise
 * @param mapSecondsPerByte r_m; null where runs of a configuration are missing or read nothing
 * @param reduceSecondsPerByte r_r; null likewise, and for an application without reducers
 * @param remarks why one is missing, and how far to trust them, a sentence each
 */
public record IoRequirement(
    int slowRuns,
    int fastRuns,
    Estimate mapSecondsPerByte,
    Estimate reduceSecondsPerByte,
    List<String> remarks) {
  private static final double GIB = 1L << 30;

  public IoRequirement {
    remarks = List.copyOf(remarks);
  }

  /**
   * Compares runs on slow devices with those on fast ones.
   *
   * @param slow a run's seconds of tasks for each byte, in Config-1
   * @param fast the same in Config-2
   */
  static IoRequirement of(TaskSeconds slow, TaskSeconds fast) {
    List<String> remarks = new ArrayList<>();
    if (slow.runs() == 0 || fast.runs() == 0) {
      remarks.add(
          "r_m and r_r need runs in Config-1 and in Config-2, and there "
              + (slow.runs() + fast.runs() == 0
                  ? "are none"
                  : "are none in " + (slow.runs() == 0 ? "Config-1" : "Config-2"))
              + ": 'tierwise profile run' makes them");
      return new IoRequirement(slow.runs(), fast.runs(), null, null, remarks);
    }
    Estimate map = difference(slow.map(), fast.map());
    Estimate reduce = difference(slow.reduce(), fast.reduce());
    if (map == null) {
      remarks.add("its mappers read no stored data: there is no r_m");
    }
    if (reduce == null) {
      remarks.add("no reducer of it got input: there is no r_r");
    }
    if (slow.runs() == 1 || fast.runs() == 1) {
      remarks.add(
          "r_m and r_r are of one run in a configuration: nobody knows how far chance goes");
    }
    return new IoRequirement(slow.runs(), fast.runs(), map, reduce, remarks);
  }

  /**
   * The difference of two means. Own: nine times of ten it is within t sqrt(v / n + v' / n') of the
   * true one, with Student's t for the smaller number of runs, less one; v and v' are variances.
   */
  private static Estimate difference(TaskSeconds.Mean slow, TaskSeconds.Mean fast) {
    if (slow.count() == 0 || fast.count() == 0) {
      return null;
    }
    double expected = slow.mean() - fast.mean();
    long degrees = Math.min(slow.count(), fast.count()) - 1;
    if (degrees == 0) {
      return new Estimate(expected, null, null);
    }
    double half =
        LineFit.student(degrees)
            * Math.sqrt(slow.variance() / slow.count() + fast.variance() / fast.count());
    return new Estimate(expected, expected - half, expected + half);
  }

  /** For people, a line each; none of an application that nobody ran in either configuration. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (slowRuns + fastRuns == 0) {
      return lines;
    }
    add(lines, "r_m", "reads", mapSecondsPerByte);
    add(lines, "r_r", "gets of mappers", reduceSecondsPerByte);
    lines.addAll(remarks);
    return lines;
  }

  private void add(List<String> lines, String name, String does, Estimate value) {
    if (value != null) {
      lines.add(
          name
              + ": fast devices save its tasks "
              + seconds(value.expected())
              + (value.low() == null
                  ? ""
                  : " (" + seconds(value.low()) + " to " + seconds(value.high()) + ")")
              + " for each GiB that it "
              + does
              + ", from "
              + Words.count(slowRuns, "run")
              + " in Config-1 and "
              + fastRuns
              + " in Config-2");
    }
  }

  private static String seconds(double perByte) {
    return String.format(Locale.ROOT, "%.1f s", perByte * GIB);
  }
}
