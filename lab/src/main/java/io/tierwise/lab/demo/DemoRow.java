package io.tierwise.lab.demo;

import io.tierwise.lab.dfsio.BenchRow;
import io.tierwise.lab.dfsio.DfsioFigures;
import io.tierwise.simulator.bound.ReadBound;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A row of the demo with what happened in its repeats.
 *
 * @param row the figures
 * @param runs one a repeat
 * @param sources by repeat, task and block the node that served the read
 */
public record DemoRow(BenchRow row, List<RunRecord> runs, List<List<List<Integer>>> sources) {
  /** The row with what each of its reads could reach at best. */
  public DemoRow bounded(Function<RunRecord, ReadBound> bounds) {
    List<DfsioFigures> reads = new ArrayList<>();
    for (int repeat = 0; repeat < row.reads().size(); repeat++) {
      reads.add(row.reads().get(repeat).withBound(bounds.apply(runs.get(repeat))));
    }
    return new DemoRow(
        new BenchRow(row.placement(), row.access(), row.writes(), reads), runs, sources);
  }
}
