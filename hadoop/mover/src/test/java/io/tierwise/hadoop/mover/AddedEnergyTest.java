package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.Move;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.Power;
import io.tierwise.core.cluster.TierTable;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;

/** The joules of a plan: a sum where all is known, else the tiers that lack a figure. */
class AddedEnergyTest {
  private static final Endpoint SSD = Made.volume("a", StorageType.SSD);
  private static final Endpoint DISK = Made.volume("a", StorageType.DISK);

  private static DeviceClass device(String name, double write, Power power) {
    return new DeviceClass(name, 100e6, write, Double.NaN, 0, Double.NaN, power);
  }

  private static AddedEnergy of(DeviceClass ssd, DeviceClass disk, double joules) {
    Tally tally = new Tally(TierTable.of(List.of(ssd, disk)));
    Move move = new Move("policy", "rule", 0, 0, 1, new Cost(100, 0, 0, 1, joules));
    for (int i = 0; i < 2; i++) {
      tally.moved(new PlannedMove(null, 100, DISK, DISK, SSD, move));
    }
    return tally.energy("tiers.yaml");
  }

  @Test
  void movesAddUpAndTheSourceOfTheFiguresIsTold() {
    AddedEnergy energy =
        of(device("ssd", 50e6, new Power(1, 2)), device("disk", 50e6, new Power(5, 8)), 21);

    assertThat(energy.joules()).isEqualTo(42);
    assertThat(energy.unknownTiers()).isEmpty();
    assertThat(energy.text())
        .isEqualTo(
            "adds about 42.0 J to what idle devices draw, by the watts and speeds of tiers.yaml");
    assertThat(new AddedEnergy(1_234_567.0, List.of(), "t").text()).contains("1,234.6 kJ");
    assertThat(new AddedEnergy(2345.0, List.of(), "t").text()).contains("2,345 J");
    assertThat(new AddedEnergy(0.012345, List.of(), "t").text()).contains("0.0123 J");
  }

  @Test
  void aTierThatIsNotToldLeavesThePlanWithoutJoules() {
    Power power = new Power(1, 2);
    AddedEnergy noWatts =
        of(device("ssd", 50e6, power), device("disk", 50e6, Power.UNKNOWN), Double.NaN);
    assertThat(noWatts.joules()).isNull();
    assertThat(noWatts.unknownTiers()).containsExactly("disk");
    assertThat(noWatts.text())
        .isEqualTo(
            "joules unknown: tiers.yaml does not tell idle-watts, active-watts and both speeds of"
                + " disk");

    AddedEnergy noWriteSpeed =
        of(device("ssd", Double.NaN, power), device("disk", Double.NaN, power), Double.NaN);
    assertThat(noWriteSpeed.unknownTiers()).as("disks are only read").containsExactly("ssd");
  }
}
