package io.tierwise.simulator.movement;

import static org.assertj.core.api.Assertions.assertThat;

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
    StoredFile file = stores.file(FILE_BYTES, own);

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
    StoredFile file = stores.file(FILE_BYTES, own);

    stores.changes.want(file, DecisionEngine.SECONDARY);
    assertThat(file.policy()).isEqualTo(stores.store.placement());
    stores.run();
    assertThat(file.policy()).containsSame(own);
    assertThat(file.replication()).isEqualTo(3);
    assertThat(stores.tiers(file.block(1))).containsExactly("fast", "fast", "fast");
  }
}
