package io.tierwise.policies.access;

import static io.tierwise.policies.access.ArrayReadView.DISK;
import static io.tierwise.policies.access.ArrayReadView.NVME;
import static io.tierwise.policies.access.ArrayReadView.SSD;

import java.util.List;
import net.jqwik.api.Example;

class RandomAccessTest extends AccessStrategyContract {
  @Override
  protected List<AccessStrategy> strategies() {
    return List.of(new RandomAccess());
  }

  @Example
  void asksEachReplicaFirstEquallyOftenWhateverItsTierAndDistance() {
    ArrayReadView view = ArrayReadView.replicas(NVME, 0, SSD, 2, DISK, 4);
    FirstChoices.assertShares(new RandomAccess(), view, 1 / 3.0, 1 / 3.0, 1 / 3.0);
  }
}
