package io.tierwise.hadoop.autotier.jobs;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.policies.movement.PredictedSeconds;
import io.tierwise.policies.movement.StorageConfiguration;
import io.tierwise.profiles.Prediction;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a job would take in each configuration of the fast tier, from its application's profile and
 * the devices' speeds.
 *
 * <p>Devices work x = min(t, B / (d r)) of the t seconds of a phase that reads B bytes; d devices
 * at once, r bytes a second of the slow tier. On the fast tier they take x r / r' instead; the rest
 * of the phase stays as it is. Maps read input and write what they spill, shuffles and reducers
 * read it. DUX measures each configuration (DerbyhatS, 6.1.5), and so it is where {@code tierwise
 * profile run} did. Own: other history of a cluster has one of them, taken to be that without the
 * fast tier; the three others are computed.
 *
 * @param intermediateBytes that local directories take
 */
public record JobForecast(PredictedSeconds seconds, double intermediateBytes) {
  /** The devices of the slow tier, and the class that would take their place. */
  public record Devices(DeviceClass fast, DeviceClass slow, int slowCount) {
    private double savedReading(double phaseSeconds, double bytes, double atOnce) {
      double rate = slow.readBytesPerSecond();
      double share = 1 - rate / fast.readBytesPerSecond();
      return saved(phaseSeconds, bytes / (atOnce * rate), share);
    }

    private double savedWriting(double phaseSeconds, double bytes, double atOnce) {
      double rate = slow.writeBytesPerSecond();
      double share = 1 - rate / fast.writeBytesPerSecond();
      return saved(phaseSeconds, bytes / (atOnce * rate), share);
    }

    private static double saved(double phaseSeconds, double deviceSeconds, double share) {
      return Math.min(phaseSeconds, deviceSeconds) * Math.max(0, share);
    }
  }

  /** Of a prediction. */
  public static JobForecast of(Prediction run, Devices devices) {
    double all = Math.max(0, run.seconds().expected());
    double input = 0;
    double between = 0;
    double bytes = 0;
    for (Prediction.PhasePrediction phase : run.phases()) {
      double seconds = Math.max(0, phase.seconds().expected());
      double atOnce = Math.max(1, Math.min(phase.tasks().expected(), (double) devices.slowCount()));
      double spilled = Math.max(0, phase.spilledBytes().expected());
      bytes += spilled;
      if (phase.phase().equals("map")) {
        input += devices.savedReading(seconds, phase.readBytes().expected(), atOnce);
        between += devices.savedWriting(seconds, spilled, atOnce);
      } else {
        double read = Math.max(phase.shuffledBytes().expected(), spilled);
        between += devices.savedReading(seconds, read, atOnce);
      }
    }
    PredictedSeconds computed =
        new PredictedSeconds(
            all,
            Math.max(0, all - between),
            Math.max(0, all - input),
            Math.max(0, all - input - between));
    return new JobForecast(measured(run).orElse(computed), bytes);
  }

  /** All from one source: times of different days would be compared otherwise. */
  private static Optional<PredictedSeconds> measured(Prediction run) {
    Map<Integer, Double> seconds = new HashMap<>();
    for (Prediction.ConfigurationPrediction each : run.configurations()) {
      seconds.put(each.configuration(), Math.max(0, each.seconds().expected()));
    }
    for (StorageConfiguration each : StorageConfiguration.values()) {
      if (!seconds.containsKey(each.number())) {
        return Optional.empty();
      }
    }
    return Optional.of(
        new PredictedSeconds(
            seconds.get(StorageConfiguration.ALL_SLOW.number()),
            seconds.get(StorageConfiguration.FAST_INTERMEDIATE.number()),
            seconds.get(StorageConfiguration.FAST_INPUT.number()),
            seconds.get(StorageConfiguration.ALL_FAST.number())));
  }

  /**
   * The seconds when a share of the input is in the fast tier anyway.
   *
   * @param there from 0 to 1
   */
  public PredictedSeconds withInputThere(double there) {
    double all = seconds.allSlow() - there * (seconds.allSlow() - seconds.fastInput());
    double between =
        seconds.fastIntermediate() - there * (seconds.fastIntermediate() - seconds.allFast());
    return new PredictedSeconds(all, between, seconds.fastInput(), seconds.allFast());
  }
}
