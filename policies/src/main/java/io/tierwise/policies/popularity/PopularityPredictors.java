package io.tierwise.policies.popularity;

import io.tierwise.policies.text.PolicyProvider;
import io.tierwise.policies.text.PolicyRegistry;
import io.tierwise.policies.text.SpecReader;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The registry of popularity predictors. A specification is {@code name} or {@code
 * name:key=value,key=value}, for example {@code ppa:min=3}.
 */
public final class PopularityPredictors {
  /** Longer texts are refused unread. */
  private static final int TEXT_LENGTH_MAX = 256;

  private static final PolicyRegistry<PopularityPredictor, TreeSource> REGISTRY =
      PolicyRegistry.of(
          "popularity predictor",
          TEXT_LENGTH_MAX,
          PopularityPredictor::name,
          PopularityProvider.class,
          List.of(
              new Own(
                  PopularityPredictionAlgorithm.NAME,
                  PopularityPredictionAlgorithm.USAGE,
                  "AptStore's PPA: replicas by interval, blocks and load of accesses, extrapolated",
                  PopularityPredictionAlgorithm::of),
              new Own(
                  DuxPredictor.NAME,
                  "dux",
                  "DUX's predictor: one for each access, less the mean increase, extrapolated",
                  settings -> new DuxPredictor()),
              new Own(
                  ScarlettPredictor.NAME,
                  "scarlett:[cushion=1]",
                  "the most readers at one time in the window before, and a cushion",
                  ScarlettPredictor::of),
              new Own(
                  LastCountPredictor.NAME,
                  "last-count",
                  "reads in the window before",
                  settings -> new LastCountPredictor()),
              new Own(
                  ExponentialAverage.NAME,
                  "ewma:[weight=0.5]",
                  "exponentially weighted average of the reads in all windows",
                  ExponentialAverage::of),
              new Own(
                  LeastRecentlyUsed.NAME,
                  "lru",
                  "the file that was read last is read next",
                  settings -> new LeastRecentlyUsed()),
              new Own(
                  LeastFrequentlyUsed.NAME,
                  "lfu",
                  "reads in all windows",
                  settings -> new LeastFrequentlyUsed()),
              new Own(
                  TreePredictor.NAME,
                  "trees:[model=FILE]",
                  "AutoTier's kind: trees, fitted to earlier windows, over many features of a file",
                  TreePredictor::of),
              new Own(
                  UniformPredictor.NAME,
                  "uniform",
                  "all files alike: the null model",
                  settings -> new UniformPredictor()),
              new Own(
                  OraclePredictor.NAME,
                  "oracle:[by=reads|readers]",
                  "the next window itself, where a trace is replayed: a bound",
                  OraclePredictor::of)));

  private PopularityPredictors() {}

  /** A predictor of this package. */
  private record Own(
      String name,
      String usage,
      String summary,
      BiFunction<SpecReader, TreeSource, PopularityPredictor> predictor)
      implements PopularityProvider {
    Own(
        String name,
        String usage,
        String summary,
        Function<SpecReader, PopularityPredictor> predictor) {
      this(name, usage, summary, (settings, trees) -> predictor.apply(settings));
    }

    @Override
    public PopularityPredictor make(SpecReader settings, TreeSource trees) {
      return predictor.apply(settings, trees);
    }
  }

  /**
   * The predictor of that specification, for a host that has no trees.
   *
   * @throws IllegalArgumentException one line that names the bad value and what is allowed
   */
  public static PopularityPredictor parse(String specification) {
    return parse(specification, TreeSource.NONE);
  }

  /**
   * The predictor of that specification.
   *
   * @param trees asked where the predictor wants some
   * @throws IllegalArgumentException one line that names the bad value and what is allowed
   */
  public static PopularityPredictor parse(String specification, TreeSource trees) {
    return REGISTRY.parse(specification, trees);
  }

  /**
   * As {@link PopularityPredictor#predict}, for hosts: a predictor of another jar may fail in any
   * way, and is named.
   *
   * @throws IllegalArgumentException one line: this predictor needs what the window does not hold
   * @throws IllegalStateException one line: it failed
   */
  public static void predict(
      PopularityPredictor predictor, UseWindow window, PopularityState state, double[] predicted) {
    try {
      predictor.predict(window, state, predicted);
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(
          "popularity predictor " + predictor.name() + " failed: " + e, e);
    }
  }

  /** All predictors, this project's first. */
  public static List<PolicyProvider<PopularityPredictor, TreeSource>> all() {
    return REGISTRY.providers();
  }

  /** As {@link PolicyRegistry#problems}. */
  public static List<String> problems() {
    return REGISTRY.problems();
  }
}
