package io.tierwise.cli.policy;

import io.tierwise.hadoop.hdfs.tiers.PathRule;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The specification that a path is under and where it comes from: the nearest extended attribute on
 * the path or a directory above it, else the first rule of the tier table that matches.
 *
 * @param specification the policy's or strategy's text, as it stands there
 * @param origin where it stands, for people
 * @param ownAttribute whether it stands on the path itself
 */
public record PathPolicy(String specification, String origin, boolean ownAttribute) {
  /** Attribute that holds a placement specification. */
  public static final String PLACEMENT_ATTRIBUTE = "user.tierwise.placement";

  /** Attribute that holds an access specification. */
  public static final String ACCESS_ATTRIBUTE = "user.tierwise.access";

  /** The placement of a path; empty for one under no policy, which stock HDFS places. */
  public static Optional<PathPolicy> placement(
      DistributedFileSystem fs, Path path, TierConfiguration tiers) throws IOException {
    return find(
        fs,
        path,
        PLACEMENT_ATTRIBUTE,
        tiers.placementRule(plain(path)),
        PathRule::placement,
        tiers);
  }

  /**
   * The access strategy of a path; empty where the client's configuration decides. An attribute of
   * a file itself does not count: clients look at directories.
   */
  public static Optional<PathPolicy> access(
      DistributedFileSystem fs, Path path, TierConfiguration tiers) throws IOException {
    Path from = fs.getFileStatus(path).isFile() ? path.getParent() : path;
    return find(fs, from, ACCESS_ATTRIBUTE, tiers.accessRule(plain(path)), PathRule::access, tiers);
  }

  private static String plain(Path path) {
    return Path.getPathWithoutSchemeAndAuthority(path).toString();
  }

  private static Optional<PathPolicy> find(
      DistributedFileSystem fs,
      Path path,
      String attribute,
      Optional<PathRule> rule,
      Function<PathRule, String> part,
      TierConfiguration tiers)
      throws IOException {
    for (Path at = path; at != null; at = at.getParent()) {
      Map<String, byte[]> attributes = fs.getXAttrs(at);
      byte[] value = attributes.get(attribute);
      if (value != null) {
        return Optional.of(
            new PathPolicy(
                new String(value, StandardCharsets.UTF_8),
                "attribute " + attribute + " of " + plain(at),
                at.equals(path)));
      }
    }
    return rule.map(
        r ->
            new PathPolicy(
                part.apply(r), "rule for " + r.pattern() + " in " + tiers.source(), false));
  }
}
