package io.tierwise.policies.movement;

import static io.tierwise.policies.movement.StorageConfiguration.ALL_FAST;
import static io.tierwise.policies.movement.StorageConfiguration.ALL_SLOW;
import static io.tierwise.policies.movement.StorageConfiguration.FAST_INPUT;
import static io.tierwise.policies.movement.StorageConfiguration.FAST_INTERMEDIATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.policies.movement.AdaptivePlacement.Answer;
import io.tierwise.policies.movement.AdaptivePlacement.Job;
import io.tierwise.policies.movement.AdaptivePlacement.Rearrangement;
import io.tierwise.policies.movement.TierPromotions.Claim;
import io.tierwise.policies.movement.TierPromotions.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** DerbyhatS, 6.1.4, 6.1.7 and 6.1.8, on the devices of Table 6.1. */
class AdaptivePlacementTest {
  private static final DeviceClass SSD = device("ssd", 533e6, 245e6);
  private static final DeviceClass HDD = device("hdd", 61e6, 46e6);
  private static final TierLoad IDLE = new TierLoad(0, 0);
  private static final long GB = 1_000_000_000;
  private static final double LONG = 1e6;

  private final AdaptivePlacement manager = manager(new FastTierRegions(10 * GB, 12 * GB, 2 * GB));
  private final StorageCounter counter = new StorageCounter();

  private static DeviceClass device(String name, double read, double write) {
    return new DeviceClass(name, read, write, Double.NaN, 0, Double.NaN);
  }

  private static AdaptivePlacement manager(FastTierRegions regions) {
    return new AdaptivePlacement(regions, SSD, HDD, 8, 8, 400e6, 0.05);
  }

  /** Sort of 6.3.1: gains by either, and most by both. */
  private static Job sort(int number, int file, long input, long intermediate, double wait) {
    return new Job(number, file, input, intermediate, new PredictedSeconds(100, 88, 90, 79), wait);
  }

  @Test
  void aJobGetsTheConfigurationThatItsProfileShowsToBeFastest() {
    assertThat(manager.decide(sort(0, 0, GB, GB, LONG), IDLE, counter))
        .isEqualTo(new Answer(ALL_FAST, true, 100 - 79, List.of(), ""));
    assertThat(counter.countedBytes()).isEqualTo(2 * GB);
  }

  @Test
  void aJobThatHardlyGainsGetsNothingOfTheFastTier() {
    // PageRank, 6.3.3: 0.5%.
    Job pageRank = new Job(0, 0, GB, GB, new PredictedSeconds(100, 99.8, 99.7, 99.5), LONG);
    Answer answer = manager.decide(pageRank, IDLE, counter);

    assertThat(answer.configuration()).isEqualTo(ALL_SLOW);
    assertThat(answer.reason()).contains("does not pay");
    assertThat(counter.temporaryBytes()).isZero();
  }

  @Test
  void ofAJobThatGainsByOneKindOfDataOnlyThatIsFast() {
    Job intermediate = new Job(0, 0, GB, GB, new PredictedSeconds(100, 80, 99, 79), LONG);
    Job input = new Job(1, 1, GB, GB, new PredictedSeconds(100, 99, 80, 79), LONG);

    assertThat(manager.decide(intermediate, IDLE, counter).configuration())
        .isEqualTo(FAST_INTERMEDIATE);
    assertThat(manager.decide(input, IDLE, counter).configuration()).isEqualTo(FAST_INPUT);
    assertThat(counter.countedBytes()).isEqualTo(2 * GB);
  }

  @Test
  void aJobThatDoesNotWaitGetsNothingPrefetched() {
    assertThat(manager.decide(sort(0, 0, GB, GB, 0), IDLE, counter).configuration())
        .isEqualTo(FAST_INTERMEDIATE);
  }

  @Test
  void inputThatIsInTheFastTierIsNotPrefetchedAgain() {
    manager.rearrange(List.of(new File(0, GB, 5, 0, Claim.USUAL)), IDLE, counter);
    Answer popular = manager.decide(sort(0, 0, GB, 0, 0), IDLE, counter);
    assertThat(popular)
        .isEqualTo(new Answer(FAST_INPUT, false, 100 - 90, List.of(), popular.reason()));
    assertThat(counter.countedBytes()).isZero();

    manager.decide(sort(1, 1, GB, 0, LONG), IDLE, counter);
    Answer second = manager.decide(sort(2, 1, GB, 0, 0), IDLE, counter);
    assertThat(second.configuration()).isEqualTo(FAST_INPUT);
    assertThat(second.prefetches()).isFalse();
    assertThat(counter.countedBytes()).isEqualTo(GB);
  }

  @Test
  void aPrefetchThatTakesMoreFromOthersThanItBringsIsNotMade() {
    // 40 GB of reads at 8 x 61 MB/s and writes: over 100 s of devices that are always busy.
    Job large = new Job(0, 0, 9 * GB, 0, new PredictedSeconds(100, 100, 90, 90), LONG);
    assertThat(manager.decide(large, new TierLoad(9, 0), counter).configuration())
        .isEqualTo(ALL_SLOW);
    assertThat(manager.decide(large, IDLE, counter).configuration()).isEqualTo(FAST_INPUT);
  }

  @Test
  void theFastTierIsLeftAloneWhileItIsTheBottleneck() {
    // A reader gets a tenth of 533 MB/s there, and all of 61 MB/s here.
    Answer answer = manager.decide(sort(0, 0, GB, GB, LONG), new TierLoad(0, 9), counter);
    assertThat(answer.configuration()).isEqualTo(ALL_SLOW);
    assertThat(answer.reason()).contains("bottleneck");
    assertThat(
            manager.decide(sort(0, 0, GB, GB, LONG), new TierLoad(2, 9), counter).configuration())
        .isNotEqualTo(ALL_SLOW);
  }

  @Test
  void theBufferIsNeverPlannedWith() {
    assertThat(manager.decide(sort(0, 0, 10 * GB, 0, LONG), IDLE, counter).configuration())
        .isEqualTo(FAST_INPUT);
    Answer answer = manager.decide(sort(1, 1, GB, GB, LONG), IDLE, counter);
    assertThat(answer.configuration()).isEqualTo(ALL_SLOW);
    assertThat(answer.reason()).contains("no room");
  }

  @Test
  void inputThatNoJobNeedsMakesRoomThatUsedLongestAgoFirst() {
    manager.decide(sort(0, 0, 4 * GB, 0, LONG), IDLE, counter);
    manager.decide(sort(1, 1, 4 * GB, 0, LONG), IDLE, counter);
    counter.over(1);
    counter.over(0);
    assertThat(counter.countedBytes()).isZero();
    assertThat(counter.temporaryBytes()).isEqualTo(8 * GB);

    assertThat(manager.decide(sort(2, 2, 4 * GB, 0, LONG), IDLE, counter).evicted())
        .containsExactly(1);
    assertThat(counter.has(0)).isTrue();
  }

  @Test
  void thePersistentRegionTakesThePopularFilesFirstAndEachOnlyIfItPays() {
    List<File> files =
        List.of(
            new File(0, 4 * GB, 3, 0, Claim.USUAL),
            new File(1, 4 * GB, 9, 0, Claim.USUAL),
            new File(2, 4 * GB, 6, 0, Claim.USUAL),
            new File(3, GB, 1, 0, Claim.USUAL));
    // The fourth is read once: its copy costs more.
    Rearrangement first = manager.rearrange(files, IDLE, counter);
    assertThat(first.in()).containsExactly(1, 2);
    assertThat(first.out()).isEmpty();
    assertThat(counter.persistentBytes()).isEqualTo(8 * GB);

    List<File> later = new ArrayList<>(files);
    later.set(0, new File(0, 4 * GB, 30, 0, Claim.USUAL));
    Rearrangement second = manager.rearrange(later, IDLE, counter);
    assertThat(second.in()).containsExactly(0);
    assertThat(second.out()).containsExactly(2);
  }

  @Test
  void aPrefetchedFileThatBecomesPopularIsNotCopiedAgain() {
    manager.decide(sort(0, 0, GB, 0, LONG), IDLE, counter);
    Rearrangement now =
        manager.rearrange(List.of(new File(0, GB, 9, 0, Claim.USUAL)), IDLE, counter);

    assertThat(now.in()).isEmpty();
    assertThat(counter.persistentBytes()).isEqualTo(GB);
    assertThat(counter.temporaryBytes()).isZero();
    counter.over(0);
    assertThat(counter.persistentBytes()).isEqualTo(GB);
    assertThat(counter.countedBytes()).isZero();
  }

  @Test
  void rearrangingYieldsToShufflesAndPrefetchingDoesNot() {
    assertThat(AdaptivePlacement.shareOfRate(false, true)).isEqualTo(0.1);
    assertThat(AdaptivePlacement.shareOfRate(false, false)).isEqualTo(1);
    assertThat(AdaptivePlacement.shareOfRate(true, true)).isEqualTo(1);
  }

  @Test
  void regionsThatAreNoneAreRefused() {
    assertThatThrownBy(() -> new FastTierRegions(1, 2, 3)).hasMessageContaining("buffer");
    assertThatThrownBy(() -> new PredictedSeconds(1, Double.NaN, 1, 1)).hasMessageContaining("NaN");
  }

  /** What is in the fast tier is followed beside the counter. */
  @Test
  void whateverJobsComeNoRegionOverflowsAndTheCountersReturnToZero() {
    for (int seed = 0; seed < 200; seed++) {
      List<Answer> answers = randomRun(seed);
      assertThat(answers).isEqualTo(randomRun(seed));
    }
  }

  private static List<Answer> randomRun(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FastTierRegions regions =
        new FastTierRegions(random.nextLong(20 * GB), 3 * GB + random.nextLong(20 * GB), 2 * GB);
    AdaptivePlacement manager = manager(regions);
    StorageCounter counter = new StorageCounter();
    long[] bytes = random.longs(12, 1, 6 * GB).toArray();
    Set<Integer> there = new LinkedHashSet<>();
    List<Integer> running = new ArrayList<>();
    List<Answer> answers = new ArrayList<>();
    for (int step = 0; step < 300; step++) {
      switch (random.nextInt(5)) {
        case 0 -> {
          if (!running.isEmpty()) {
            counter.over(running.remove(random.nextInt(running.size())));
          }
        }
        case 1 -> {
          int file = random.nextInt(bytes.length);
          counter.forget(file);
          there.remove(file);
        }
        case 2 -> {
          List<File> files = new ArrayList<>();
          for (int file = 0; file < bytes.length; file++) {
            files.add(new File(file, bytes[file], random.nextInt(9), 0, Claim.USUAL));
          }
          Rearrangement rearranged = manager.rearrange(files, IDLE, counter);
          assertThat(there).containsAll(rearranged.out());
          assertThat(Collections.disjoint(there, rearranged.in())).isTrue();
          there.removeAll(rearranged.out());
          there.addAll(rearranged.in());
        }
        default -> {
          Job job = randomJob(random, step, bytes);
          TierLoad load = new TierLoad(random.nextInt(9), random.nextInt(9));
          Answer answer = manager.decide(job, load, counter);
          answers.add(answer);
          running.add(step);
          assertThat(there).containsAll(answer.evicted());
          there.removeAll(answer.evicted());
          if (answer.prefetches()) {
            assertThat(there.add(job.file())).isTrue();
          }
        }
      }
      assertThat(counter.persistentBytes()).isBetween(0L, regions.persistentBytes());
      assertThat(counter.countedBytes()).isBetween(0L, regions.plannedBytesMax());
      assertThat(counter.temporaryBytes()).isBetween(0L, regions.plannedBytesMax());
      for (int file = 0; file < bytes.length; file++) {
        assertThat(counter.has(file)).isEqualTo(there.contains(file));
      }
    }
    running.forEach(counter::over);
    assertThat(counter.countedBytes()).isZero();
    there.forEach(counter::forget);
    assertThat(counter.persistentBytes()).isZero();
    assertThat(counter.temporaryBytes()).isZero();
    return answers;
  }

  private static Job randomJob(SplittableRandom random, int number, long[] bytes) {
    int file = random.nextInt(-1, bytes.length);
    return new Job(
        number,
        file,
        file < 0 ? 0 : bytes[file],
        random.nextLong(4 * GB),
        new PredictedSeconds(
            100, random.nextInt(60, 101), random.nextInt(60, 101), random.nextInt(40, 101)),
        random.nextInt(100));
  }
}
