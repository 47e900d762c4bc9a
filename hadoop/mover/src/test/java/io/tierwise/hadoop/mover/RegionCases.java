package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.compliance.TierSpread;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** φSched's verbs, on a cluster whose nodes are in the regions east and west. */
abstract class RegionCases extends UndoCases {
  private static final int BLOCKS = 1;
  private static final String TWO_EAST = "layout:2 x disk in region east + 1 x disk in region west";

  private MoverReport apply(String path, String policy, JournalRun run) throws IOException {
    PolicyMoves moves = new PolicyMoves(live().cluster(), Map.of(path, policy));
    try (run;
        Mover mover = Mover.open(live().cluster(), LiveCluster.quick()).writingTo(run)) {
      return moves.run(mover, run, Listener.Step.SILENT);
    }
  }

  private String replicasByRegion(String path) throws IOException {
    return String.join(
        " ",
        new FileRegions(live().cluster())
            .findRegion(path).stream().map(row -> row.region() + row.replicas()).toList());
  }

  /** The quick one is in MoveDataGuideIT: here HDFS drops the old replica after its own waits. */
  @Test
  @Tag("long")
  void replicasMoveToAnotherRegionWithTheirPolicyAndBack() throws IOException {
    live().setPolicy("/t/region", TWO_EAST);
    live().write("/t/region/file", BLOCKS, 3);
    assertThat(replicasByRegion("/t/region")).isEqualTo("east2 west1");

    FileTiers.Change change =
        new FileRegions(live().cluster()).moveRegion("/t/region", "east", "west", 1);
    MoverReport plan =
        new PolicyMoves(live().cluster(), Map.of("/t/region", change.after()))
            .plan(LiveCluster.quick());
    JournalRun run = begin(null);
    MoverReport moved = apply("/t/region", change.after(), run);

    assertThat(plan.moved()).isEqualTo(moved.moved()).isEqualTo(amount(BLOCKS));
    assertThat(moved.left()).isEmpty();
    List<TierSpread.RegionRow> rows =
        new FileRegions(live().cluster()).findRegion("/t/region/file");
    assertThat(rows).extracting(TierSpread.RegionRow::wholeFiles).containsExactly(1L, 1L);
    assertThat(replicasByRegion("/t/region")).isEqualTo("east1 west2");

    Undo undo = new Undo(live().cluster(), PastRun.read(journal(), run.id()));
    MoverReport undoPlan = Mover.planUndo(live().cluster(), LiveCluster.quick(), undo);
    MoverReport undone;
    try (JournalRun second = begin(run.id());
        Mover mover = Mover.open(live().cluster(), LiveCluster.quick()).writingTo(second)) {
      undo.apply(second);
      undone = mover.undo(undo, Listener.Step.SILENT);
    }

    assertThat(undoPlan.moved()).isEqualTo(undone.moved()).isEqualTo(moved.moved());
    assertThat(undone.left()).isEmpty();
    assertThat(replicasByRegion("/t/region")).isEqualTo("east2 west1");
    assertThat(JournaledChanges.ownPolicy(live().fs(), "/t/region")).isEqualTo(TWO_EAST);
    live().assertWhole(new Path("/t/region/file"), BLOCKS);
  }

  private static MoverReport.Amount amount(int replicas) {
    return new MoverReport.Amount(replicas, (long) replicas * LiveCluster.BLOCK_BYTES);
  }

  @Test
  void regionsGetAndLoseCopies() throws IOException {
    live().write("/t/region/file", 1, 3);
    live().setPolicy("/t/region", TWO_EAST);
    FileRegions regions = new FileRegions(live().cluster());

    assertThat(regions.createFileRegion("/t/region", "west", 2).after())
        .isEqualTo(
            "layout:1 x any in region west + 2 x disk in region east + 1 x disk in region west");
    assertThat(regions.createFileRegion("/t/region", "west", 1).filesToChange()).isZero();
    assertThat(regions.deleteFileRegion("/t/region", "west").after())
        .isEqualTo("layout:2 x disk in region east");
    assertThat(regions.setRepRegion("/t/region", "east", 1).replicas()).isEqualTo(2);
    assertThat(regions.setRepRegion("/t/region", "west", 3).replicas()).isEqualTo(5);
    assertThatThrownBy(() -> regions.createFileRegion("/t/region", "north", 1))
        .isInstanceOf(OperatorException.class)
        .hasMessage("no region north; the cluster has: east, west");
    assertThatThrownBy(() -> regions.moveRegion("/t/region", "west", "east", 2))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("names 1 replica in west");
    live().setPolicy("/t/region", "layout:3 x disk in region east");
    assertThatThrownBy(() -> regions.deleteFileRegion("/t/region", "east"))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("nothing would be left");
  }

  @Test
  void replicasGoToTheFastestAndTheSlowestTier() throws IOException {
    Path file = live().write("/t/dux/file", 1, 3);
    FileTiers tiers = new FileTiers(live().cluster());

    apply("/t/dux", tiers.moveToSSDTier("/t/dux", 2).after(), begin(null));
    assertThat(live().typesOf(file)).containsOnly("DISK SSD SSD");
    assertThat(tiers.moveToSSDTier("/t/dux", 2).after())
        .as("asked twice")
        .isEqualTo("layout:2 x ssd + 1 x any");
    apply("/t/dux", tiers.moveToHDDTier("/t/dux", 3).after(), begin(null));

    assertThat(live().typesOf(file)).containsOnly("DISK DISK DISK");
    assertThatThrownBy(() -> tiers.moveToSSDTier("/t/dux", 4))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("names 3 replicas, fewer than 4");
  }

  @Test
  @Tag("long")
  void replicasThatOthersMovedSinceAreLeftAndTold() throws IOException {
    live().setPolicy("/t/region", TWO_EAST);
    live().write("/t/region/file", 1, 3);
    JournalRun run = begin(null);
    apply("/t/region", "layout:1 x disk in region east + 2 x disk in region west", run);
    move(begin(null), live().order("layout:3 x ssd", "/t/region"));

    Undo undo = new Undo(live().cluster(), PastRun.read(journal(), run.id()));
    MoverReport plan = Mover.planUndo(live().cluster(), LiveCluster.quick(), undo);

    assertThat(undo.changes()).isOne();
    assertThat(plan.left()).extracting(MoverReport.Left::reason).containsExactly(UndoMoves.MOVED);
    assertThat(plan.moved().replicas()).isZero();
  }
}
