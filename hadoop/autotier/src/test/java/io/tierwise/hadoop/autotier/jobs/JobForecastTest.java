package io.tierwise.hadoop.autotier.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.Power;
import io.tierwise.policies.movement.PredictedSeconds;
import io.tierwise.profiles.Estimate;
import io.tierwise.profiles.Prediction;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A fast tier that is ten times as fast as disks, of which four read at once. */
class JobForecastTest {
  private static final double SLOW = 100;
  private static final JobForecast.Devices DEVICES =
      new JobForecast.Devices(device("ssd", 10 * SLOW), device("disk", SLOW), 4);

  private static DeviceClass device(String name, double rate) {
    return new DeviceClass(name, rate, rate, Double.NaN, 0, Double.NaN, Power.UNKNOWN);
  }

  private static Estimate exactly(double figure) {
    return new Estimate(figure, null, null);
  }

  private static Prediction.PhasePrediction phase(
      String name, double tasks, double seconds, double read, double spilled, double shuffled) {
    return new Prediction.PhasePrediction(
        name,
        exactly(tasks),
        exactly(seconds),
        exactly(seconds),
        exactly(read),
        exactly(0),
        exactly(spilled),
        exactly(shuffled));
  }

  private static Prediction run(double seconds, Prediction.PhasePrediction... phases) {
    return run(seconds, List.of(), phases);
  }

  private static Prediction run(
      double seconds,
      List<Prediction.ConfigurationPrediction> measured,
      Prediction.PhasePrediction... phases) {
    return new Prediction(
        "count", "mapreduce", 1, 0, exactly(seconds), List.of(phases), measured, null, List.of());
  }

  private static Prediction.ConfigurationPrediction measured(int configuration, double seconds) {
    return new Prediction.ConfigurationPrediction(configuration, 1, exactly(seconds));
  }

  @Test
  void devicesOfTheFastTierTakeATenthOfTheirTimeAndTheRestStays() {
    // Two maps at once read 1,000 bytes in 5 s and write 400 in 2 s; one reducer reads them in 4 s.
    Prediction run =
        run(30, phase("map", 2, 20, 1_000, 400, 0), phase("shuffle", 1, 10, 0, 0, 400));

    JobForecast forecast = JobForecast.of(run, DEVICES);

    assertThat(forecast.intermediateBytes()).isEqualTo(400);
    assertThat(forecast.seconds())
        .isEqualTo(
            new PredictedSeconds(30, 30 - 0.9 * (2 + 4), 30 - 0.9 * 5, 30 - 0.9 * 5 - 0.9 * 6));
  }

  @Test
  void noPhaseGainsMoreThanItTakes() {
    // Read from memory: by the devices' speeds it would have taken 100 s.
    JobForecast forecast = JobForecast.of(run(10, phase("map", 1, 8, 10_000, 0, 0)), DEVICES);

    assertThat(forecast.seconds().fastInput()).isEqualTo(10 - 0.9 * 8);
  }

  @Test
  void moreTasksThanDevicesReadNoFaster() {
    JobForecast forecast = JobForecast.of(run(50, phase("map", 100, 50, 4_000, 0, 0)), DEVICES);

    assertThat(forecast.seconds().fastInput()).isEqualTo(50 - 0.9 * 10);
  }

  @Test
  void whereAllConfigurationsWereMeasuredTheirTimesCount() {
    Prediction.PhasePrediction map = phase("map", 2, 20, 1_000, 400, 0);
    List<Prediction.ConfigurationPrediction> all =
        List.of(measured(1, 25), measured(2, 10), measured(3, 14), measured(4, 21));

    JobForecast forecast = JobForecast.of(run(30, all, map), DEVICES);

    assertThat(forecast.seconds()).isEqualTo(new PredictedSeconds(25, 21, 14, 10));
    assertThat(forecast.intermediateBytes()).isEqualTo(400);
    assertThat(JobForecast.of(run(30, all.subList(0, 3), map), DEVICES))
        .as("one is missing")
        .isEqualTo(JobForecast.of(run(30, map), DEVICES));
  }

  @Test
  void whatIsThereAnywayIsNoGain() {
    PredictedSeconds seconds = new PredictedSeconds(40, 30, 20, 10);
    JobForecast forecast = new JobForecast(seconds, 1);

    assertThat(forecast.withInputThere(0)).isEqualTo(seconds);
    assertThat(forecast.withInputThere(0.5)).isEqualTo(new PredictedSeconds(30, 20, 20, 10));
    assertThat(forecast.withInputThere(1)).isEqualTo(new PredictedSeconds(20, 10, 20, 10));
  }
}
