package io.tierwise.policies.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Assign;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.SlotKind;
import io.tierwise.policies.DecisionMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The promises of every scheduling policy; a test class for each inherits this. Every answer is
 * also checked by {@link WorkedCluster} before it is followed: that the job waits, that a task of
 * it stands so to the node, that the slot is free, and that the node has the memory.
 */
public abstract class SchedulingContract {
  private static final int SEEDS = 40;
  private static final long SECOND = 1_000_000_000L;
  private static final long NODE_MEMORY = 8L << 30;

  /** The policy with its default settings. */
  protected abstract SchedulingPolicy policy();

  /** How long a policy may leave every slot free although work waits; it may wait for a time. */
  protected long longestPauseNanos() {
    return policy().patienceNanos() + SECOND;
  }

  @Test
  protected void canonicalNameIsReadBackAsTheSamePolicy() {
    SchedulingPolicy again = SchedulingPolicies.parse(policy().name());
    assertThat(again.name()).isEqualTo(policy().name());
    assertThat(again).hasSameClassAs(policy());
  }

  @Test
  protected void noJobIsForgotten() {
    for (int seed = 0; seed < SEEDS; seed++) {
      RandomGenerator random = new SplittableRandom(seed);
      WorkedCluster cluster = new WorkedCluster(policy(), 1 + seed % 3, random);
      int jobs = 1 + seed % 7;
      int tasks = 0;
      for (int job = 0; job < jobs; job++) {
        tasks += arriveAny(cluster, random);
      }
      assertThat(drain(cluster)).as("tasks that ran, seed %d", seed).isEqualTo(tasks);
      assertThat(cluster.jobsLeft()).isZero();
    }
  }

  /** Tasks that hold memory run, too, and those of a node never hold more than it has. */
  @Test
  protected void nothingIsGivenAboveMemory() {
    for (int seed = 0; seed < SEEDS; seed++) {
      RandomGenerator random = new SplittableRandom(seed);
      WorkedCluster cluster = new WorkedCluster(policy(), 1 + seed % 4, random);
      cluster.limitMemory(NODE_MEMORY);
      int tasks = 0;
      for (int job = 0; job < 1 + seed % 7; job++) {
        cluster.askForMemory(anyMemory(random), anyMemory(random));
        tasks += arriveAny(cluster, random);
      }
      assertThat(drain(cluster)).as("tasks that ran, seed %d", seed).isEqualTo(tasks);
      for (int node = 0; node < WorkedCluster.NODES; node++) {
        assertThat(cluster.freeMemoryBytes(node)).isEqualTo(NODE_MEMORY);
      }
    }
  }

  private static long anyMemory(RandomGenerator random) {
    return random.nextLong(NODE_MEMORY + 1);
  }

  @Test
  protected void aJobWhoseTasksDoNotFitLeavesTheSlotToOneWhoseTasksDo() {
    WorkedCluster cluster = new WorkedCluster(policy(), 2, new SplittableRandom(1));
    cluster.limitMemory(NODE_MEMORY);
    cluster.askForMemory(NODE_MEMORY + 1, 0);
    cluster.arrive("q-0", Collections.nCopies(30, List.of()), 0, 1);
    cluster.askForMemory(NODE_MEMORY, 0);
    int fits = cluster.arrive("q-1", Collections.nCopies(30, List.of()), 0, 1000);
    cluster.pass(longestPauseNanos());

    assertThat(cluster.offerAll()).isPositive().isEqualTo(cluster.running(fits));
  }

  /** Runs all there is; whenever nothing runs, time passes. Returns how many tasks ran. */
  private int drain(WorkedCluster cluster) {
    int ran = cluster.offerAll();
    while (cluster.jobsLeft() > 0) {
      cluster.pass(SECOND / 2);
      if (cluster.runningCount() > 0) {
        cluster.endOne();
        ran += cluster.offerAll();
      } else {
        cluster.pass(longestPauseNanos());
        int taken = cluster.offerAll();
        assertThat(taken).as("slots taken after the longest pause").isPositive();
        ran += taken;
      }
    }
    return ran;
  }

  @Test
  protected void youngerJobsDoNotOvertakeAJobForEver() {
    for (int seed = 0; seed < SEEDS; seed++) {
      RandomGenerator random = new SplittableRandom(seed);
      WorkedCluster cluster = new WorkedCluster(policy(), 1, random);
      for (int job = 0; job < 3; job++) {
        arriveAny(cluster, random);
      }
      int old = cluster.arrive("q-old", maps(random, 4), 0, 1L << 50);
      int rounds = 0;
      while (cluster.running(old) == 0) {
        assertThat(++rounds).as("tasks that ended before the old job began").isLessThan(2000);
        cluster.arrive("q-" + random.nextInt(3), maps(random, 2), 1, 1);
        cluster.pass(SECOND);
        cluster.offerAll();
        cluster.endOne();
      }
    }
  }

  @Test
  protected void theSameViewAndSeedGiveTheSameAnswerAndSoDoesAQueueMadeAnew() {
    for (int seed = 0; seed < SEEDS; seed++) {
      RandomGenerator random = new SplittableRandom(seed);
      WorkedCluster cluster = new WorkedCluster(policy(), 2, random);
      for (int step = 0; step < 60; step++) {
        if (step % 3 == 0) {
          arriveAny(cluster, random);
        }
        cluster.offerAll();
        cluster.pass(random.nextInt(4) * SECOND);
        if (cluster.runningCount() > 0) {
          SlotOffer offer = cluster.endOne();
          Assign answer = cluster.ask(offer);
          assertThat(cluster.ask(offer)).isEqualTo(answer);
          assertThat(cluster.askAnew(offer)).isEqualTo(answer);
          cluster.offer(offer);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Nearness.class)
  protected void anOfferForOneJobGoesToItOrToNoneAndNeverToATaskThatIsFarther(Nearness farthest) {
    RandomGenerator random = new SplittableRandom(7);
    WorkedCluster cluster = new WorkedCluster(policy(), 3, random);
    for (int job = 0; job < 6; job++) {
      arriveAny(cluster, random);
    }
    cluster.pass(longestPauseNanos());
    for (int node = 0; node < WorkedCluster.NODES; node++) {
      for (int job = 0; job < 6; job++) {
        if (cluster.ask(new SlotOffer(SlotKind.MAP, node, job, farthest))
            instanceof Assign.Given given) {
          assertThat(given.job()).isEqualTo(job);
          assertThat(given.nearness()).isLessThanOrEqualTo(farthest);
          assertThat(given.describe(cluster)).contains("job-" + job, given.rule());
        }
      }
    }
  }

  @Test
  protected void aDecisionLooksAsOftenWhateverTheBacklog() {
    long few = looksPerDecision(50);
    long many = looksPerDecision(3200);
    assertThat(many)
        .as("looks at the view for a decision; %d with 50 jobs", few)
        .isLessThanOrEqualTo(2 * few + 4);
  }

  private long looksPerDecision(int jobs) {
    WorkedCluster cluster = backlog(jobs);
    long before = cluster.lookUps();
    int decisions = 40;
    for (int i = 0; i < decisions; i++) {
      cluster.offer(cluster.endOne());
    }
    return (cluster.lookUps() - before + decisions - 1) / decisions;
  }

  /** Jobs that have waited long enough to take any slot, and of these there is none. */
  private WorkedCluster backlog(int jobs) {
    RandomGenerator random = new SplittableRandom(1);
    WorkedCluster cluster = new WorkedCluster(policy(), 2, random);
    for (int job = 0; job < jobs; job++) {
      cluster.arrive("q-" + job % 5, maps(random, 3), 0, 1 + random.nextInt(1000));
    }
    cluster.pass(longestPauseNanos());
    cluster.offerAll();
    return cluster;
  }

  @Test
  protected void nothingThatADecisionAllocatesOutlivesIt() {
    WorkedCluster cluster = backlog(50);
    SlotOffer[] offers = offers(cluster);
    assertThat(DecisionMemory.heldBytes(100_000, i -> cluster.ask(offers[i % offers.length])))
        .as("bytes left of a decision by %s", policy().name())
        .isLessThan(DecisionMemory.HALF_OBJECT_BYTES);
  }

  @Test
  protected void aDecisionTakesAsLittleMemoryWhateverTheBacklog() {
    double few = allocatedBytes(50);
    double many = allocatedBytes(3200);
    assertThat(many)
        .as("bytes by %s with 3,200 jobs; %.0f with 50", policy().name(), few)
        .isLessThan(1.5 * few + 16);
  }

  private double allocatedBytes(int jobs) {
    WorkedCluster cluster = backlog(jobs);
    SlotOffer[] offers = offers(cluster);
    return DecisionMemory.allocatedBytes(5_000, i -> cluster.ask(offers[i % offers.length]));
  }

  /** Slots of tasks that have ended. */
  private static SlotOffer[] offers(WorkedCluster cluster) {
    SlotOffer[] offers = new SlotOffer[Math.min(6, cluster.runningCount())];
    Arrays.setAll(offers, i -> cluster.endOne());
    return offers;
  }

  private static int arriveAny(WorkedCluster cluster, RandomGenerator random) {
    int maps = 1 + random.nextInt(12);
    int reduces = random.nextInt(4);
    cluster.arrive("q-" + random.nextInt(3), maps(random, maps), reduces, random.nextInt(1000));
    return maps + reduces;
  }

  /** Maps whose data lies on two nodes, or that have no place. */
  private static List<List<Integer>> maps(RandomGenerator random, int count) {
    List<List<Integer>> maps = new ArrayList<>();
    for (int map = 0; map < count; map++) {
      int node = random.nextInt(WorkedCluster.NODES);
      boolean isPlaced = random.nextInt(4) > 0;
      maps.add(isPlaced ? List.of(node, (node + 5) % WorkedCluster.NODES) : List.of());
    }
    return maps;
  }
}
