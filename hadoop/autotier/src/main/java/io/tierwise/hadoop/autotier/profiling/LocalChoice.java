package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.autotier.jobs.JobForecast;
import io.tierwise.policies.movement.AdaptivePlacement;
import io.tierwise.policies.movement.FastTierRegions;
import io.tierwise.policies.movement.PredictedSeconds;
import io.tierwise.policies.movement.StorageConfiguration;
import io.tierwise.policies.movement.StorageCounter;
import io.tierwise.policies.movement.TierLoad;
import io.tierwise.policies.movement.TierPromotions;
import io.tierwise.profiles.Prediction;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * Where an application's intermediate data goes on this machine.
 *
 * @param tier null where no directory that was told has room: then Spark's own settings hold
 * @param directories of that tier, those with room
 * @param text says so, with the reason
 */
public record LocalChoice(String tier, List<Path> directories, String text) {
  /**
   * As somebody wants it; a tier without room falls back on the others, in the order in which they
   * were told.
   */
  public static LocalChoice of(LocalTiers local, String tier) {
    local.require("--tier", tier);
    return on(local, tier, "as --tier says");
  }

  private static LocalChoice on(LocalTiers local, String tier, String why) {
    List<Path> roomy = local.withRoom(tier);
    if (!roomy.isEmpty()) {
      return new LocalChoice(
          tier,
          roomy,
          "intermediate data goes to " + tier + " (" + LocalTiers.text(roomy) + "): " + why);
    }
    String full = local.text(tier) + " has no room, or is not there";
    for (String other : local.directories().keySet()) {
      List<Path> fallback = other.equals(tier) ? List.of() : local.withRoom(other);
      if (!fallback.isEmpty()) {
        return new LocalChoice(
            other,
            fallback,
            full + ": intermediate data goes to " + other + " (" + LocalTiers.text(fallback) + ")");
      }
    }
    return new LocalChoice(
        null,
        List.of(),
        full
            + ", nor has any other tier: intermediate data goes where Spark's"
            + " own settings put it");
  }

  /**
   * As its profile asks for: DUX's Config-4 or Config-1, since the input stays where it is.
   *
   * @param tiers say which of two tiers is the fast one, and what both give
   */
  public static LocalChoice of(LocalTiers local, Prediction run, TierTable tiers) {
    List<Tier> known =
        local.directories().keySet().stream()
            .map(name -> tier(tiers, name))
            .sorted(Comparator.comparingInt(Tier::index))
            .toList();
    if (known.size() != 2) {
      throw OperatorException.badInput(
          "a profile chooses between two tiers, and --local tells "
              + Words.count(known.size(), "tier")
              + ": give the fast one and the slow one, or say --tier");
    }
    Tier fast = known.get(0);
    Tier slow = known.get(1);
    List<Path> roomy = local.withRoom(fast.name());
    if (roomy.isEmpty()) {
      return on(local, fast.name(), "");
    }
    requireMeasured(fast, slow);
    int slowCount = local.directories().get(slow.name()).size();
    JobForecast forecast =
        JobForecast.of(
            run, new JobForecast.Devices(fast.deviceClass(), slow.deviceClass(), slowCount));
    long roomBytes = LocalTiers.roomBytes(roomy);
    AdaptivePlacement.Answer answer = ask(forecast, fast, slow, slowCount, roomBytes);
    if (answer.configuration().hasFastIntermediate()) {
      return on(
          local,
          fast.name(),
          Words.duration(answer.gainSeconds())
              + " less than on "
              + slow.name()
              + " are expected, of "
              + Words.duration(forecast.seconds().allSlow()));
    }
    return on(local, slow.name(), whySlow(forecast, fast.name(), roomBytes));
  }

  private static Tier tier(TierTable tiers, String name) {
    try {
      return tiers.require(name);
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput("--local: " + e.getMessage());
    }
  }

  private static void requireMeasured(Tier fast, Tier slow) {
    if (!new TierPromotions(fast.deviceClass(), slow.deviceClass()).isMeasured()) {
      throw OperatorException.badInput(
          "tiers.yaml has no speeds of "
              + fast.name()
              + " and "
              + slow.name()
              + ": run 'tierwise tiers probe', or say --tier");
    }
  }

  private static AdaptivePlacement.Answer ask(
      JobForecast forecast, Tier fast, Tier slow, int slowCount, long roomBytes) {
    PredictedSeconds seconds = forecast.seconds();
    AdaptivePlacement manager =
        new AdaptivePlacement(
            new FastTierRegions(0, roomBytes, 0),
            fast.deviceClass(),
            slow.deviceClass(),
            1,
            slowCount,
            1,
            AdaptivePlacement.GAIN_MIN);
    return manager.decide(
        new AdaptivePlacement.Job(
            0, StorageCounter.NO_FILE, 0, intermediateBytes(forecast), seconds, 0),
        TierLoad.IDLE,
        new StorageCounter());
  }

  private static long intermediateBytes(JobForecast forecast) {
    return (long) Math.ceil(forecast.intermediateBytes());
  }

  private static String whySlow(JobForecast forecast, String fast, long roomBytes) {
    long bytes = intermediateBytes(forecast);
    if (bytes > roomBytes) {
      return Words.bytes(bytes)
          + " of it are expected, and "
          + fast
          + " has room for "
          + Words.bytes(roomBytes);
    }
    double gain =
        forecast.seconds().allSlow()
            - forecast.seconds().of(StorageConfiguration.FAST_INTERMEDIATE);
    return bytes == 0
        ? "its profile has none"
        : fast
            + " would bring "
            + Words.duration(Math.max(0, gain))
            + " of "
            + Words.duration(forecast.seconds().allSlow())
            + ", less than "
            + Words.percent(AdaptivePlacement.GAIN_MIN);
  }
}
