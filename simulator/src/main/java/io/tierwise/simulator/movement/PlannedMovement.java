package io.tierwise.simulator.movement;

import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.measure.MovementResult;
import io.tierwise.simulator.scenario.MovementSpec;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;
import java.util.List;
import java.util.regex.Pattern;

/** One movement of a scenario: sets the policy of its files and has what is stored moved to it. */
final class PlannedMovement implements MoverJob {
  private final MovementSpec spec;
  private final Namespace namespace;
  private final PlacementPolicy wanted;
  private final MovementTally tally;
  private MovementResult result;

  PlannedMovement(MovementSpec spec, VirtualCluster cluster, Namespace namespace) {
    this.spec = spec;
    this.namespace = namespace;
    this.wanted = PlacementPolicies.parse(spec.placement(), cluster.view().tiers());
    this.tally = new MovementTally(spec.path(), spec.placement(), spec.limits(), cluster.view());
  }

  double atSeconds() {
    return spec.atSeconds();
  }

  /** Whether it needs the mover: a policy alone is set at once. */
  boolean moves() {
    return spec.apply();
  }

  /** Its files get their policy, and nothing of them moves. */
  void setPolicyAlone(double nowSeconds) {
    setPolicy().forEach(file -> tally.file());
    result = tally.result(nowSeconds, 0, true);
  }

  private List<StoredFile> setPolicy() {
    Pattern path = PathPattern.below(spec.path());
    List<StoredFile> files =
        namespace.namedFiles().stream()
            .filter(file -> path.matcher(file.path()).matches())
            .toList();
    files.forEach(file -> file.setPolicy(wanted));
    return files;
  }

  @Override
  public MovementRun.Order begin() {
    return new MovementRun.Order(
        spec.limits(), spec.heartbeatSeconds(), NextBlock.of(setPolicy(), tally), tally);
  }

  @Override
  public void ended(MovementRun run) {
    result = tally.result(run.startSeconds(), run.seconds(), true);
  }

  boolean isOver() {
    return result != null;
  }

  /**
   * The result so far.
   *
   * @param run its own, or null when none is under way
   */
  MovementResult result(MovementRun run, double nowSeconds) {
    if (result != null) {
      return result;
    }
    return run == null
        ? tally.result(Double.NaN, 0, false)
        : tally.result(run.startSeconds(), nowSeconds - run.startSeconds(), false);
  }
}
