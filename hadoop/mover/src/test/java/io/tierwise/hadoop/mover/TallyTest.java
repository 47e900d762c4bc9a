package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.Move;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.Power;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.policies.movement.MoveTurns.Yielded;
import io.tierwise.policies.movement.MovementLimits;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TallyTest {
  private static final long BYTES = 100;
  private static final long UNBOUNDED = 1L << 40;
  private static final Endpoint DISK = Made.volume("a", StorageType.DISK);

  private final Tally tally =
      new Tally(
          TierTable.of(List.of(DeviceClass.unmeasured("ssd"), DeviceClass.unmeasured("disk"))));

  private void moveToSsdOf(String... nodes) {
    Move decision = new Move("policy", "rule", 0, 0, 1, Cost.ofBytes(BYTES, 0, 0));
    for (String node : nodes) {
      Endpoint to = Made.volume(node, StorageType.SSD);
      tally.moved(new PlannedMove(null, BYTES, DISK, DISK, to, decision));
    }
  }

  private double secondsAt(long node, long volume, long all) {
    MovementLimits limits = new MovementLimits(node, volume, all, 4, 0, 0, 0, 0);
    return tally.secondsAt(MoverSettings.DEFAULT.with(limits));
  }

  /** Three leave one disk, and each comes to a volume of its own; one stays inside the node. */
  @Test
  void theBusiestVolumeAndNodeSayHowLongMovesTake() {
    moveToSsdOf("a", "b", "c");

    assertThat(secondsAt(UNBOUNDED, 10, UNBOUNDED)).isEqualTo(30);
    assertThat(secondsAt(10, UNBOUNDED, UNBOUNDED)).isEqualTo(30);
    assertThat(secondsAt(UNBOUNDED, UNBOUNDED, 10)).isEqualTo(30);
  }

  /** Each leaves the node of the one disk. */
  @Test
  void movesOfSmallBlocksTakeTheTimeOfTheirNumber() {
    moveToSsdOf("a", "b", "c");

    MoverSettings few = MoverSettings.DEFAULT.atRates(UNBOUNDED, UNBOUNDED).atMovesPerSecond(2);
    assertThat(tally.secondsAt(few)).isEqualTo(1.5);
  }

  @Test
  void aMoveInsideANodeIsOneOfItsTransfersAndNoneOfTheNetwork() {
    moveToSsdOf("a");
    assertThat(secondsAt(10, UNBOUNDED, UNBOUNDED)).isEqualTo(10);
    assertThat(tally.report(0, Yielded.NOTHING, false).networkBytes()).isZero();

    moveToSsdOf("b", "c");
    assertThat(tally.report(0, Yielded.NOTHING, false).networkBytes()).isEqualTo(2 * BYTES);
  }

  /** The disk draws 2 W more for 1 s to be read, the SSD 6 W more for half a second a copy. */
  @Test
  void copiesAddTheEnergyOfOneReadAndOfEachWrite() {
    Tally known =
        new Tally(
            TierTable.of(
                List.of(
                    new DeviceClass("ssd", 400, 200, Double.NaN, 0, Double.NaN, new Power(1, 7)),
                    new DeviceClass(
                        "disk", 100, 100, Double.NaN, 0, Double.NaN, new Power(5, 7)))));

    known.copied(List.of(1, 1), List.of(0, 0), BYTES);
    known.dropped(1, BYTES);

    assertThat(known.energy("tiers.yaml").joules()).isEqualTo(2 + 2 * 3, Offset.offset(1e-9));
    assertThat(known.tierChanges())
        .containsExactly(
            new MoverReport.TierChange("ssd", 2 * BYTES, 0),
            new MoverReport.TierChange("disk", 0, BYTES));

    tally.copied(List.of(1), List.of(TierTable.NONE), BYTES);
    assertThat(tally.energy("tiers.yaml").joules()).isNull();
    assertThat(tally.energy("tiers.yaml").unknownTiers()).containsExactly("disk", null);
  }
}
