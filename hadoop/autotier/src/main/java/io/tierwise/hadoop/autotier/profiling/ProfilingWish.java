package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.message.OperatorException;
import java.nio.file.Path;
import java.util.List;

/**
 * What is to be profiled.
 *
 * @param command the words that run the application; those in braces stand for something else in
 *     each run
 * @param fastTier as the tier table and the NodeManagers name it
 * @param slowTier likewise
 * @param times that each configuration is run
 * @param application that runs are counted for; null for each job's own name
 * @param configuration the directory of the client's configuration
 * @param sparkConfiguration that of Spark's, which need not exist; null when nobody names one
 */
public record ProfilingWish(
    List<String> command,
    String fastTier,
    String slowTier,
    int times,
    String application,
    Path configuration,
    Path sparkConfiguration) {
  /** Stands in the command for a text that no other run has: {@code config-3-1}. */
  public static final String RUN = "{run}";

  /** Stands for the tier of intermediate data. */
  public static final String INTERMEDIATE = "{intermediate}";

  /** Stands for the tag by which the run's applications are found on YARN. */
  public static final String TAG = "{tag}";

  public ProfilingWish {
    command = List.copyOf(command);
    OperatorException.requireAtLeast(1, "--times", times);
    if (fastTier.equals(slowTier)) {
      throw OperatorException.badInput(
          "--fast-tier and --slow-tier are both " + fastTier + ": nothing is to be compared");
    }
    SparkClient.requireKnown(sparkConfiguration, command);
  }

  /**
   * A wish.
   *
   * @param fastTier null for the fastest that counts: of HDFS's own types, one with a volume
   * @param slowTier null for the slowest, likewise
   */
  public static ProfilingWish of(
      List<String> command,
      String fastTier,
      String slowTier,
      TierTable tiers,
      int times,
      String application,
      Path configuration,
      Path sparkConfiguration) {
    return new ProfilingWish(
        command,
        fastTier == null ? counted(tiers, 0) : fastTier,
        slowTier == null ? counted(tiers, tiers.countedCount() - 1) : slowTier,
        times,
        application,
        configuration,
        sparkConfiguration);
  }

  private static String counted(TierTable tiers, int place) {
    return tiers.tier(tiers.counted(place)).name();
  }

  /** The command of a run. */
  List<String> words(String run, String intermediateTier, String tag) {
    return command.stream()
        .map(word -> word.replace(RUN, run))
        .map(word -> word.replace(INTERMEDIATE, intermediateTier))
        .map(word -> word.replace(TAG, tag))
        .toList();
  }
}
