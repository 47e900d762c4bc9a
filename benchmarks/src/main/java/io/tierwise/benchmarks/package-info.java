/**
 * Benchmarks and the ranges in which their figures must be. Each package below is one {@code make
 * bench-*} target. Start reading at {@link io.tierwise.benchmarks.FigureRanges}.
 */
package io.tierwise.benchmarks;
