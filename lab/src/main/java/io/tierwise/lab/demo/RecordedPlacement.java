package io.tierwise.lab.demo;

import io.tierwise.core.action.Place;
import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.action.Place.GivenUp;
import io.tierwise.core.data.Layout;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Puts blocks where those of a real run are. */
record RecordedPlacement(RunRecord run) implements PlacementPolicy {
  @Override
  public String name() {
    return "recorded";
  }

  /** The file's number in the simulator holds the task that writes it. */
  static int taskOf(long fileId) {
    return (int) (fileId >>> Integer.SIZE);
  }

  @Override
  public Place place(PlacementRequest request, ClusterView view, RandomGenerator random) {
    FileView file = request.file();
    List<Choice> choices = new ArrayList<>();
    for (RunRecord.Replica replica :
        run.blocks().get(taskOf(file.fileId())).get((int) file.dataSetBlockIndex())) {
      choices.add(new Choice(volume(replica, view), wish(replica), GivenUp.NOTHING));
    }
    return new Place(name(), choices);
  }

  private static Layout.Slot wish(RunRecord.Replica replica) {
    return Layout.Slot.inTier(replica.tier(), Layout.Spread.ANYWHERE);
  }

  private static int volume(RunRecord.Replica replica, ClusterView view) {
    for (int volume = 0; volume < view.volumeCount(); volume++) {
      if (view.nodeOfVolume(volume) == replica.node()
          && view.tierOfVolume(volume) == replica.tier()) {
        return volume;
      }
    }
    throw new IllegalStateException("the twin has no " + replica);
  }

  @Override
  public int[] chooseExcess(int[] volumes, FileView file, int replicaCount, ClusterView view) {
    return IntStream.range(replicaCount, volumes.length).toArray();
  }
}
