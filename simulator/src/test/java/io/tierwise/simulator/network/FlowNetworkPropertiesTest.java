package io.tierwise.simulator.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** Properties of every system of flows. */
class FlowNetworkPropertiesTest {
  private static final double RELATIVE = 1e-9;

  @Property(tries = 200)
  void flowsEndWhenTheTextbookSaysAndEveryInvariantHoldsMeanwhile(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 12) int resources,
      @ForAll @IntRange(min = 1, max = 40) int flows) {
    Trial trial = Trial.random(seed, resources, flows);

    Trial.Outcome outcome = trial.run(Trial.Mode.CHECKED);

    assertClose(outcome.finish(), TextbookFlows.finishTimes(trial));
  }

  /** Enough lanes for the solver to give up its proofs and divide for all. */
  @Property(tries = 2)
  void flowsEndWhenTheTextbookSaysAlsoInLargeSystems(@ForAll long seed) {
    Trial trial = Trial.random(seed, 24, 420);
    List<Trial.Flow> atOnce = new ArrayList<>();
    trial.flows().forEach(f -> atOnce.add(startingAt(f, f.start() / 50)));
    Trial dense = new Trial(trial.resources(), atOnce, List.of());

    assertClose(dense.run(Trial.Mode.PLAIN).finish(), TextbookFlows.finishTimes(dense));
  }

  @Property(tries = 100)
  void dividingLocallyIsDividingForAll(@ForAll long seed) {
    Trial trial = Trial.random(seed, 15, 60);

    assertClose(trial.run(Trial.Mode.PLAIN).finish(), trial.run(Trial.Mode.ALL_TOUCHED).finish());
  }

  @Property(tries = 100)
  void twiceTheBytesOnTwiceTheBandwidthTakeTheSameTime(
      @ForAll long seed, @ForAll @DoubleRange(min = 0.01, max = 100) double factor) {
    Trial trial = withoutChanges(Trial.random(seed, 6, 25));
    List<ConcurrencyCurve> resources = new ArrayList<>();
    trial.resources().forEach(r -> resources.add(n -> factor * r.unitsPerSecond(n)));
    List<Trial.Flow> flows = new ArrayList<>();
    for (Trial.Flow f : trial.flows()) {
      double limit = factor * f.bytesPerSecondMax();
      flows.add(new Trial.Flow(f.start(), f.path(), f.unitsPerByte(), factor * f.bytes(), limit));
    }

    Trial scaled = new Trial(resources, flows, List.of());

    assertClose(scaled.run(Trial.Mode.PLAIN).finish(), trial.run(Trial.Mode.PLAIN).finish());
  }

  @Property(tries = 100)
  void namesOfHostsDoNotMatter(@ForAll long seed) {
    Trial trial = withoutChanges(Trial.random(seed, 8, 30));
    int[] newName = permutation(8, seed);
    List<ConcurrencyCurve> resources = new ArrayList<>(trial.resources());
    for (int i = 0; i < 8; i++) {
      resources.set(newName[i], trial.resources().get(i));
    }
    List<Trial.Flow> flows = new ArrayList<>();
    for (Trial.Flow f : trial.flows()) {
      int[] path = f.path().clone();
      for (int i = 0; i < path.length; i++) {
        path[i] = newName[path[i]];
      }
      flows.add(
          new Trial.Flow(f.start(), path, f.unitsPerByte(), f.bytes(), f.bytesPerSecondMax()));
    }

    Trial renamed = new Trial(resources, flows, List.of());

    assertClose(renamed.run(Trial.Mode.PLAIN).finish(), trial.run(Trial.Mode.PLAIN).finish());
  }

  @Property(tries = 100)
  void moreBandwidthOfTheOnlyBottleneckSlowsNobody(
      @ForAll long seed, @ForAll @DoubleRange(min = 1, max = 10) double factor) {
    Trial trial = withoutChanges(Trial.random(seed, 1, 25));
    ConcurrencyCurve disk = trial.resources().get(0);

    double[] before = trial.run(Trial.Mode.PLAIN).finish();
    double[] after =
        new Trial(List.of(n -> factor * disk.unitsPerSecond(n)), trial.flows(), List.of())
            .run(Trial.Mode.PLAIN)
            .finish();

    for (int i = 0; i < before.length; i++) {
      assertThat(after[i]).isLessThanOrEqualTo(before[i] * (1 + RELATIVE));
    }
  }

  @Property(tries = 100)
  void whatResourcesMovedIsWhatFlowsBroughtExactly(@ForAll long seed) {
    Trial trial = Trial.random(seed, 5, 30);
    double[] units = new double[5];
    for (Trial.Flow f : trial.flows()) {
      for (int i = 0; i < f.path().length; i++) {
        units[f.path()[i]] += f.unitsPerByte()[i] * f.bytes();
      }
    }

    FlowNetwork network = trial.run(Trial.Mode.PLAIN).network();

    assertThat(network.finishedFlows()).isEqualTo(30);
    for (int i = 0; i < 5; i++) {
      assertThat(network.unitsMoved(i)).isCloseTo(units[i], within(RELATIVE * (1 + units[i])));
      assertThat(network.used(i)).isZero();
    }
  }

  @Property(tries = 30)
  void equalRunsHaveEqualHashes(@ForAll long seed) {
    Trial trial = Trial.random(seed, 6, 30);

    assertThat(trial.run(Trial.Mode.PLAIN).logHash())
        .isEqualTo(trial.run(Trial.Mode.CHECKED).logHash());
  }

  private static void assertClose(double[] actual, double[] expected) {
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < actual.length; i++) {
      assertThat(actual[i])
          .as("end of flow %d", i)
          .isCloseTo(expected[i], within(RELATIVE * expected[i]));
    }
  }

  private static Trial withoutChanges(Trial trial) {
    return new Trial(trial.resources(), trial.flows(), List.of());
  }

  private static Trial.Flow startingAt(Trial.Flow f, double start) {
    double whole = Math.rint(start * 1e6) / 1e6;
    return new Trial.Flow(whole, f.path(), f.unitsPerByte(), f.bytes(), f.bytesPerSecondMax());
  }

  private static int[] permutation(int length, long seed) {
    int[] names = new int[length];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 1; i < length; i++) {
      int other = random.nextInt(i + 1);
      names[i] = names[other];
      names[other] = i;
    }
    return names;
  }
}
