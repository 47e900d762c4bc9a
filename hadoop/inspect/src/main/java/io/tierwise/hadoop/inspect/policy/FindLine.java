package io.tierwise.hadoop.inspect.policy;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.compliance.Compliance;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import java.util.Locale;

/** One find below a path, as data; null where there is nothing to say. */
public sealed interface FindLine {
  /** How wide columns are. */
  String ROW = "%8s %8s %10s %10s  %s  %s";

  /** The titles above the lines' {@link #text}. */
  String HEAD = String.format(ROW, "blocks", "bytes", "files", "off tier", "path", "policy");

  /** The path that it is about, or a rule's pattern. */
  String path();

  /** The policy that stands there, for people. */
  String policyText();

  /** The part that is where the policy wants it; null when that is not asked. */
  Compliance compliance();

  /**
   * The line for people, below {@link #HEAD}. No table: lines are printed as they are found, and
   * how wide the longest path is nobody knows yet.
   */
  default String text() {
    Compliance counts = compliance();
    return String.format(
        Locale.ROOT,
        ROW,
        counts == null ? "-" : Compliance.percent(counts.getBlockShare()),
        counts == null ? "-" : Compliance.percent(counts.getByteShare()),
        counts == null ? "-" : counts.getFiles(),
        counts == null ? "-" : counts.getFilesOffTier(),
        Words.plain(path()),
        Words.plain(policyText()));
  }

  /** A path that carries a policy, or a rule's pattern, with what is under it. */
  record OfPath(
      String kind,
      String path,
      String placement,
      String origin,
      String since,
      String malformed,
      Compliance compliance)
      implements FindLine {
    static OfPath of(
        String at, PathPolicy policy, FileJudge.Reading reading, Compliance compliance) {
      return new OfPath(
          "path",
          at,
          policy.specification(),
          policy.origin(),
          policy.since() == null ? null : policy.since().time().toString(),
          reading.problem(),
          reading.stock() ? null : compliance);
    }

    @Override
    public String policyText() {
      return malformed == null ? placement : placement + "  ignored: " + malformed;
    }
  }

  /** A directory that carries an access strategy. */
  record OfAccess(String kind, String path, String access) implements FindLine {
    OfAccess(String path, String access) {
      this("access", path, access);
    }

    @Override
    public String policyText() {
      return "access " + access;
    }

    @Override
    public Compliance compliance() {
      return null;
    }
  }

  /** A file that is not all on its tier. */
  record OfFile(String kind, String path, String placement, String origin, Compliance compliance)
      implements FindLine {
    OfFile(String path, PathPolicy policy, Compliance compliance) {
      this("file", path, policy.specification(), policy.origin(), compliance);
    }

    @Override
    public String policyText() {
      return placement;
    }
  }

  /** A path that may not be read. */
  record Unreadable(String kind, String path) {
    public Unreadable(String path) {
      this("unreadable", path);
    }
  }

  /** A directory above that may be passed through and not read. */
  record PassedThrough(String kind, String path) {
    public PassedThrough(String path) {
      this("passed_through", path);
    }
  }

  /** The sums. */
  record Total(
      String kind,
      String path,
      long files,
      long unreadable,
      String tierTable,
      Compliance compliance) {}
}
