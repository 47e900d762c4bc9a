package io.tierwise.profiles;

import io.tierwise.core.message.Words;

/**
 * What an import found.
 *
 * @param added runs that are new
 * @param known runs that the catalog had
 * @param unfinished logs of applications that still run, or were killed
 * @param otherFiles of folders, that are no history
 * @param refused logs that cannot be used
 */
public record ImportAnswer(int added, int known, int unfinished, int otherFiles, int refused) {
  /** The answer as a sentence. */
  public String text() {
    return "added "
        + Words.count(added, "run")
        + "; "
        + known
        + " were there, "
        + Words.count(unfinished, "log")
        + " of running applications, "
        + Words.count(otherFiles, "other file")
        + " and "
        + Words.count(refused, "log")
        + " that cannot be used left out";
  }
}
