package io.tierwise.profiles;

/**
 * A figure of a run to come.
 *
 * @param low of the interval that it falls into nine times of ten; null where there is none
 * @param high likewise
 */
public record Estimate(double expected, Double low, Double high) {}
