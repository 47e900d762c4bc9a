package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.view.FileView;
import io.tierwise.core.view.Refusal;
import io.tierwise.core.view.RefusalCounts;
import io.tierwise.policies.placement.FailingPlacement;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlantedPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.api.Test;

/** The answers of policies, and what a host makes of them. */
class PlacementHostAnswersTest extends MadeHost {
  /** HDFS would follow whatever it is told, and fail the write. */
  @Test
  void anAnswerThatBreaksAPromiseIsNotFollowed() {
    int one = views.index().idOf(first);
    int two = views.index().idOf(other);
    PlantedPlacement both = PlantedPlacement.of(0, one, two);

    assertThat(placeBy(both, null, true, 2)).containsExactly(first, other);
    assertRefused(PlantedPlacement.SILENT, 2, "gave no answer");
    assertRefused(PlantedPlacement.of(0, -1), 1, "a volume that is not there");
    assertRefused(PlantedPlacement.of(0, 99), 1, "a volume that is not there");
    assertRefused(PlantedPlacement.of(0, one, one), 2, "two replicas on one node");
    assertRefused(both, 1, "more volumes than were wanted");
    assertRefused(PlantedPlacement.of(1, one), 2, "more volumes than were wanted");
    assertRefused(PlantedPlacement.of(0, one), 1, "two replicas on one node", first);
    excluded = Set.of(other.getDatanodeDescriptor());
    assertRefused(both, 2, "a node that was to be left out");
    assertThat(host.counters().decisions().values()).as("one of nine").containsExactly(1L);
  }

  /** And one line of the log does not stand for another policy that fails in the same way. */
  @Test
  void whatAPolicyThrowsSaysWhichPolicyItIs() {
    PlacementPolicy failing = new FailingPlacement(new NoSuchMethodError("gone"));
    String line = FailingPlacement.class.getName() + " failed: java.lang.NoSuchMethodError: gone";
    assertThatThrownBy(() -> placeBy(failing, null, true, 2))
        .hasMessage(line)
        .satisfies(
            e ->
                assertThat(PolicyFailure.kindOf(e))
                    .contains(FailingPlacement.class.getName())
                    .doesNotContain("gone"));
    ManagedFile file = new ManagedFile(failing, view, "/f", Set.of(), limits, sources, List.of());
    assertThatThrownBy(() -> host.chooseExcess(file, new int[] {0, 1}, 1, null)).hasMessage(line);
  }

  private void assertRefused(
      PlantedPlacement policy, int replicas, String reason, DatanodeStorageInfo... existing) {
    assertThatThrownBy(() -> placeBy(policy, null, true, replicas, existing))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("planted ")
        .hasMessageContaining(reason);
  }

  /** The tier and region are as wanted: the monitor has nothing to mend there. */
  @Test
  void aReplicaInAnotherRackThanWantedIsNotToldToTheMonitor() {
    List<Long> elsewhere = new ArrayList<>();
    host.tellFilesElsewhere(elsewhere::add);
    view = new FileView(7, 0);
    assertThat(place("layout:1 x disk + 1 x ssd on the same rack", 2)).contains(first, other);
    assertThat(elsewhere).isEmpty();
    assertThat(place("layout:2 x ssd", 2)).contains(first, other);
    assertThat(elsewhere).containsExactly(7L);
  }

  /** It is read for the copy: whether it stays is not said by that. */
  @Test
  void theSourceOfACopyIsNoPledge() {
    DatanodeStorageInfo source = addNode(4, StorageType.DISK);
    views.lookNow();
    sources = List.of(source);
    excluded = Set.of(source.getDatanodeDescriptor());
    view = new FileView(1, 0, 3);
    assertThat(placeFor(source.getDatanodeDescriptor(), true, "layout:1 x disk + 2 x ssd", 1))
        .containsExactly(other);
  }

  @Test
  void volumesOfANodeThatIsOutOfServiceAreAbsentForThatAndNotForWantOfRoom() {
    int ssd = tiers.table().find("ssd").orElseThrow().index();
    assertThat(views.index().absences.of(ssd).commonestWith(new RefusalCounts()))
        .isEqualTo(Refusal.DECOMMISSIONING);
  }
}
