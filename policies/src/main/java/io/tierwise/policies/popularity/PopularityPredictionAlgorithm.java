package io.tierwise.policies.popularity;

import io.tierwise.policies.text.SpecReader;
import io.tierwise.policies.text.SpecWriter;

/**
 * AptStore's PPA. Unit: replicas.
 *
 * <p>P_(i+1) = P_i + c / (a l b P_i) with each access; at the window's end P = P - MIP / s, and the
 * next window is extrapolated. Source: DerbyhatS, Eq. 5.1, 5.2, Alg. 1; see also {@link
 * MeanRevertingPredictor}.
 *
 * <p>Own, where the text leaves functions open:
 *
 * <ul>
 *   <li>a = max(interval / RT, a_min), the interval since the access before; the accesses of a
 *       window after its first are taken to be equally far from each other. RT is the window's
 *       length. a_min = 1/60: accesses within a minute of an hour are at once.
 *   <li>b = the number of blocks.
 *   <li>l = AVG(P) / 3, 3 being the popularity of a file with the default number of replicas. Eq.
 *       5.1 divides by it; the prose wants more replicas under load. We follow the equation.
 *   <li>c = 0.1: twelve readers at once of a file of one block take it from 3 to 12 replicas (P^2
 *       grows by about 2 c / (a l b) with each).
 *   <li>P_min = 1, a replica in the secondary store; P_max = 12, the most that the paper measures.
 *       Before there is a file the average is 3.
 * </ul>
 *
 * <p>Deviation: Alg. 1 bounds P_i after P_(i+1) was computed from it; here each new value is
 * bounded, also after Eq. 5.2 and after the extrapolation.
 */
final class PopularityPredictionAlgorithm extends MeanRevertingPredictor {
  static final String NAME = "ppa";
  static final String USAGE = "ppa:[c=0.1][,s=1][,min=1][,max=12]";

  private static final double INTERVAL_SHARE_MIN = 1.0 / 60;
  private static final int SCALE = 6;
  private static final double UNIT = 1e6;
  private static final int UNITS_MAX = 1_000_000_000;
  private static final int C_UNITS = 100_000;
  private static final int S_UNITS = 1_000_000;
  private static final int MIN = 1;
  private static final int MAX = 12;
  private static final int REPLICAS_MAX = 1000;

  private final int cUnits;
  private final int sUnits;
  private final int min;
  private final int max;

  private PopularityPredictionAlgorithm(SpecReader settings) {
    cUnits = settings.decimal("c", C_UNITS, SCALE, UNITS_MAX);
    sUnits = settings.decimal("s", S_UNITS, SCALE, UNITS_MAX);
    min = settings.integer("min", MIN, 1, REPLICAS_MAX);
    max = settings.integer("max", MAX, 1, REPLICAS_MAX);
    if (sUnits == 0) {
      throw settings.refusal("s is \"0\"; a number above 0 is allowed");
    }
    if (min > DEFAULT_REPLICAS || max < DEFAULT_REPLICAS) {
      throw settings.refusal(
          "from "
              + min
              + " to "
              + max
              + " replicas leaves out "
              + DEFAULT_REPLICAS
              + ", the default number; min up to it and max from it on are allowed");
    }
  }

  static PopularityPredictionAlgorithm of(SpecReader settings) {
    return new PopularityPredictionAlgorithm(settings);
  }

  @Override
  public String name() {
    return SpecWriter.of(NAME)
        .add("c", Decimals.text(cUnits, SCALE), Decimals.text(C_UNITS, SCALE))
        .add("s", Decimals.text(sUnits, SCALE), Decimals.text(S_UNITS, SCALE))
        .add("min", min, MIN)
        .add("max", max, MAX)
        .toString();
  }

  @Override
  double averageOfNone() {
    return DEFAULT_REPLICAS;
  }

  @Override
  double scalability() {
    return sUnits / UNIT;
  }

  @Override
  double raised(
      double before,
      double average,
      int raises,
      UseWindow window,
      PopularityState state,
      int file) {
    if (raises == 0) {
      return before;
    }
    double factor = cUnits / UNIT / (window.blocks(file) * (average / DEFAULT_REPLICAS));
    int reads = window.reads(file);
    double first = window.firstReadSeconds(file);
    double last = window.lastReadSeconds(file);
    double followingShare = reads > 1 ? share((last - first) / (reads - 1), window) : 1;
    double popularity = before;
    int left = raises;
    if (raises == reads) {
      // Of a file whose last access is unknown we know that there was none since the window began.
      double since = state.lastReadSeconds(file);
      double interval = first - (Double.isInfinite(since) ? window.startSeconds() : since);
      popularity += factor / (share(interval, window) * popularity);
      left--;
    }
    for (; left > 0 && popularity < max; left--) {
      popularity += factor / (followingShare * popularity);
    }
    return popularity;
  }

  private static double share(double intervalSeconds, UseWindow window) {
    double length = window.endSeconds() - window.startSeconds();
    return Math.max(intervalSeconds / length, INTERVAL_SHARE_MIN);
  }

  @Override
  public double min() {
    return min;
  }

  @Override
  public double max() {
    return max;
  }

  @Override
  public boolean saysReplicas() {
    return true;
  }

  @Override
  public int replicas(double predicted) {
    return (int) Math.round(predicted);
  }
}
