package io.tierwise.hadoop.inspect.audit;

/**
 * Counts of what was read of an audit log.
 *
 * @param lines all of them
 * @param accesses lines that were handed on
 * @param refused attempts without the permission, which were not
 * @param corrupt lines that do not belong to the log, or are incomplete
 * @param firstCorrupt where the first of these stands, why it counts as one, and its begin; empty
 *     when there is none
 */
public record AuditCounts(
    long lines, long accesses, long refused, long corrupt, String firstCorrupt) {
  /** Of nothing. */
  static final AuditCounts NONE = new AuditCounts(0, 0, 0, 0, "");

  /** The counts of both. */
  AuditCounts plus(AuditCounts more) {
    return new AuditCounts(
        lines + more.lines,
        accesses + more.accesses,
        refused + more.refused,
        corrupt + more.corrupt,
        firstCorrupt.isEmpty() ? more.firstCorrupt : firstCorrupt);
  }
}
