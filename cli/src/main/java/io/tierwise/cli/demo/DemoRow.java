package io.tierwise.cli.demo;

import io.tierwise.cli.bench.BenchRow;
import java.util.List;

/**
 * A row of the demo with what happened in its repeats.
 *
 * @param row the figures
 * @param runs one a repeat
 * @param sources by repeat, task and block the node that served the read
 */
record DemoRow(BenchRow row, List<RunRecord> runs, List<List<List<Integer>>> sources) {}
