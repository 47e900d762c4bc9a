package io.tierwise.benchmarks.placement;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One decision of one contender; the cluster is handed over by {@link PlacementBench}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PlacementBenchmark {
  private static volatile Map<String, Contender> contenders = Map.of();

  @Param({})
  public String contender;

  private Contender chosen;

  /** The contenders of the next runs, by name; they run in this JVM. */
  static void use(Map<String, Contender> byName) {
    contenders = byName;
  }

  @Setup
  public void choose() {
    chosen = contenders.get(contender);
  }

  @Benchmark
  public DatanodeStorageInfo[] place() {
    return chosen.place();
  }
}
