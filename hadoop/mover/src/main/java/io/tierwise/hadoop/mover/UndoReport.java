package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Words;
import java.util.ArrayList;
import java.util.List;

/**
 * The report of an undo, or of a dry one.
 *
 * @param id of this run in the journal; null when nothing was changed
 * @param undoes the run that is taken back
 * @param policies and storage policies that stand on paths again as before
 * @param files that have their number of replicas again
 * @param changesLeft what of these has changed since
 * @param moves null when the run moved nothing
 */
public record UndoReport(
    String id,
    String undoes,
    long policies,
    long files,
    List<MoverReport.Left> changesLeft,
    MoverReport moves) {
  /** Whether all was, or would be, taken back. */
  public boolean complete() {
    return changesLeft.isEmpty() && (moves == null || moves.complete());
  }

  /** The changes beside moves, for people: a line for what is taken back, and each that is left. */
  public List<String> lines(boolean plan) {
    List<String> lines = new ArrayList<>();
    if (policies + files > 0 || moves == null) {
      lines.add(
          (plan ? "would take back " : "took back ")
              + Words.count(policies, "policy")
              + " and the number of replicas of "
              + Words.count(files, "file"));
    }
    for (MoverReport.Left left : changesLeft) {
      long paths = left.amount().replicas();
      lines.add(
          "- "
              + (paths == 1 ? "left as it is: " : paths + " paths left as they are: ")
              + Words.plain(left.reason())
              + "; for example "
              + Words.plain(left.example()));
    }
    return lines;
  }
}
