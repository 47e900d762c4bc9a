package io.tierwise.simulator.measure;

/**
 * The work of a monitor.
 *
 * @param walks over all files
 * @param foundBlocks that were off their layout, each as often as it was repaired or found anew
 * @param repairedBlocks of these
 * @param failedAttempts to repair a block; it is tried again later
 * @param longestSeconds from when a block was found to when its replicas were in place
 * @param waitingBlocks at the end
 * @param waitingBytes of replicas that should be elsewhere, at the end
 * @param leftToEngineBlocks at the last walk: HDFS copies or drops replicas of them
 * @param moves of all repairs
 */
public record RepairResult(
    long walks,
    long foundBlocks,
    long repairedBlocks,
    long failedAttempts,
    double longestSeconds,
    long waitingBlocks,
    long waitingBytes,
    long leftToEngineBlocks,
    MovementResult moves) {}
