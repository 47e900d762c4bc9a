package io.tierwise.simulator.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadBoundTest {
  private static final Offset<Double> EXACT = within(1e-6);

  private final ReadProblem problem = new ReadProblem();

  @Test
  void oneReaderIsAsFastAsTheSlowestThingOnTheBestPath() {
    int disk = problem.addResource(3);
    int ssd = problem.addResource(26);
    int up = problem.addResource(7);
    int down = problem.addResource(6);
    reader(new int[] {disk}, new int[] {ssd, up, down});

    assertBound(6, 6);
  }

  @Test
  void readersOfOneDeviceShareItOrTakeTurns() {
    int disk = problem.addResource(100);
    reader(new int[] {disk});
    reader(new int[] {disk});
    reader(new int[] {disk});

    // Files of 100: all after 3 seconds; or after 1, 2 and 3.
    assertBound(300 / 9.0, 300 / 6.0);
  }

  @Test
  void readersUseBothDevicesAndReadFromOneAtATime() {
    int slow = problem.addResource(10);
    int fast = problem.addResource(100);
    reader(new int[] {slow}, new int[] {fast});
    reader(new int[] {slow}, new int[] {fast});

    // Half of the time on each: 55 a reader. One alone takes a second; both need 200 bytes at 110.
    assertBound(55, 200 / (1 + 200 / 110.0));
  }

  @Test
  void whatIsSlowerWithManyReadersIsReadByFew() {
    int disk = problem.addResource(readers -> readers == 1 ? 100 : 60);
    reader(new int[] {disk});
    reader(new int[] {disk});

    assertBound(50, 200 / 3.0);
  }

  @Test
  void aReaderThatIsDoneLeavesItsShareToOthers() {
    int disk = problem.addResource(100);
    problem.addReader();
    problem.addBlock(50);
    problem.addReplica(disk);
    reader(new int[] {disk});

    // Together at 50 each for a second, then 50 bytes alone.
    assertBound(150 / 2.5, 150 / 2.0);
  }

  @Test
  void aFileIsReadEvenlyFromWhereItsBlocksAre() {
    int slow = problem.addResource(10);
    int fast = problem.addResource(30);
    problem.addReader();
    problem.addBlock(30);
    problem.addReplica(slow);
    problem.addBlock(30);
    problem.addReplica(fast);

    assertBound(60 / 4.0, 60 / 4.0);
  }

  @Test
  void theFractionalAssignmentIsNoLimit() {
    int slow = problem.addResource(10);
    int fast = problem.addResource(100);
    for (int i = 0; i < 2; i++) {
      problem.addReader();
      for (int block = 0; block < 10; block++) {
        problem.addBlock(10);
        problem.addReplica(slow);
        problem.addReplica(fast);
      }
    }

    // One has the fast device for itself; the other goes there when its first block is read.
    int[][] choice = new int[2][10];
    Arrays.fill(choice[0], 1);
    Arrays.fill(choice[1], 1, 10, 1);
    ReadBound bound = ReadBound.of(problem);
    assertThat(ChosenReads.bytesPerSecond(problem, choice))
        .isBetween(1.2 * bound.bytesPerSecond(), bound.limitBytesPerSecond());
  }

  /** A link of 2 for two remote reads, then for one; the third reads its own disk at 3. */
  @Test
  void whatWasChosenSharesDevicesAndLinks() {
    int disk = problem.addResource(3);
    int ssd = problem.addResource(26);
    int up = problem.addResource(2);
    for (int reader = 0; reader < 2; reader++) {
      reader(new int[] {disk}, new int[] {ssd, up});
    }
    reader(new int[] {disk}, new int[] {ssd, up});

    int[][] choice = {{1}, {1}, {0}};
    assertThat(ChosenReads.bytesPerSecond(problem, choice))
        .isCloseTo(300 / (100 + 100 + 100 / 3.0), EXACT);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noChoiceOfReplicasPassesTheLimit(long seed) {
    Random random = new Random(seed);
    for (int cluster = 0; cluster < 5; cluster++) {
      ReadProblem some = RandomReads.of(random, 3, 2, 2);
      ReadBound bound = ReadBound.of(some);
      double best = 0;
      for (int code = 0; code < 1 << 6; code++) {
        best = Math.max(best, ChosenReads.bytesPerSecond(some, RandomReads.choice(code, 3, 2)));
      }
      assertThat(best).as("limit").isLessThanOrEqualTo(bound.limitBytesPerSecond() * (1 + 1e-6));
      assertThat(bound.bytesPerSecond())
          .as("fractional")
          .isLessThanOrEqualTo(bound.limitBytesPerSecond() * (1 + 1e-6));
    }
  }

  @Test
  void theSameProblemGivesTheSameBound() {
    assertThat(ReadBound.of(RandomReads.of(new Random(1), 12, 4, 3)))
        .isEqualTo(ReadBound.of(RandomReads.of(new Random(1), 12, 4, 3)));
  }

  @Test
  void aReadThatNothingLimitsHasNoBound() {
    reader(new int[] {});

    assertThatIllegalArgumentException().isThrownBy(() -> ReadBound.of(problem));
  }

  /** Reads 100 bytes in one block. */
  private void reader(int[]... replicas) {
    problem.addReader();
    problem.addBlock(100);
    for (int[] path : replicas) {
      problem.addReplica(path);
    }
  }

  private void assertBound(double bytesPerSecond, double limit) {
    ReadBound bound = ReadBound.of(problem);
    assertThat(bound.bytesPerSecond()).isCloseTo(bytesPerSecond, EXACT);
    assertThat(bound.limitBytesPerSecond()).isCloseTo(limit, EXACT);
  }
}
