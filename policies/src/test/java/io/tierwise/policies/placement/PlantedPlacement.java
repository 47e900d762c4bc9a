package io.tierwise.policies.placement;

import io.tierwise.core.action.Place;
import io.tierwise.core.data.Layout;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Answers what a test says, whatever it is asked: for tests of hosts, that must not follow it.
 *
 * @param async replicas that it leaves for later
 * @param answer volumes that take a block, or indexes of the replicas that go; null for no answer
 */
public record PlantedPlacement(int async, List<Integer> answer) implements PlacementPolicy {
  /** Answers nothing. */
  public static final PlantedPlacement SILENT = new PlantedPlacement(0, null);

  public static PlantedPlacement of(int async, int... answer) {
    return new PlantedPlacement(async, IntStream.of(answer).boxed().toList());
  }

  @Override
  public String name() {
    return "planted";
  }

  @Override
  public Place place(PlacementRequest request, ClusterView view, RandomGenerator random) {
    if (answer == null) {
      return null;
    }
    Layout.Slot wanted = Layout.Slot.inTier(0, Layout.Spread.ANYWHERE);
    List<Place.Choice> choices =
        answer.stream()
            .map(volume -> new Place.Choice(volume, wanted, Place.GivenUp.NOTHING))
            .toList();
    return new Place(name(), choices, async);
  }

  @Override
  public int[] chooseExcess(int[] volumes, FileView file, int replicaCount, ClusterView view) {
    return answer == null ? null : answer.stream().mapToInt(Integer::intValue).toArray();
  }
}
