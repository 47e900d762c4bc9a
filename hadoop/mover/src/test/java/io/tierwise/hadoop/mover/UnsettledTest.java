package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.FileToMove.Deletion;
import io.tierwise.policies.movement.Hindrance;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks that HDFS is at come back when it has done its work, or are left by their reason. */
class UnsettledTest {
  private static final HdfsLocatedFileStatus TOO_MANY = Made.file(2, Made.blockOn("a", "b", "c"));
  private static final HdfsLocatedFileStatus SETTLED = Made.file(2, Made.blockOn("a", "b"));

  private final List<String> ends = new ArrayList<>();

  private final Unsettled.Taker taker =
      new Unsettled.Taker() {
        @Override
        public void settled(FileToMove file, int index, LocatedBlock block) {
          ends.add("settled with " + block.getLocations().length);
        }

        @Override
        public void hindered(FileToMove file, LocatedBlock block, Hindrance why) {
          ends.add(why.text());
        }
      };

  private static void sleep(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  private static void add(Unsettled unsettled, String path, long id) {
    HdfsLocatedFileStatus status = Made.file(id, 2, Made.blockOn("a", "b", "c"));
    FileToMove file = new FileToMove(path, status, null, Deletion.BY_WANTED_POLICY, null);
    LocatedBlock block = status.getLocatedBlocks().get(0);
    assertThat(unsettled.add(Made.work(file), block, Hindrance.REPLICA_TOO_MANY)).isTrue();
  }

  private void settle(Unsettled unsettled) throws IOException {
    add(unsettled, "/file", 7);
    unsettled.settle(taker);
    unsettled.settle(taker);
  }

  @Test
  void aBlockComesBackOnceWhenHdfsHasDroppedItsReplica() throws IOException {
    int[] asked = {0};

    settle(new Unsettled(file -> asked[0]++ == 0 ? TOO_MANY : SETTLED, 60, () -> false));

    assertThat(ends).containsExactly("settled with 2");
  }

  @Test
  void aNameNodeThatDoesNotAnswerIsAskedAgain() throws IOException {
    int[] asked = {0};
    settle(
        new Unsettled(
            file -> {
              if (asked[0]++ == 0) {
                throw new IOException("it starts again");
              }
              return SETTLED;
            },
            60,
            () -> false));

    assertThat(ends).containsExactly("settled with 2");
  }

  @Test
  void aBlockThatHdfsDoesNotGetDoneIsLeftWithItsReason() throws IOException {
    settle(new Unsettled(file -> TOO_MANY, 0.1, () -> false));

    assertThat(ends).containsExactly(Hindrance.REPLICA_TOO_MANY.text());
  }

  @Test
  void aNameNodeThatNeverAnswersIsTheReason() throws IOException {
    settle(
        new Unsettled(
            file -> {
              throw new IllegalStateException("it is away");
            },
            0.1,
            () -> false));

    assertThat(ends).containsExactly(Hindrance.NOT_ASKED.text());
  }

  /** One that has just started has yet to hear of replicas. */
  @Test
  void theWaitBeginsAnewWhenAnswersBegin() throws IOException {
    int[] asked = {0};
    settle(
        new Unsettled(
            file -> {
              if (asked[0]++ == 0) {
                throw new IOException("it starts again");
              }
              return asked[0] == 2 ? TOO_MANY : SETTLED;
            },
            0.5,
            () -> false));

    assertThat(ends).containsExactly("settled with 2");
  }

  @Test
  void theLastWaitIsFollowedByALook() throws IOException {
    int[] asked = {0};

    settle(new Unsettled(file -> asked[0]++ == 0 ? TOO_MANY : SETTLED, 0.05, () -> false));

    assertThat(ends).containsExactly("settled with 2");
  }

  @Test
  @Timeout(20)
  void aStopEndsAWaitAfterASlowAnswer() throws IOException {
    int[] asked = {0};
    long[] answeredNanos = {0};
    settle(
        new Unsettled(
            file -> {
              asked[0]++;
              // Its pause is the longest that there is.
              sleep(600);
              answeredNanos[0] = System.nanoTime();
              return TOO_MANY;
            },
            60,
            () -> asked[0] > 0 && System.nanoTime() - answeredNanos[0] > 100_000_000L));

    assertThat(asked[0]).isOne();
    assertThat(System.nanoTime() - answeredNanos[0]).isLessThan(3_000_000_000L);
  }

  @Test
  void timeInWhichBlocksAreTakenIsNoWait() throws IOException {
    int[] asked = {0};
    Unsettled unsettled =
        new Unsettled(
            file -> file.path().equals("/first") || asked[0]++ == 1 ? SETTLED : TOO_MANY,
            0.3,
            () -> false);
    Unsettled.Taker slow =
        new Unsettled.Taker() {
          @Override
          public void settled(FileToMove file, int index, LocatedBlock block) throws IOException {
            sleep(500);
            taker.settled(file, index, block);
          }

          @Override
          public void hindered(FileToMove file, LocatedBlock block, Hindrance why) {
            taker.hindered(file, block, why);
          }
        };
    add(unsettled, "/second", 8);
    add(unsettled, "/first", 7);

    unsettled.settle(slow);

    assertThat(ends).containsExactly("settled with 2", "settled with 2");
  }

  @Test
  void aRunThatIsStoppedWaitsForNobody() throws IOException {
    settle(
        new Unsettled(
            file -> {
              throw new AssertionError("asked after the stop");
            },
            60,
            () -> true));

    assertThat(ends).containsExactly(Hindrance.REPLICA_TOO_MANY.text());
  }

  @Test
  void nothingIsToldOfAFileOrABlockThatIsGone() throws IOException {
    settle(
        new Unsettled(
            file -> {
              throw new FileNotFoundException(file.path());
            },
            60,
            () -> false));
    settle(new Unsettled(file -> Made.file(2), 60, () -> false));

    assertThat(ends).isEmpty();
  }

  @Test
  void blocksThatHdfsDoesNotEndByItselfAreNotTaken() {
    Unsettled unsettled = new Unsettled(file -> SETTLED, 60, () -> false);

    for (Hindrance why :
        List.of(Hindrance.BEING_WRITTEN, Hindrance.ALL_CORRUPT, Hindrance.NODE_LEAVES)) {
      assertThat(unsettled.add(Made.work(), null, why)).isFalse();
    }
  }
}
