package io.tierwise.hadoop.hdfs.tiers;

import java.util.Objects;

/**
 * A policy for all paths that match a pattern. An extended attribute on the path or on a directory
 * above it is stronger.
 *
 * @param pattern absolute path pattern; {@code *} within a name, {@code **} across directories. A
 *     pattern without a wildcard stands for the path and all below it
 * @param placement placement specification, or null when the rule says nothing of placement
 * @param access access specification, or null when the rule says nothing of reads
 */
public record PathRule(String pattern, String placement, String access) {
  public PathRule {
    Objects.requireNonNull(pattern, "pattern");
    PathPattern.requireAbsolute(pattern);
    if (placement == null && access == null) {
      throw new IllegalArgumentException(
          "rule for \"" + pattern + "\" names neither placement nor access");
    }
  }

  public boolean matches(String path) {
    return new PathPattern(pattern).matches(path);
  }
}
