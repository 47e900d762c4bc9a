package io.tierwise.policies.recorded;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ReadView;
import java.util.List;
import java.util.stream.IntStream;

/** The replicas of a block as an access strategy saw them at one instant, for one reader. */
public record RecordedReplicas(List<Tier> tierList, long nowMillis, List<RecordedReplica> replicas)
    implements ReadView {

  /** A replica; {@code path} is empty where the host knows none. */
  public record RecordedReplica(
      int tier,
      int distance,
      int activeTransfers,
      int reportedTransfers,
      int nodeKey,
      long capacityBytes,
      List<RecordedStep> path) {
    private RecordedReplica reporting(int transfers) {
      return new RecordedReplica(
          tier, distance, activeTransfers, transfers, nodeKey, capacityBytes, path);
    }
  }

  /** A resource that the bytes pass. */
  public record RecordedStep(long key, double bytesPerSecond, double shareOfSpeed) {}

  /** Records the view as it is now. */
  public static RecordedReplicas of(ReadView view) {
    return new RecordedReplicas(
        view.tiers().tiers(),
        view.nowMillis(),
        IntStream.range(0, view.replicaCount())
            .mapToObj(
                replica ->
                    new RecordedReplica(
                        view.tier(replica),
                        view.distance(replica),
                        view.activeTransfers(replica),
                        view.reportedTransfers(replica),
                        view.nodeKey(replica),
                        view.capacityBytes(replica),
                        path(view, replica)))
            .toList());
  }

  private static List<RecordedStep> path(ReadView view, int replica) {
    return IntStream.range(0, view.pathLength(replica))
        .mapToObj(
            step ->
                new RecordedStep(
                    view.pathKey(replica, step),
                    view.pathBytesPerSecond(replica, step),
                    view.shareOfSpeed(replica, step)))
        .toList();
  }

  /**
   * The same replicas in another order.
   *
   * @param numbers the number here of each replica there
   */
  public RecordedReplicas listedAs(int... numbers) {
    return new RecordedReplicas(
        tierList, nowMillis, IntStream.of(numbers).mapToObj(replicas::get).toList());
  }

  /**
   * The same replicas, whose nodes reported what they did in another view of them.
   *
   * @param other the same replicas in the same order
   */
  public RecordedReplicas withReportsOf(RecordedReplicas other) {
    return new RecordedReplicas(
        tierList,
        nowMillis,
        IntStream.range(0, replicas.size())
            .mapToObj(replica -> replicas.get(replica).reporting(other.reportedTransfers(replica)))
            .toList());
  }

  @Override
  public TierTable tiers() {
    return TierTable.ofTiers(tierList);
  }

  @Override
  public int replicaCount() {
    return replicas.size();
  }

  @Override
  public int tier(int replica) {
    return replicas.get(replica).tier();
  }

  @Override
  public int distance(int replica) {
    return replicas.get(replica).distance();
  }

  @Override
  public int activeTransfers(int replica) {
    return replicas.get(replica).activeTransfers();
  }

  @Override
  public int reportedTransfers(int replica) {
    return replicas.get(replica).reportedTransfers();
  }

  @Override
  public int nodeKey(int replica) {
    return replicas.get(replica).nodeKey();
  }

  @Override
  public long capacityBytes(int replica) {
    return replicas.get(replica).capacityBytes();
  }

  @Override
  public int pathLength(int replica) {
    return replicas.get(replica).path().size();
  }

  @Override
  public long pathKey(int replica, int step) {
    return replicas.get(replica).path().get(step).key();
  }

  @Override
  public double pathBytesPerSecond(int replica, int step) {
    return replicas.get(replica).path().get(step).bytesPerSecond();
  }

  @Override
  public double shareOfSpeed(int replica, int step) {
    return replicas.get(replica).path().get(step).shareOfSpeed();
  }
}
