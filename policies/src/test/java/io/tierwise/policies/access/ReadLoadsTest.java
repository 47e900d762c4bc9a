package io.tierwise.policies.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ReadLoadsTest {
  private static final double RATE = 100e6;
  private static final double BLOCK = 128e6;
  private static final double MAX = 100 * BLOCK;

  @Example
  void whatIsAddedDrainsAtTheSpeedOfTheResource() {
    ReadLoads loads = new ReadLoads();
    loads.add(5, RATE, BLOCK, MAX, 1_000);
    assertThat(loads.backlogBytes(5, RATE, 1_000)).isCloseTo(BLOCK, within(16.0));
    assertThat(loads.backlogBytes(5, RATE, 1_640)).isCloseTo(BLOCK / 2, within(16.0));
    loads.add(5, RATE, BLOCK, MAX, 1_640);
    assertThat(loads.backlogBytes(5, RATE, 1_640)).isCloseTo(1.5 * BLOCK, within(16.0));
    assertThat(loads.backlogBytes(5, RATE, 3_560)).as("1.92 s later").isCloseTo(0, within(16.0));
    assertThat(loads.backlogBytes(6, RATE, 1_640)).as("another resource").isZero();
  }

  @Property
  void everyCountDecaysToZeroWhateverTheClockSays(
      @ForAll long resource, @ForAll long then, @ForAll @IntRange(min = 1, max = 1000) int blocks) {
    ReadLoads loads = new ReadLoads();
    for (int i = 0; i < blocks; i++) {
      loads.add(resource, RATE, BLOCK, MAX, then);
    }
    double bytes = Math.min(blocks * BLOCK, MAX);
    assertThat(loads.backlogBytes(resource, RATE, then)).isCloseTo(bytes, within(bytes * 1e-4));
    assertThat(loads.backlogBytes(resource, 1, then + ReadLoads.FORGOTTEN_MILLIS)).isZero();
    long drained = (long) Math.ceil(blocks * BLOCK / RATE * 1_000 * 1.001) + 1;
    assertThat(loads.backlogBytes(resource, RATE, then + drained)).isZero();
  }

  @Example
  void answersFadeAndAreOfTheNodeAlone() {
    ReadLoads loads = new ReadLoads();
    AnswerCounts counts = new AnswerCounts();
    AnswerCounts look = new AnswerCounts();
    loads.addAnswer(5, 1, 0, counts);
    loads.addAnswer(5, 1, 0, look);
    loads.addAnswer(5, 0.25, 0, counts);
    look.takeBack(loads);
    loads.addAnswer(-5, 1, 0, counts);
    assertThat(loads.answers(5, 0)).isCloseTo(1.25, within(1e-6));
    assertThat(loads.answers(5, 6_000)).isCloseTo(1.25 / Math.E, within(1e-6));
    assertThat(loads.answers(5, 60_000)).isLessThan(1e-4);
    assertThat(loads.answers(-5, 0)).isCloseTo(1, within(1e-6));
    assertThat(loads.answers(6, 0)).isZero();
    assertThat(loads.backlogBytes(5, RATE, 0)).as("bytes on a resource").isZero();
  }

  @Example
  void whatIsTakenBackIsGoneAndNeverBelowZero() {
    ReadLoads loads = new ReadLoads();
    loads.add(5, RATE, BLOCK, MAX, 0);
    loads.add(5, RATE, BLOCK, MAX, 0);
    loads.add(5, RATE, -BLOCK, MAX, 0);
    assertThat(loads.backlogBytes(5, RATE, 0)).isCloseTo(BLOCK, within(16.0));
    loads.add(5, RATE, -3 * BLOCK, MAX, 0);
    loads.add(6, RATE, -BLOCK, MAX, 0);
    assertThat(loads.backlogBytes(5, RATE, 0)).isZero();
    assertThat(loads.backlogBytes(6, RATE, 0)).isZero();
  }

  /** Looks at what has more readers than the bound lets count. */
  @Example
  void whatABoundLeavesOutIsNotTakenBack() {
    ReadLoads loads = new ReadLoads();
    loads.add(5, RATE, MAX, MAX, 0);
    AnswerCounts look = new AnswerCounts();
    for (int i = 0; i < 1_000; i++) {
      loads.add(5, RATE, BLOCK, MAX, 0, look);
      look.takeBack(loads);
    }
    assertThat(loads.backlogBytes(5, RATE, 0)).isCloseTo(MAX, within(MAX * 1e-4));
  }

  /** Near the bound and far from it, while counts drain. */
  @Property(tries = 100)
  void looksLeaveNothingBehindAndTakeNothingFromOthers(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ReadLoads looked = new ReadLoads();
    ReadLoads readOnly = new ReadLoads();
    AnswerCounts look = new AnswerCounts();
    double bytesMax = 10 * RATE;
    long now = 0;
    for (int call = 0; call < 200; call++) {
      now += random.nextInt(1_500);
      double bytes = random.nextDouble() * BLOCK;
      if (random.nextBoolean()) {
        looked.add(5, RATE, bytes, bytesMax, now);
        readOnly.add(5, RATE, bytes, bytesMax, now);
      } else {
        looked.add(5, RATE, bytes, bytesMax, now, look);
        look.takeBack(looked);
      }
      double left = readOnly.backlogBytes(5, RATE, now);
      assertThat(looked.backlogBytes(5, RATE, now)).isCloseTo(left, within(BLOCK * 1e-3));
    }
    assertThat(looked.backlogBytes(5, RATE, now + 10_001)).isZero();
  }

  @Example
  void toTakeBackWhatIsForgottenForgetsNothingElse() {
    ReadLoads loads = new ReadLoads(8);
    for (int resource = 1; resource <= 8; resource++) {
      loads.add(resource, RATE, BLOCK, MAX, resource);
    }
    loads.add(9, RATE, -BLOCK, MAX, 9);
    for (int resource = 1; resource <= 8; resource++) {
      assertThat(loads.backlogBytes(resource, RATE, resource)).isCloseTo(BLOCK, within(16.0));
    }
  }

  /** The threads of a NameNode handle calls in any order. */
  @Example
  void whatHasDrainedDoesNotDrainAgainWhenACallOfBeforeIsCounted() {
    ReadLoads loads = new ReadLoads();
    loads.add(5, RATE, 10 * BLOCK, MAX, 1_000);
    for (int call = 0; call < 100; call++) {
      loads.add(5, RATE, 1, MAX, 1_900);
      loads.add(5, RATE, 1, MAX, 1_000);
    }
    assertThat(loads.backlogBytes(5, RATE, 1_900))
        .isCloseTo(10 * BLOCK - 0.9 * RATE, within(BLOCK * 1e-3));
  }

  @Example
  void aClockThatJumpsBackForgetsAndOneThatIsALittleBehindDoesNot() {
    ReadLoads loads = new ReadLoads();
    loads.add(5, RATE, BLOCK, MAX, 100_000);
    assertThat(loads.backlogBytes(5, RATE, 99_500)).isCloseTo(BLOCK, within(16.0));
    assertThat(loads.backlogBytes(5, RATE, 50_000)).isZero();
    loads.add(5, RATE, BLOCK, MAX, 50_000);
    assertThat(loads.backlogBytes(5, RATE, 50_000))
        .as("counts anew")
        .isCloseTo(BLOCK, within(16.0));
  }

  /** A table that is too small forgets what was used longest ago, and never mixes two resources. */
  @Example
  void moreResourcesThanSlotsKeepTheLatest() {
    ReadLoads loads = new ReadLoads(64);
    for (int resource = 0; resource < 10_000; resource++) {
      loads.add(resource, RATE, BLOCK, MAX, resource);
      assertThat(loads.backlogBytes(resource, RATE, resource)).isCloseTo(BLOCK, within(16.0));
    }
    long known = 0;
    for (int resource = 0; resource < 10_000; resource++) {
      double bytes = loads.backlogBytes(resource, RATE, 10_000);
      assertThat(bytes).isBetween(0.0, BLOCK + 16);
      known += bytes > 0 ? 1 : 0;
    }
    assertThat(known).isBetween(32L, 64L);
  }

  /** Whichever of them comes first, and wherever each would like to lie: nodes among them. */
  @Property(tries = 300)
  void asManyResourcesAsFitKeepTheirCounts(@ForAll @IntRange(max = 1 << 20) int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ReadLoads loads = new ReadLoads(8);
    int[] names = random.ints(0, 100).distinct().limit(8).toArray();
    boolean[] isNode = new boolean[names.length];
    double[] counted = new double[names.length];
    for (int i = 0; i < names.length; i++) {
      isNode[i] = random.nextBoolean();
    }
    for (int step = 0; step < 100; step++) {
      int i = random.nextInt(names.length);
      counted[i]++;
      if (isNode[i]) {
        loads.addAnswer(names[i], 1, 7, new AnswerCounts());
      } else {
        loads.add(names[i], RATE, 1, MAX, 7);
      }
      for (int other = 0; other < names.length; other++) {
        double left =
            isNode[other]
                ? loads.answers(names[other], 7)
                : loads.backlogBytes(names[other], RATE, 7);
        assertThat(left).isEqualTo(counted[other]);
      }
    }
  }

  @Example
  void threadsLoseNoCountOfAResourceThatIsThere() throws InterruptedException {
    ReadLoads loads = new ReadLoads();
    loads.add(5, RATE, 1, MAX, 0);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    for (int thread = 0; thread < 4; thread++) {
      threads.execute(
          () -> {
            for (int i = 0; i < 10_000; i++) {
              loads.add(5, RATE, 1, MAX, 0);
            }
          });
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    assertThat(loads.backlogBytes(5, RATE, 0)).isCloseTo(40_001, within(0.5));
  }
}
