package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.message.Words;
import io.tierwise.policies.movement.AdaptivePlacement;
import io.tierwise.policies.movement.FastTierRegions;
import io.tierwise.policies.movement.PredictedSeconds;
import io.tierwise.policies.movement.StorageConfiguration;
import io.tierwise.policies.movement.StorageCounter;
import io.tierwise.policies.movement.TierLoad;

/**
 * The choice of DUX's Adaptive Placement Manager for an application that has these times, where
 * nobody else uses the cluster, and the input is in the fast tier by the time that it starts.
 *
 * @param configuration its number in DerbyhatS, Table 6.3
 * @param gainSeconds that it takes less than Config-1
 * @param gainShare the same as a share of Config-1's time
 * @param reason why no more of it is in the fast tier; null when all is
 */
public record ConfigurationChoice(
    int configuration, double gainSeconds, double gainShare, String reason) {
  private static final int ANY_FILE = 0;

  /** What an application reads, and leaves between its phases. */
  record Job(long inputBytes, long intermediateBytes) {}

  /**
   * The devices of both tiers.
   *
   * @param roomBytes that the fast tier has
   */
  record Devices(DeviceClass fast, DeviceClass slow, long roomBytes) {}

  /** Asks the class that decides in {@code autotier} and in the simulator. */
  static ConfigurationChoice of(PredictedSeconds seconds, Job job, Devices devices) {
    AdaptivePlacement manager =
        new AdaptivePlacement(
            new FastTierRegions(0, devices.roomBytes(), 0),
            devices.fast(),
            devices.slow(),
            1,
            1,
            1,
            AdaptivePlacement.GAIN_MIN);
    StorageCounter counter = new StorageCounter();
    counter.found(ANY_FILE, job.inputBytes());
    AdaptivePlacement.Answer answer =
        manager.decide(
            new AdaptivePlacement.Job(
                0, ANY_FILE, job.inputBytes(), job.intermediateBytes(), seconds, 0),
            TierLoad.IDLE,
            counter);
    double all = seconds.allSlow();
    return new ConfigurationChoice(
        answer.configuration().number(),
        answer.gainSeconds(),
        all > 0 ? answer.gainSeconds() / all : 0,
        answer.reason().isEmpty() ? null : answer.reason());
  }

  /** For people. */
  String text() {
    String begin = "DUX would choose Config-" + configuration;
    String gain =
        configuration == StorageConfiguration.ALL_SLOW.number()
            ? ": nothing in the fast tier brings "
                + Words.percent(AdaptivePlacement.GAIN_MIN)
                + " of its time"
            : ", which takes "
                + Words.duration(gainSeconds)
                + " ("
                + Words.percent(gainShare)
                + ") less than Config-1";
    return begin + gain + (reason == null ? "" : "; " + reason);
  }
}
