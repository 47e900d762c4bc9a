package io.tierwise.simulator.hardware;

/**
 * The published figures of a device. A figure that was not found is {@link Double#NaN}, never a
 * guess.
 *
 * @param deviceClass kind and year
 * @param readBytesPerSecond sequential; the best when a range is published, as {@code note} says
 * @param writeBytesPerSecond sequential
 * @param note what was published, when it is not one figure; else empty
 * @param secondary whether the source is a summary of another one
 */
public record DeviceFigures(
    String name,
    String deviceClass,
    double readBytesPerSecond,
    double writeBytesPerSecond,
    double wattsIdle,
    double wattsActive,
    String note,
    String source,
    boolean secondary) {}
