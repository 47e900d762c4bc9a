package io.tierwise.policies.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Adaptive access learns: seeded, on the made-up cluster of {@link AdaptiveSimulation}. */
class AdaptiveLearningTest {
  private static final int DLD = 0;
  private static final int GREEDY = 1;
  private static final int[] FILE_COUNTS = {1, 20, 500};
  private static final int SEEDS = 10;

  @Example
  void regretAgainstTheBestFixedArmIsBoundedOnAClusterThatDoesNotChange() {
    for (int files : FILE_COUNTS) {
      double excess = 0;
      for (int seed = 0; seed < SEEDS; seed++) {
        var simulation = new AdaptiveSimulation(AdaptiveAccess.DEFAULT, seed);
        simulation.run(AdaptiveSimulation.FAST_NETWORK, 3_000, files);
        excess += simulation.adaptiveSeconds / simulation.bestFixedArmSeconds() - 1;
      }
      // 5% of the reads by arms that take 82% longer on average make 4.1%; the rest is for the
      // start
      // and for lucky reads of other arms.
      assertThat(excess / SEEDS).as("with %s files", files).isBetween(0.0, 0.08);
    }
  }

  @Example
  void convergesToTheBestArm() {
    for (int files : FILE_COUNTS) {
      var simulation = new AdaptiveSimulation(AdaptiveAccess.DEFAULT, 11);
      simulation.run(AdaptiveSimulation.FAST_NETWORK, 2_000, files);
      simulation.run(AdaptiveSimulation.FAST_NETWORK, 2_000, files);
      assertThat(simulation.bestArmShare).as("with %s files", files).isGreaterThan(0.8);
    }
  }

  @Example
  void afterTheNetworkSlowsItBeatsEveryFixedArmAndFollowsTheBestOfEachMoment() {
    for (int files : FILE_COUNTS) {
      double againstFixed = 0;
      double againstBestOfEachMoment = 0;
      for (int seed = 0; seed < SEEDS; seed++) {
        var simulation = new AdaptiveSimulation(AdaptiveAccess.DEFAULT, 100 + seed);
        simulation.run(AdaptiveSimulation.FAST_NETWORK, 2_000, files);
        simulation.run(AdaptiveSimulation.SLOW_NETWORK, 2_000, files);
        simulation.run(AdaptiveSimulation.FAST_NETWORK, 2_000, files);
        againstFixed += simulation.adaptiveSeconds / simulation.bestFixedArmSeconds() - 1;
        againstBestOfEachMoment +=
            simulation.adaptiveSeconds / simulation.bestAtEachMomentSeconds - 1;
      }
      assertThat(againstFixed / SEEDS).as("with %s files", files).isLessThan(0);
      assertThat(againstBestOfEachMoment / SEEDS).as("with %s files", files).isLessThan(0.12);
    }
  }

  @Property(tries = 200)
  void theShareOfExploringPicksIsNeverAboveTheBoundWhateverTheReadsTake(
      @ForAll long seed, @ForAll @IntRange(max = 500_000) int explorationMillionths) {
    AccessSession session = AccessSession.of(new AdaptiveAccess(explorationMillionths, 20, 8));
    AdaptiveState state = session.state().orElseThrow();
    SplittableRandom random = new SplittableRandom(seed);
    long explored = 0;
    for (int i = 1; i <= 1_000; i++) {
      long fileId = random.nextInt(30);
      AccessPick pick = session.pick(fileId);
      explored += pick.explored() ? 1 : 0;
      assertThat(explored * 1_000_000).isLessThanOrEqualTo((long) i * explorationMillionths);
      if (random.nextInt(4) != 0) {
        double seconds = Math.pow(10, random.nextDouble(-6, 6));
        session.observe(fileId, pick, 1 + random.nextInt(1 << 27), seconds, random.nextInt(3));
      }
    }
    assertThat(state.exploredCount()).isEqualTo(explored);
    assertThat(state.pickCount()).isEqualTo(1_000);
  }

  @Example
  void exploresEveryArmAlsoWhenReadsEndLongAfterTheyWerePicked() {
    AccessSession session = AccessSession.of(AdaptiveAccess.DEFAULT);
    AdaptiveState state = session.state().orElseThrow();
    for (int batch = 0; batch < 40; batch++) {
      List<AccessPick> picks = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        picks.add(session.pick(5));
      }
      picks.forEach(pick -> session.observe(5, pick, 1 << 27, 1 + pick.arm(), 0));
    }
    for (int arm = 0; arm < AdaptiveAccess.DEFAULT.arms().size(); arm++) {
      assertThat(state.readCount(arm)).as("reads of arm %s", arm).isPositive();
    }
  }

  /** Two explore at one time; the first of them ends after a hundred other reads. */
  @Example
  void aReadThatEndsLateTakesBackWhatIsLeftOfItsOwnPickAlone() {
    AdaptiveState state = AdaptiveAccess.DEFAULT.newState();
    state.spendExploration(GREEDY);
    state.spendExploration(GREEDY);
    for (int read = 0; read < 100; read++) {
      state.observe(1, DLD, 1 << 27, 1, 0);
    }
    double each = Math.pow(0.99, 100);
    assertThat(state.pending(GREEDY)).isCloseTo(2 * each, within(1e-9));
    state.observe(1, GREEDY, 1 << 27, 1, 0);
    assertThat(state.pending(GREEDY)).as("the other one").isCloseTo(0.99 * each, within(1e-9));
    state.observe(1, GREEDY, 1 << 27, 1, 0);
    assertThat(state.pending(GREEDY)).isCloseTo(0, within(1e-9));
  }

  @Example
  void neverLeavesItsFirstArmWithoutExploration() {
    var simulation = new AdaptiveSimulation(new AdaptiveAccess(0, 100, 1024), 3);
    simulation.run(AdaptiveSimulation.FAST_NETWORK, 1_000, 3);
    assertThat(simulation.state().readCount(DLD)).isEqualTo(1_000);
  }

  @Example
  void learnsForEachFileWhatIsBestForIt() {
    AccessSession session = AccessSession.of(AdaptiveAccess.DEFAULT);
    SplittableRandom random = new SplittableRandom(8);
    int[] greedyCounts = new int[3];
    for (int i = 0; i < 6_000; i++) {
      int file = 1 + random.nextInt(2);
      AccessPick pick = session.pick(file);
      int better = file == 1 ? GREEDY : DLD;
      session.observe(file, pick, 1 << 27, pick.arm() == better ? 1 : 3, 0);
      greedyCounts[file] += i >= 2_000 && pick.arm() == GREEDY ? 1 : 0;
    }
    assertThat(greedyCounts[1]).isGreaterThan(1_600);
    assertThat(greedyCounts[2]).isLessThan(400);
  }

  @Example
  void refusalsDecideBetweenEqualThroughputs() {
    AccessSession session = AccessSession.of(AdaptiveAccess.DEFAULT);
    int greedy = 0;
    for (int i = 0; i < 4_000; i++) {
      AccessPick pick = session.pick(1);
      greedy += i >= 2_000 && pick.arm() == GREEDY ? 1 : 0;
      session.observe(1, pick, 1 << 27, 1.0, pick.arm() == GREEDY ? 0 : 2);
    }
    assertThat(greedy).isGreaterThan(1_800);
  }

  @Example
  void ignoresAndCountsReadsThatSayNothing() {
    AccessSession session = AccessSession.of(AdaptiveAccess.DEFAULT);
    AdaptiveState state = session.state().orElseThrow();
    double[] useless = {0, -1, Double.NaN, Double.POSITIVE_INFINITY};
    for (double seconds : useless) {
      session.observe(1, session.pick(1), 100, seconds, 0);
    }
    session.observe(1, session.pick(1), 0, 1, 0);
    session.observe(1, session.pick(1), -5, 1, 0);
    assertThat(state.ignoredCount()).isEqualTo(6);
    assertThat(state.readCount()).isZero();
    assertThat(state.regretSeconds()).isZero();
    assertThatThrownBy(() -> state.observe(1, 5, 1, 1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("arm 5 is outside 0-4");
  }

  @Example
  void regretIsWhatTheReadsTookBeyondTheBestArmsMean() {
    AdaptiveState state = AdaptiveAccess.DEFAULT.newState();
    state.observe(1, DLD, 1_000_000, 2, 0);
    state.observe(1, GREEDY, 1_000_000, 1, 0);
    state.observe(2, GREEDY, 2_000_000, 2, 0);
    state.observe(2, DLD, 1_000_000, 4, 0);
    // In hindsight: 9 seconds for 5 MB, at greedy's 1 second a MB 5. At each moment: the second
    // read gained 1 on the 2 known then, the last lost 3 on the 1.
    assertThat(state.regretSeconds()).isCloseTo(4, within(1e-9));
    assertThat(state.trackingRegretSeconds()).isCloseTo(-1 + 0 + 3, within(1e-9));
    assertThat(state.costSeconds()).isCloseTo(9, within(1e-9));
    assertThat(state.secondsPerByte(GREEDY)).isCloseTo(1e-6, within(1e-15));
    assertThat(state.secondsPerByte(2)).isNaN();
  }

  @Example
  void countsEveryPickAndReadOfManyThreads() throws Exception {
    AccessSession session = AccessSession.of(AdaptiveAccess.DEFAULT);
    AdaptiveState state = session.state().orElseThrow();
    ExecutorService readers = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int reader = 0; reader < 4; reader++) {
        int first = reader;
        running.add(
            readers.submit(
                () -> {
                  for (int i = 0; i < 5_000; i++) {
                    AccessPick pick = session.pick(first + i % 50);
                    session.observe(first + i % 50, pick, 1 << 20, 0.01, 0);
                  }
                }));
      }
      for (Future<?> reader : running) {
        reader.get(60, TimeUnit.SECONDS);
      }
    } finally {
      readers.shutdownNow();
    }
    assertThat(state.pickCount()).isEqualTo(20_000);
    assertThat(state.readCount()).isEqualTo(20_000);
    assertThat(state.exploredCount()).isBetween(1L, 1_000L);
  }

  @Example
  void aStrategyThatDoesNotLearnIsUsedThroughASessionAlike() {
    AccessStrategy greedy = new GreedyAccess();
    AccessSession session = AccessSession.of(greedy);
    AccessPick pick = session.pick(1);
    session.observe(1, pick, 1, 1, 0);
    assertThat(pick).isEqualTo(new AccessPick(0, false, greedy));
    assertThat(session.state()).isEmpty();
  }

  @Example
  void anExploringPickSaysSo() {
    AccessRequest request = new AccessRequest(1, 0, 1, 0);
    AccessPick pick = new AccessPick(GREEDY, true, new GreedyAccess());
    ArrayReadView view = ArrayReadView.replicas(2, 0, 0, 2);
    assertThat(pick.order(request, view, new SplittableRandom(1), new int[2]))
        .isEqualTo(AccessReason.EXPLORED);
  }
}
