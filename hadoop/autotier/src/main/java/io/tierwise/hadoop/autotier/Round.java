package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Words;
import java.util.List;

/**
 * A round that was made.
 *
 * @param ids of its runs in the journal
 * @param until the end of the window that it was decided by
 * @param changed files
 * @param comingBytes of replicas that HDFS copies by itself
 * @param goingBytes of replicas that it drops
 * @param movedReplicas between tiers
 * @param offloadedFiles to the secondary store
 * @param recalledFiles from there
 * @param shares of directories that follow the use of their files; a change that was not made is
 *     among those that are left
 * @param left changes that were planned and not made, by reason
 * @param stopped whether it was ended before its end
 */
public record Round(
    List<String> ids,
    String until,
    long changed,
    long comingBytes,
    long goingBytes,
    long movedReplicas,
    long movedBytes,
    long offloadedFiles,
    long offloadedBytes,
    long recalledFiles,
    long recalledBytes,
    List<ShareChoice> shares,
    List<RoundPlan.Left> left,
    boolean stopped) {
  public Round {
    ids = List.copyOf(ids);
    shares = shares == null ? List.of() : List.copyOf(shares);
    left = List.copyOf(left);
  }

  /** For people. */
  public String text() {
    StringBuilder text =
        new StringBuilder(Words.count(changed, "file"))
            .append(changed == 1 ? " has" : " have")
            .append(" another number of replicas: ")
            .append(Words.bytes(comingBytes))
            .append(" come, ")
            .append(Words.bytes(goingBytes))
            .append(" go");
    if (movedReplicas > 0) {
      text.append("; ")
          .append(Words.count(movedReplicas, "replica"))
          .append(movedReplicas == 1 ? " has" : " have")
          .append(" another tier: ")
          .append(Words.bytes(movedBytes));
    }
    if (offloadedFiles > 0) {
      text.append("; ")
          .append(Words.count(offloadedFiles, "file"))
          .append(offloadedFiles == 1 ? " is" : " are")
          .append(" in the secondary store: ")
          .append(Words.bytes(offloadedBytes));
    }
    if (recalledFiles > 0) {
      text.append("; ")
          .append(Words.count(recalledFiles, "file"))
          .append(recalledFiles == 1 ? " is" : " are")
          .append(" back from the secondary store: ")
          .append(Words.bytes(recalledBytes));
    }
    shares.forEach(share -> text.append("; share of ").append(share.text()));
    left.forEach(one -> text.append("; left: ").append(one.text()));
    return text.append(ids.isEmpty() ? "" : " (journal: " + String.join(", ", ids) + ")")
        .toString();
  }
}
