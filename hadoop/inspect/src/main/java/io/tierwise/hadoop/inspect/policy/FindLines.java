package io.tierwise.hadoop.inspect.policy;

import io.tierwise.hadoop.inspect.compliance.Compliance;
import io.tierwise.hadoop.inspect.compliance.FileJudge;

/** The finds below a path, line by line, as data; null where there is nothing to say. */
public final class FindLines {
  private FindLines() {}

  /** A path that carries a policy, or a rule's pattern. */
  public record PathLine(
      String kind,
      String path,
      String placement,
      String origin,
      String since,
      String malformed,
      Compliance compliance) {}

  public record AccessLine(String kind, String path, String access) {}

  public record FileLine(
      String kind, String path, String placement, String origin, Compliance compliance) {}

  public record UnreadableLine(String kind, String path) {}

  public record TotalLine(
      String kind,
      String path,
      long files,
      long unreadable,
      String tierTable,
      Compliance compliance) {}

  /** A path that carries a policy, or a rule's pattern, with what is under it. */
  public static PathLine path(
      String at, PathPolicy policy, FileJudge.Reading reading, Compliance compliance) {
    return new PathLine(
        "path",
        at,
        policy.specification(),
        policy.origin(),
        policy.since() == null ? null : policy.since().time().toString(),
        reading.problem(),
        reading.stock() ? null : compliance);
  }

  /** A directory that carries an access strategy. */
  public static AccessLine access(String at, String specification) {
    return new AccessLine("access", at, specification);
  }

  /** A file that is not all on its tier. */
  public static FileLine file(String at, PathPolicy policy, Compliance compliance) {
    return new FileLine("file", at, policy.specification(), policy.origin(), compliance);
  }

  /** The paths that may not be read. */
  public static UnreadableLine unreadable(String at) {
    return new UnreadableLine("unreadable", at);
  }

  /** The sums. */
  public static TotalLine total(String at, ManagedPaths managed, String tierTable) {
    return new TotalLine(
        "total", at, managed.files(), managed.unreadable(), tierTable, managed.total());
  }
}
