/**
 * Benchmarks and the ranges in which their figures must be. Each package below is one {@code make
 * bench-*} target. Not here: the benches of {@code halo} and {@code bundleio}. Start reading at
 * {@link io.tierwise.benchmarks.FigureRanges}.
 */
package io.tierwise.benchmarks;
