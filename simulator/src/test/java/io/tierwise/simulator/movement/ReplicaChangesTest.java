package io.tierwise.simulator.movement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.Refusal;
import io.tierwise.policies.movement.DecisionEngine;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.simulator.storage.StoredFile;
import org.junit.jupiter.api.Test;

class ReplicaChangesTest {
  /** A block of 64 MB and one of 16. */
  private static final long FILE_BYTES = 80_000_000;

  private static final String NO_ROOM_FOR_A_BLOCK = "40 MB";

  @Test
  void aFileThatComesBackIsUnderItsOwnPolicyAgain() {
    TwoStores stores = new TwoStores("500 GB");
    PlacementPolicy own = stores.policy("layout:3 x fast");
    StoredFile file = stores.file("/file", FILE_BYTES, own);

    stores.changes.want(file, DecisionEngine.SECONDARY);
    stores.run();
    assertThat(stores.tiers(file.block(0))).containsExactly("nas");

    stores.changes.want(file, 3);
    stores.run();
    assertThat(file.policy()).containsSame(own);
    assertThat(stores.tiers(file.block(0))).containsExactly("fast", "fast", "fast");
  }

  @Test
  void aFileThatFindsNoRoomInTheOtherStoreStaysUnderItsOwnPolicy() {
    TwoStores stores = new TwoStores(NO_ROOM_FOR_A_BLOCK);
    PlacementPolicy own = stores.policy("layout:3 x fast");
    StoredFile file = stores.file("/file", FILE_BYTES, own);

    stores.changes.want(file, DecisionEngine.SECONDARY);
    assertThat(file.policy()).isEqualTo(stores.store.placement());
    stores.run();
    assertThat(file.policy()).containsSame(own);
    assertThat(file.replication()).isEqualTo(3);
    assertThat(stores.tiers(file.block(1))).containsExactly("fast", "fast", "fast");
  }

  /** Else its copies would go to another tier, and away again, in each window. */
  @Test
  void aStoreThatIsDownHasNoRoom() {
    TwoStores stores = new TwoStores("500 GB");
    StoredFile file = stores.file("/file", FILE_BYTES, null);
    ArrayClusterView view = stores.cluster.view();
    for (int volume = 0; volume < stores.cluster.volumeCount(); volume++) {
      if (stores.store.has(volume)) {
        view.refuseNode(stores.cluster.nodeOfVolume(volume), Refusal.DEAD);
      }
    }

    assertThat(stores.changes.want(file, DecisionEngine.SECONDARY)).isEmpty();
    assertThat(stores.placer.placedBytes()).as("no copy began").isEqualTo(3 * FILE_BYTES);
  }

  @Test
  void givingUpLeavesABlockItsLastReplicaAndCopiesItBack() {
    TwoStores stores = new TwoStores(NO_ROOM_FOR_A_BLOCK);
    StoredFile file = stores.file("/file", FILE_BYTES, null);
    int large = file.block(0);
    int small = file.block(1);

    stores.changes.want(file, DecisionEngine.SECONDARY);
    stores.runUntil(() -> stores.tiers(small).contains("nas"));
    assertThat(stores.tiers(large)).hasSize(3);
    // All disks that have the block die at once.
    for (int i = 0; i < stores.namespace.slotCount(); i++) {
      int volume = stores.namespace.replica(small, i);
      if (volume >= 0 && !stores.store.has(volume)) {
        stores.placer.drop(small, i, file.blockBytes(1));
      }
    }
    assertThat(stores.tiers(small)).containsExactly("nas");

    stores.run();
    assertThat(stores.tiers(large)).containsExactly("primary", "primary", "primary");
    assertThat(stores.tiers(small)).containsExactly("nas", "primary", "primary");
  }

  @Test
  void copiesThatAreTooManyWhenTheyAreWholeGo() {
    TwoStores stores = new TwoStores("500 GB");
    StoredFile file = stores.file("/file", FILE_BYTES, null);

    stores.changes.want(file, 6);
    stores.changes.want(file, 4);
    stores.changes.want(file, 5);
    // Of the large block no copy is too many, as one of its replicas is lost.
    stores.placer.drop(file.block(0), 0, file.blockBytes(0));
    // The small block has all that began before the large one has what is wanted.
    stores.runUntil(() -> stores.tiers(file.block(1)).size() == 6);
    assertThat(stores.tiers(file.block(0))).hasSizeLessThan(5);

    stores.run();
    assertThat(stores.tiers(file.block(0))).hasSize(5);
    assertThat(stores.tiers(file.block(1))).hasSize(5);
  }
}
