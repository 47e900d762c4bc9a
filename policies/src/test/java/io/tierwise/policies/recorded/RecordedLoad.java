package io.tierwise.policies.recorded;

import io.tierwise.core.view.LoadView;
import java.util.stream.IntStream;

/** How busy the nodes of a cluster were at one instant, as a policy saw it; each list by node. */
public record RecordedLoad(int[] reported, long[] agesMillis, double[] shuffles)
    implements LoadView {

  /** Records the view of so many nodes as it is now. */
  public static RecordedLoad of(LoadView load, int nodeCount) {
    return new RecordedLoad(
        IntStream.range(0, nodeCount).map(load::transfers).toArray(),
        IntStream.range(0, nodeCount).mapToLong(load::ageMillis).toArray(),
        IntStream.range(0, nodeCount).mapToDouble(load::shuffleBytesPerSecond).toArray());
  }

  @Override
  public int transfers(int node) {
    return reported[node];
  }

  @Override
  public long ageMillis(int node) {
    return agesMillis[node];
  }

  @Override
  public double shuffleBytesPerSecond(int node) {
    return shuffles[node];
  }
}
