package io.tierwise.hadoop.inspect.policy;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Puts a path under a policy: its attributes in canonical form, and since when they hold. */
public final class PolicyChange {
  private PolicyChange() {}

  /**
   * The attributes to set, their specifications in canonical form.
   *
   * @param placement null: none
   * @param access null: none
   * @throws IllegalArgumentException when a specification is wrong
   */
  public static Map<String, String> attributes(
      String placement, String access, TierConfiguration tiers) {
    Map<String, String> attributes = new LinkedHashMap<>();
    if (placement != null) {
      boolean stock = placement.strip().equals(PathPolicy.STOCK);
      attributes.put(
          PathPolicy.PLACEMENT_ATTRIBUTE,
          stock
              ? PathPolicy.STOCK
              : PlacementPolicies.parse(placement, tiers.table(), tiers.layouts()).name());
    }
    if (access != null) {
      attributes.put(PathPolicy.ACCESS_ATTRIBUTE, AccessStrategies.parse(access).name());
    }
    return attributes;
  }

  /** Sets the attributes of a path. All were checked before. */
  public static void set(
      DistributedFileSystem fs,
      Path full,
      Map<String, String> attributes,
      NameNodePlugin.Answer active)
      throws IOException {
    String specification = attributes.get(PathPolicy.PLACEMENT_ATTRIBUTE);
    if (specification != null && active.runs() && !isThereAlready(fs, full, specification)) {
      // Before the policy: when the second call fails, this one belongs to no policy.
      fs.setXAttr(
          full, PolicySince.ATTRIBUTE, PolicySince.of(active.status(), specification).value());
    }
    // One after the other: HDFS sets one attribute a call. All were checked before.
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      fs.setXAttr(full, attribute.getKey(), attribute.getValue().getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Set again it holds since the first time, or since when nobody knows. */
  private static boolean isThereAlready(DistributedFileSystem fs, Path full, String specification)
      throws IOException {
    return PathPolicy.ownPlacement(full.toUri().getPath(), fs.getXAttrs(full))
        .map(PathPolicy::specification)
        .filter(specification::equals)
        .isPresent();
  }

  /** NameNodes beside the active one that would not obey a policy, a line each. */
  public static List<String> notObeyedBy(NameNodePlugin plugin, NameNodePlugin.Answer active)
      throws IOException {
    List<String> notes = new ArrayList<>();
    for (NameNodePlugin.Answer other : plugin.ofOthers(active)) {
      if (!other.runs()) {
        boolean missing = other.state() == NameNodePlugin.State.MISSING;
        notes.add(
            "the NameNode "
                + other.nameNode()
                + (missing
                    ? " runs without the Tierwise plug-in: after a failover to it the policy"
                        + " is not obeyed"
                    : " could not be asked for the plug-in (" + other.problem() + ")"));
      }
    }
    return notes;
  }

  /**
   * Removes those of these attributes that a path has.
   *
   * @param dryRun whether to remove nothing
   * @return the names that are, or would be, removed
   */
  public static List<String> unset(
      DistributedFileSystem fs, Path full, List<String> attributes, boolean dryRun)
      throws IOException {
    List<String> removed = new ArrayList<>();
    Map<String, byte[]> present = fs.getXAttrs(full);
    for (String attribute : attributes) {
      if (present.containsKey(attribute)) {
        if (!dryRun) {
          fs.removeXAttr(full, attribute);
        }
        removed.add(attribute);
      }
    }
    return removed;
  }

  /** The attributes of a placement, of an access strategy, or of both. */
  public static List<String> attributesOf(boolean placement, boolean access) {
    List<String> wanted = new ArrayList<>();
    if (placement) {
      wanted.add(PathPolicy.PLACEMENT_ATTRIBUTE);
      wanted.add(PolicySince.ATTRIBUTE);
    }
    if (access) {
      wanted.add(PathPolicy.ACCESS_ATTRIBUTE);
    }
    return wanted;
  }
}
