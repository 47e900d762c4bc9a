package io.tierwise.hadoop.autotier;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.tierwise.core.message.Words;
import io.tierwise.policies.placement.ShareByUse;

/**
 * The share of the first zone that a directory's {@code zone-ratio} policy gets, or keeps.
 *
 * @param before the policy's text
 * @param after the same text where it stays
 * @param windowSeconds in which its use was looked at
 * @param readBytes of its files in that time
 * @param writtenBytes likewise, once for all replicas
 * @param secondsBefore for each GB that is read or written, waiting included; null where nobody
 *     knows, or devices do not keep up
 * @param secondsAfter the same with the best share, whether it is taken or not
 * @param why a sentence
 */
public record ShareChoice(
    String path,
    @JsonIgnore long fileId,
    String before,
    String after,
    double windowSeconds,
    long readBytes,
    long writtenBytes,
    Double secondsBefore,
    Double secondsAfter,
    String why) {
  static ShareChoice of(
      DirectoryShares.Target target, ShareUse.Sum use, ShareByUse.Choice choice, String after) {
    return new ShareChoice(
        target.path(),
        target.fileId(),
        target.policy().name(),
        after,
        use.seconds(),
        Math.round(use.readBytes()),
        Math.round(use.writtenBytes()),
        known(choice.secondsBefore()),
        known(choice.secondsAfter()),
        choice.why());
  }

  private static Double known(double seconds) {
    return Double.isFinite(seconds) ? seconds : null;
  }

  /** Whether the policy gets another text. */
  public boolean changes() {
    return !before.equals(after);
  }

  /** For people. */
  String text() {
    return Words.plain(path)
        + (changes() ? ": " + before + " -> " + after : " stays at " + before)
        + ": "
        + why
        + " ("
        + Words.bytes(readBytes)
        + " read and "
        + Words.bytes(writtenBytes)
        + " written in "
        + Words.duration(windowSeconds)
        + (secondsBefore == null ? "" : "; " + Words.duration(secondsBefore) + " for each GB")
        + (changes() && secondsAfter != null ? ", then " + Words.duration(secondsAfter) : "")
        + ")";
  }
}
