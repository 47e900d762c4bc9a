package io.tierwise.hadoop.inspect.policy;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;

/**
 * The placement policy that holds for each file of a walk: by the nearest attribute on it or above
 * it, else by a rule of the tier table.
 */
public final class PolicyScopes {
  private record Scope(String path, PathPolicy policy) {}

  private final TierConfiguration tiers;
  private final Deque<Scope> scopes = new ArrayDeque<>();

  public PolicyScopes(TierConfiguration tiers) {
    this.tiers = tiers;
  }

  /** Forgets the last walk; {@code inherited} holds above the path at which the next begins. */
  public void begin(Optional<PathPolicy> inherited) {
    scopes.clear();
    inherited.ifPresent(policy -> scopes.push(new Scope("", policy.inherited())));
  }

  /** A directory, before what is in it. */
  public void enter(String path, Map<String, byte[]> attributes) {
    PathPolicy.ownPlacement(path, attributes)
        .ifPresent(policy -> scopes.push(new Scope(path, policy)));
  }

  /** A directory, after what is in it. */
  public void leave(String path) {
    if (!scopes.isEmpty() && scopes.peek().path().equals(path)) {
      scopes.pop();
    }
  }

  /** The policy of a file; empty for one under none. */
  public Optional<PathPolicy> of(String file, Map<String, byte[]> attributes) {
    return PathPolicy.ownPlacement(file, attributes)
        .or(() -> Optional.ofNullable(scopes.peek()).map(Scope::policy))
        .or(() -> tiers.placementRule(file).map(rule -> PathPolicy.of(rule, tiers)));
  }
}
