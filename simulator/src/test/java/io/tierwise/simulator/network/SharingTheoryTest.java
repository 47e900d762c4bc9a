package io.tierwise.simulator.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.engine.BatchMeans;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.RandomStreams;
import io.tierwise.simulator.engine.Ticks;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A shared resource is a queue with processor sharing: the mean time of a flow depends on the mean
 * of the flows' sizes and on nothing else of their distribution, E[T] = E[S] / (1 - rho).
 *
 * <p>Source: Kleinrock, Queueing Systems II, 4.4.
 */
class SharingTheoryTest {
  private static final int FLOWS = 1_500_000;
  private static final double LOAD = 0.4;

  private enum Sizes {
    CONSTANT {
      @Override
      double draw(RandomGenerator random) {
        return 1;
      }
    },
    EXPONENTIAL {
      @Override
      double draw(RandomGenerator random) {
        return exponential(random);
      }
    },
    /** Two kinds of flows, of mean 1/3 and 7/3; the squared coefficient of variation is 2.8. */
    HYPER_EXPONENTIAL {
      @Override
      double draw(RandomGenerator random) {
        return exponential(random) * (random.nextInt(3) < 2 ? 1 / 3.0 : 7 / 3.0);
      }
    };

    abstract double draw(RandomGenerator random);
  }

  private static double exponential(RandomGenerator random) {
    return -Math.log(1 - random.nextDouble());
  }

  @ParameterizedTest
  @EnumSource(Sizes.class)
  void meanTimeOfSharedFlowsDependsOnTheMeanSizeOnly(Sizes sizes) {
    share(sizes, FLOWS, Double.POSITIVE_INFINITY).assertMeanIs(1 / (1 - LOAD));
  }

  /** A limit of its own keeps a flow from sharing a lane: the solver then divides, not the lane. */
  @Test
  void flowsOfDifferentPathsShareLikeFlowsOfOnePath() {
    share(Sizes.EXPONENTIAL, FLOWS / 3, 1000).assertMeanIs(1 / (1 - LOAD));
  }

  private static BatchMeans share(Sizes sizes, int flows, double firstLimit) {
    Engine engine = new Engine();
    BatchMeans times = new BatchMeans(flows);
    long[] started = new long[flows];
    FlowNetwork network =
        new FlowNetwork(
            engine, (flow, tag) -> times.add(Ticks.toSeconds(engine.now() - started[(int) tag])));
    int[] path = {network.addResource(1)};
    double[] unitsPerByte = {1};
    RandomStreams streams = new RandomStreams(42);
    RandomGenerator arrivals = streams.stream("arrivals of " + sizes, 0);
    RandomGenerator bytes = streams.stream("bytes of " + sizes, 0);
    int[] arrival = new int[1];
    arrival[0] =
        engine.register(
            i -> {
              started[(int) i] = engine.now();
              double size = sizes.draw(bytes);
              network.start(path, unitsPerByte, 1, size, firstLimit + i % 64, i);
              if (i + 1 < flows) {
                double seconds = exponential(arrivals) / LOAD;
                engine.at(engine.now() + Ticks.ofSeconds(seconds), arrival[0], i + 1);
              }
            });
    engine.at(0, arrival[0], 0);
    engine.runUntil(Ticks.NEVER);
    return times;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 16})
  void readersThatNeverPauseMoveWhatTheDisksCurveAllows(int readers) {
    Engine engine = new Engine();
    RandomGenerator random = new RandomStreams(42).stream("readers", readers);
    FlowNetwork[] network = new FlowNetwork[1];
    int[] path = new int[1];
    double[] unitsPerByte = {1};
    FlowListener readsAgain =
        (flow, tag) ->
            network[0].start(
                path, unitsPerByte, 1, 1e6 * exponential(random), Double.POSITIVE_INFINITY, tag);
    network[0] = new FlowNetwork(engine, readsAgain);
    ConcurrencyCurve curve = flowCount -> 100e6 / (1 + 0.05 * (flowCount - 1));
    path[0] = network[0].addResource(curve);
    for (int i = 0; i < readers; i++) {
      readsAgain.flowFinished(0, i);
    }

    engine.runUntil(Ticks.ofSeconds(100));

    double expected = curve.unitsPerSecond(readers) * 100;
    assertThat(network[0].unitsMoved(path[0])).isCloseTo(expected, within(1e-9 * expected));
    assertThat(network[0].busySeconds(path[0])).isCloseTo(100, within(1e-9));
    assertThat(network[0].flowCount()).isEqualTo(readers);
  }
}
