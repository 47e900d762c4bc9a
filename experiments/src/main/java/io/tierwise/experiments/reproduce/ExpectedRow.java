package io.tierwise.experiments.reproduce;

/**
 * A line of {@code expected.csv}.
 *
 * @param where section and words of the paper
 */
public record ExpectedRow(RowKey key, Printed printed, String unit, String where) {}
