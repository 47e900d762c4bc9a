package io.tierwise.hadoop.conformance;

import java.util.List;

/**
 * One test on both sides.
 *
 * @param stock outcome of each attempt, in order; empty when the side was not run
 * @param ours likewise
 * @param detail the last failure's stack trace, ours if there is one, else stock's, else empty
 */
public record TestComparison(
    String test, List<Outcome> stock, List<Outcome> ours, Verdict verdict, String detail) {}
