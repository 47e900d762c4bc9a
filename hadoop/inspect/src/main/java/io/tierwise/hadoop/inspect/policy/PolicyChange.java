package io.tierwise.hadoop.inspect.policy;

import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;

/** Puts a path under a policy: its attributes in canonical form, and since when they hold. */
public final class PolicyChange {
  private PolicyChange() {}

  /** Sets the attributes of a path. All were checked before. */
  public static void set(
      DistributedFileSystem fs,
      Path full,
      Map<String, String> attributes,
      NameNodePlugin.Answer active)
      throws IOException {
    String specification = attributes.get(PathPolicy.PLACEMENT_ATTRIBUTE);
    boolean isMarked = false;
    if (specification != null && active.runs()) {
      Map<String, byte[]> present = fs.getXAttrs(full);
      if (!isThere(present, full, specification)) {
        // Before the policy: when the second call fails, this one belongs to no policy.
        fs.setXAttr(
            full, PolicySince.ATTRIBUTE, PolicySince.of(active.status(), specification).value());
        isMarked = !present.containsKey(PolicySince.ATTRIBUTE);
      }
    }
    try {
      // One after the other: HDFS sets one attribute a call. All were checked before.
      for (Map.Entry<String, String> one : attributes.entrySet()) {
        fs.setXAttr(full, one.getKey(), one.getValue().getBytes(StandardCharsets.UTF_8));
      }
    } catch (RemoteException e) {
      if (isMarked) {
        takeBack(fs, full, e);
      }
      throw e;
    }
  }

  /** HDFS refused the policy, as for too many attributes: the mark would take somebody's place. */
  private static void takeBack(DistributedFileSystem fs, Path full, RemoteException refusal) {
    try {
      fs.removeXAttr(full, PolicySince.ATTRIBUTE);
    } catch (IOException e) {
      refusal.addSuppressed(e);
    }
  }

  /** Set again it holds since the first time, or since when nobody knows. */
  private static boolean isThere(Map<String, byte[]> present, Path full, String specification) {
    return PathPolicy.ownPlacement(full.toUri().getPath(), present)
        .map(PathPolicy::specification)
        .filter(specification::equals)
        .isPresent();
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
