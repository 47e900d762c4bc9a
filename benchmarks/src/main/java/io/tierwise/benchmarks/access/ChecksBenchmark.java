package io.tierwise.benchmarks.access;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ReadView;
import io.tierwise.hadoop.hdfs.ClassTimes;
import io.tierwise.hadoop.hdfs.DecisionTimes;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Times what hosts add to an order because a strategy may be anybody's: the check that its answer
 * is a permutation, and the watch over its time. A sample is a thousand orders, so that the median
 * of the samples says what an order takes while no other process has the processor.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(3)
public class ChecksBenchmark {
  private static final int ORDERS = 1_000;

  private static final TierTable TIERS = TierConfiguration.byStorageType().table();

  /** HDFS's usual number, and one whose check takes an array. */
  @Param({"3", "100"})
  public int replicas;

  private final AccessStrategy strategy = AccessStrategies.parse("greedy");
  private final AccessPick pick = new AccessPick(0, false, strategy);
  private final AccessRequest request = new AccessRequest(1, 0, 128L << 20, -1);
  private final SplittableRandom random = new SplittableRandom(1);
  private final int[] order = new int[100];
  private final ClassTimes times =
      new DecisionTimes(
              new DecisionTimes.Question("order", "not ordered", TimeUnit.SECONDS.toNanos(1)))
          .of(AccessStrategy.class);

  /** So many replicas in the first tiers, by turns. */
  private record Turns(int replicaCount) implements ReadView {
    @Override
    public TierTable tiers() {
      return TIERS;
    }

    @Override
    public int tier(int replica) {
      return replica % TIERS.count();
    }

    @Override
    public int distance(int replica) {
      return 2 + replica % 2 * 2;
    }

    @Override
    public int activeTransfers(int replica) {
      return replica % 5;
    }

    @Override
    public int nodeKey(int replica) {
      return replica;
    }
  }

  @Benchmark
  @OperationsPerInvocation(ORDERS)
  public void strategyAlone(Blackhole reasons) {
    for (int i = 0; i < ORDERS; i++) {
      reasons.consume(strategy.order(request, new Turns(replicas), random, order));
    }
  }

  @Benchmark
  @OperationsPerInvocation(ORDERS)
  public void checked(Blackhole reasons) {
    for (int i = 0; i < ORDERS; i++) {
      reasons.consume(pick.order(request, new Turns(replicas), random, order));
    }
  }

  @Benchmark
  @OperationsPerInvocation(ORDERS)
  public void checkedAndWatched(Blackhole reasons) {
    for (int i = 0; i < ORDERS; i++) {
      reasons.consume(watched());
    }
  }

  private AccessReason watched() {
    int began = times.tryBegin();
    if (began == ClassTimes.SET_ASIDE) {
      throw new IllegalStateException("set aside");
    }
    try {
      return pick.order(request, new Turns(replicas), random, order);
    } finally {
      times.end(began);
    }
  }

  /** Prints nanoseconds of an order; the percentile 0.50 counts. */
  public static void main(String[] arguments) throws RunnerException {
    new Runner(new OptionsBuilder().include(ChecksBenchmark.class.getSimpleName()).build()).run();
  }
}
