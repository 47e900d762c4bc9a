package io.tierwise.simulator.movement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.movement.DecisionEngine;
import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.storage.StoredFile;
import org.junit.jupiter.api.Test;

class InputUseTest {
  private static final long BYTES = 64_000_000;

  @Test
  void aFileThatHadToMakeRoomIsNoFileUntilItIsLaidOutAnew() {
    TwoStores stores = new TwoStores("500 GB");
    InputUse use = new InputUse(stores.namespace);
    InputStorage storage = new InputStorage(stores.namespace, use, stores.store);
    StoredFile stays = stores.file("/stays", BYTES, null);
    StoredFile goes = stores.file("/goes", BYTES, null);
    stores.changes.want(stays, 4);
    use.read(stays, 1);
    use.read(goes, 2);
    stores.placer.delete(goes);

    UseWindow window = use.end(0, 10);
    storage.count();
    RunResult.Stored stored = storage.result();
    assertThat(window.exists(0)).isTrue();
    assertThat(window.exists(1)).isFalse();
    assertThat(stored.filesWithMoreShare()).isEqualTo(1);
    assertThat(stored.bytesMean()).isEqualTo(4.0 * BYTES);

    use.read(stores.file("/goes", BYTES, null), 12);
    assertThat(use.number("/goes")).isEqualTo(1);
    assertThat(use.end(10, 20).exists(1)).isTrue();
  }

  /** Its replicas are in both stores then, and none of them serves more readers at once. */
  @Test
  void aFileOnItsWayToTheSecondaryStoreIsNotOneWithMoreReplicas() {
    TwoStores stores = new TwoStores("500 GB");
    InputUse use = new InputUse(stores.namespace);
    InputStorage storage = new InputStorage(stores.namespace, use, stores.store);
    StoredFile file = stores.file("/file", BYTES, null);
    use.read(file, 1);
    stores.changes.want(file, DecisionEngine.SECONDARY);
    storage.count();

    assertThat(file.replication()).as("before it is there").isEqualTo(4);
    assertThat(storage.result().filesWithMoreShare()).isZero();
    assertThat(storage.result().filesInSecondaryShare()).isEqualTo(1);
  }
}
