package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An order to move files, and where to.
 *
 * @param paths files and directories, as the NameNode knows them; one below another is left out
 * @param layout that all blocks below them should have; empty where each should follow the policy
 *     that its file is under
 * @param assumed the policies that paths will have of their own by then, instead of what they have
 * @param fileIds the files that are meant, by path: another one that has taken a path, or a
 *     directory, is left alone; empty for whatever is there
 * @param storagePolicies of HDFS that files are given first, by path, so that it keeps what is
 *     moved
 */
public record MoveOrder(
    List<String> paths,
    Optional<PlacementPolicy> layout,
    Map<String, String> assumed,
    Map<String, Long> fileIds,
    Map<String, String> storagePolicies) {
  public MoveOrder {
    paths = NamespaceWalk.outermost(paths);
    assumed = Map.copyOf(assumed);
    fileIds = Map.copyOf(fileIds);
    storagePolicies = Map.copyOf(storagePolicies);
  }

  public MoveOrder(
      List<String> paths, Optional<PlacementPolicy> layout, Map<String, String> assumed) {
    this(paths, layout, assumed, Map.of(), Map.of());
  }

  public MoveOrder(List<String> paths, Optional<PlacementPolicy> layout) {
    this(paths, layout, Map.of());
  }

  /**
   * An order as a person gives it.
   *
   * @param to a layout or a placement policy, or {@code policy} for each file's own
   */
  public static MoveOrder to(String to, List<String> paths, TierConfiguration tiers) {
    if (to.equals("policy")) {
      return new MoveOrder(paths, Optional.empty());
    }
    String specification = PlacementPolicies.ofLayoutOrPolicy(to);
    return new MoveOrder(
        paths, Optional.of(PlacementPolicies.parse(specification, tiers.table(), tiers.layouts())));
  }

  /** The same for these files alone, by path. */
  public MoveOrder only(Map<String, Long> files) {
    return new MoveOrder(paths, layout, assumed, files, storagePolicies);
  }

  /** The same, and these files are given a storage policy first. */
  public MoveOrder under(Map<String, String> policies) {
    return new MoveOrder(paths, layout, assumed, fileIds, policies);
  }

  /** Whether a person named the paths; else they were found. */
  boolean isNamed() {
    return assumed.isEmpty() && fileIds.isEmpty();
  }

  /** Whether the file at a path is meant. */
  boolean means(String path, long fileId) {
    return fileIds.isEmpty() || fileIds.getOrDefault(path, -1L).longValue() == fileId;
  }

  /** Each file by the policy that it will be under when these stand on their paths. */
  public static MoveOrder assuming(Map<String, String> policies) {
    return new MoveOrder(List.copyOf(policies.keySet()), Optional.empty(), policies);
  }

  /** The attributes of a path, with the policy that it is assumed to have. */
  Map<String, byte[]> attributes(String path, Map<String, byte[]> found) {
    String policy = assumed.get(path);
    if (policy == null) {
      return found;
    }
    Map<String, byte[]> attributes = new HashMap<>(found);
    attributes.put(PathPolicy.PLACEMENT_ATTRIBUTE, policy.getBytes(StandardCharsets.UTF_8));
    return attributes;
  }
}
