package io.tierwise.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.Power;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.policies.access.Admission;
import io.tierwise.policies.access.Admission.Limit;
import io.tierwise.simulator.scenario.DeviceSpec.CurvePoint;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScenarioTiersTest {
  private static final List<CurvePoint> PEAK_AT_FOUR =
      List.of(new CurvePoint(1, 1), new CurvePoint(4, 1.5), new CurvePoint(8, 1.3));

  @Test
  void deviceWithoutCurveHasUnknownPeakAndThePapersThreshold() {
    DeviceSpec device = device(List.of(), 0, 0);

    DeviceClass seen = ScenarioTiers.deviceClass(device);

    assertThat(seen.readersAtPeak()).isZero();
    assertThat(seen.peakReadBytesPerSecond()).isNaN();
    assertThat(thresholdOf(device)).isEqualTo(Admission.PAPER_THRESHOLD);
  }

  @Test
  void curveSaysWhereThroughputPeaks() {
    DeviceClass seen = ScenarioTiers.deviceClass(device(PEAK_AT_FOUR, 0, 0));

    assertThat(seen.readersAtPeak()).isEqualTo(4);
    assertThat(seen.peakReadBytesPerSecond()).isEqualTo(150e6, within(1.0));
  }

  @Test
  void curveThatOnlyFallsPeaksAtOneReader() {
    DeviceSpec device = device(List.of(new CurvePoint(6, 0.517)), 0, 0);

    assertThat(ScenarioTiers.deviceClass(device).readersAtPeak()).isEqualTo(1);
    assertThat(ScenarioTiers.deviceClass(device).peakReadBytesPerSecond()).isEqualTo(100e6);
    assertThat(thresholdOf(device)).isEqualTo(1);
  }

  @Test
  void statedReadersComeBeforeTheCurve() {
    DeviceClass seen = ScenarioTiers.deviceClass(device(PEAK_AT_FOUR, 8, 0));

    assertThat(seen.readersAtPeak()).isEqualTo(8);
    assertThat(seen.peakReadBytesPerSecond()).isEqualTo(130e6, within(1.0));
  }

  @Test
  void randomReadIsASeekAndFourKibibytes() {
    assertThat(ScenarioTiers.deviceClass(device(List.of(), 0, 0)).randomReadsPerSecond()).isNaN();
    assertThat(ScenarioTiers.deviceClass(device(List.of(), 0, 0.01)).randomReadsPerSecond())
        .isEqualTo(1 / (0.01 + 4096 / 100e6), within(1e-9));
  }

  @Test
  void wattsThatNobodyToldAreUnknownNotZero() {
    DeviceSpec told = new DeviceSpec("disk", 100e6, 80e6, List.of(), 0, 0, 5, 8, 0);

    assertThat(ScenarioTiers.deviceClass(told).power()).isEqualTo(new Power(5, 8));
    assertThat(ScenarioTiers.deviceClass(device(List.of(), 0, 0)).power()).isEqualTo(Power.UNKNOWN);
  }

  @Test
  void tierWithoutADeviceIsAnErrorThatNamesBoth() {
    List<TierSpec> tiers = List.of(new TierSpec("fast", "nvme", List.of()));

    assertThatThrownBy(() -> ScenarioTiers.table(tiers, Map.of()))
        .hasMessage("tier fast: no node has a data device 'nvme'");
  }

  private static int thresholdOf(DeviceSpec device) {
    List<TierSpec> tiers = List.of(new TierSpec("only", device.name(), List.of()));
    TierTable table = ScenarioTiers.table(tiers, Map.of(device.name(), device));
    return new Admission(Limit.STORAGE_READERS, Admission.MEASURED).thresholdOf(table.tier(0));
  }

  private static DeviceSpec device(List<CurvePoint> curve, int readers, double seekSeconds) {
    return new DeviceSpec("disk", 100e6, 80e6, curve, seekSeconds, readers, 0, 0, 0);
  }
}
