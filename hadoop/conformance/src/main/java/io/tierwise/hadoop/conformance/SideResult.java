package io.tierwise.hadoop.conformance;

import java.util.List;

/**
 * The result of one side, compared with stock.
 *
 * @param classes those that the side can hold
 * @param comparisons one for each class, in the same order
 */
record SideResult(Side side, List<TestClass> classes, List<Comparison> comparisons) {}
