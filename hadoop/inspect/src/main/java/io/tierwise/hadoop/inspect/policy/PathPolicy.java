package io.tierwise.hadoop.inspect.policy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.tierwise.hadoop.hdfs.tiers.PathRule;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * The specification that a path is under and where it comes from: the nearest extended attribute on
 * the path or a directory above it, else the first rule of the tier table that matches.
 *
 * @param specification the policy's or strategy's text, as it stands there
 * @param origin where it stands, for people
 * @param ownAttribute whether it stands on the path itself
 * @param since when it was put there; null when that is not known
 */
public record PathPolicy(
    String specification, String origin, boolean ownAttribute, @JsonIgnore PolicySince since) {
  /** How the names of all our attributes begin. */
  public static final String ATTRIBUTE_PREFIX = "user.tierwise.";

  /** Attribute that holds a placement specification. */
  public static final String PLACEMENT_ATTRIBUTE = ATTRIBUTE_PREFIX + "placement";

  /** Attribute that holds an access specification. */
  public static final String ACCESS_ATTRIBUTE = ATTRIBUTE_PREFIX + "access";

  /** The specification that leaves a path to stock HDFS. */
  public static final String STOCK = "stock";

  private static final String SNAPSHOTS = ".snapshot";

  public PathPolicy(String specification, String origin, boolean ownAttribute) {
    this(specification, origin, ownAttribute, null);
  }

  /** The placement of a path; empty for one under no policy, which stock HDFS places. */
  public static Optional<PathPolicy> placement(
      DistributedFileSystem fs, Path path, TierConfiguration tiers) throws IOException {
    return placementAttribute(fs, path)
        .or(() -> tiers.placementRule(plain(live(path))).map(rule -> of(rule, tiers)));
  }

  /** The placement that the nearest attribute on the path or above it names. */
  public static Optional<PathPolicy> placementAttribute(DistributedFileSystem fs, Path path)
      throws IOException {
    return attribute(fs, live(path), PLACEMENT_ATTRIBUTE, refuse());
  }

  /**
   * The same where some directories above may only be passed through, so that what they name is not
   * known.
   *
   * @param unknown is told those; they are taken for directories without an attribute
   */
  public static Optional<PathPolicy> placementAttribute(
      DistributedFileSystem fs, Path path, Consumer<Path> unknown) throws IOException {
    return attribute(fs, live(path), PLACEMENT_ATTRIBUTE, (at, e) -> unknown.accept(at));
  }

  /** What to do about a path whose attributes this user may not read. */
  private interface Refusal {
    void of(Path path, AccessControlException e) throws AccessControlException;
  }

  private static Refusal refuse() {
    return (path, e) -> {
      throw e;
    };
  }

  /** The placement that a rule names, where there is one. */
  public static Optional<PathPolicy> placementRule(
      Optional<PathRule> rule, TierConfiguration tiers) {
    return rule.map(found -> of(found, tiers));
  }

  /** A rule as the placement policy of a path. */
  static PathPolicy of(PathRule rule, TierConfiguration tiers) {
    return of(rule, PathRule::placement, tiers);
  }

  /**
   * The access strategy of a path; empty where the client's configuration decides. An attribute of
   * a file itself does not count: clients look at directories.
   */
  public static Optional<PathPolicy> access(
      DistributedFileSystem fs, Path path, TierConfiguration tiers) throws IOException {
    return accessAttribute(fs, path).or(() -> accessRule(path, tiers));
  }

  /** The strategy that the attribute of the nearest directory names. */
  public static Optional<PathPolicy> accessAttribute(DistributedFileSystem fs, Path path)
      throws IOException {
    Path from = fs.getFileStatus(path).isFile() ? path.getParent() : path;
    return attribute(fs, from, ACCESS_ATTRIBUTE, refuse());
  }

  /** The strategy that the first matching rule names. */
  public static Optional<PathPolicy> accessRule(Path path, TierConfiguration tiers) {
    return tiers.accessRule(plain(path)).map(rule -> of(rule, PathRule::access, tiers));
  }

  /** The placement that stands on {@code path} itself, among its attributes. */
  public static Optional<PathPolicy> ownPlacement(String path, Map<String, byte[]> attributes) {
    return own(path, attributes, PLACEMENT_ATTRIBUTE);
  }

  /** The access strategy that stands on {@code path} itself, among its attributes. */
  public static Optional<PathPolicy> ownAccess(String path, Map<String, byte[]> attributes) {
    return own(path, attributes, ACCESS_ATTRIBUTE);
  }

  /** The same, for a path below. */
  public PathPolicy inherited() {
    return new PathPolicy(specification, origin, false, since);
  }

  private static Optional<PathPolicy> own(
      String path, Map<String, byte[]> attributes, String name) {
    byte[] value = attributes.get(name);
    if (value == null) {
      return Optional.empty();
    }
    String specification = new String(value, StandardCharsets.UTF_8);
    byte[] since = attributes.get(PolicySince.ATTRIBUTE);
    PolicySince known =
        since == null || !name.equals(PLACEMENT_ATTRIBUTE)
            ? null
            : PolicySince.parse(since, specification).orElse(null);
    return Optional.of(
        new PathPolicy(specification, "attribute " + name + " of " + path, true, known));
  }

  private static PathPolicy of(
      PathRule rule, Function<PathRule, String> part, TierConfiguration tiers) {
    String origin = "rule for " + rule.pattern() + " in " + tiers.source();
    return new PathPolicy(part.apply(rule), origin, false);
  }

  private static Optional<PathPolicy> attribute(
      DistributedFileSystem fs, Path path, String attribute, Refusal refusal) throws IOException {
    for (Path at = path; at != null; at = at.getParent()) {
      Optional<PathPolicy> own = own(plain(at), attributes(fs, at, refusal), attribute);
      if (own.isPresent()) {
        PathPolicy found = own.get();
        return at.equals(path) ? own : Optional.of(found.inherited());
      }
    }
    return Optional.empty();
  }

  /**
   * Of a file that only a snapshot holds any more nothing stands at its old path; above its mounts
   * a Router has no name service to ask.
   */
  private static Map<String, byte[]> attributes(
      DistributedFileSystem fs, Path path, Refusal refusal) throws IOException {
    try {
      return fs.getXAttrs(path);
    } catch (FileNotFoundException e) {
      return Map.of();
    } catch (AccessControlException e) {
      refusal.of(path, e);
      return Map.of();
    } catch (RemoteException e) {
      // A plain IOException on the Router's side: only its text tells.
      if (e.getMessage().startsWith("Cannot find locations for ")) {
        return Map.of();
      }
      throw e;
    }
  }

  /**
   * The path whose policy holds: for what a snapshot keeps, the path that it was taken of, because
   * that is where the NameNode looks when it restores a replica.
   */
  public static Path live(Path path) {
    for (Path at = path; at != null; at = at.getParent()) {
      Path parent = at.getParent();
      if (parent != null && parent.getName().equals(SNAPSHOTS) && parent.getParent() != null) {
        String rest = plain(path).substring(plain(at).length());
        return rest.isEmpty()
            ? parent.getParent()
            : new Path(parent.getParent(), rest.substring(1));
      }
    }
    return path;
  }

  private static String plain(Path path) {
    return Path.getPathWithoutSchemeAndAuthority(path).toString();
  }
}
