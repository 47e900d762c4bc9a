package io.tierwise.benchmarks.simulator;

import java.io.IOException;

/** One part of the benchmark: prints its rows and adds its figures. */
interface Section {
  void measure(Figures figures) throws IOException, InterruptedException;
}
