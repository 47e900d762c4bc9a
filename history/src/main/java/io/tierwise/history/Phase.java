package io.tierwise.history;

import java.util.Map;

/**
 * What all tasks of a phase did.
 *
 * @param startMillis when the first of its tasks started; 0 when nothing says so
 * @param endMillis when the last one ended
 * @param taskMillis what its tasks took, one after the other
 * @param readBytes of stored data
 * @param writtenBytes of stored data
 * @param spilledBytes written to local directories: intermediate data
 * @param shuffledBytes read of what other tasks left
 * @param tasksByHost where attempts ended well, and how many
 */
public record Phase(
    String name,
    long taskCount,
    long startMillis,
    long endMillis,
    long taskMillis,
    long cpuNanos,
    long readBytes,
    long writtenBytes,
    long spilledBytes,
    long shuffledBytes,
    Map<String, Long> tasksByHost) {}
