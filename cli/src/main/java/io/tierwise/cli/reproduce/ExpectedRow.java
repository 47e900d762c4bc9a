package io.tierwise.cli.reproduce;

/**
 * A line of {@code expected.csv}.
 *
 * @param where section and words of the paper
 */
record ExpectedRow(RowKey key, Printed printed, String unit, String where) {}
