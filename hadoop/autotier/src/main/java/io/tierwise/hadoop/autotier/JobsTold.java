package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Words;

/**
 * What the daemon tells of jobs that wait. Counts go up since it began.
 *
 * @param waiting jobs now
 * @param looked jobs that were looked at
 * @param prefetched of them, whose input came
 * @param prefetchedBytes of replicas
 * @param leftBytes of replicas that went to make room
 * @param withdrawn jobs that waited for too long and had to give up their room
 * @param regionBytes that prefetched input and intermediate data may take
 * @param takenBytes of it, or promised
 * @param away a sentence while the ResourceManager does not answer; null while it does
 */
public record JobsTold(
    long waiting,
    long looked,
    long prefetched,
    long prefetchedBytes,
    long leftBytes,
    long withdrawn,
    long regionBytes,
    long takenBytes,
    String away) {
  /** For people. */
  String text() {
    return Words.count(waiting, "job")
        + (waiting == 1 ? " waits" : " wait")
        + "; input of "
        + Words.count(prefetched, "job")
        + " of "
        + looked
        + " was prefetched, "
        + Words.bytes(prefetchedBytes)
        + ", and "
        + Words.bytes(leftBytes)
        + " left; "
        + Words.bytes(takenBytes)
        + " of "
        + Words.bytes(regionBytes)
        + " are taken"
        + (withdrawn == 0
            ? ""
            : "; " + Words.count(withdrawn, "job") + " waited too long to hold room")
        + (away == null ? "" : "; " + Words.plain(away));
  }
}
