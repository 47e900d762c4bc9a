package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
  private final BlockingQueue<InPlace> ends = new LinkedBlockingQueue<>();

  /** How a move ends when the NameNode answers so; it is waited for as long as given. */
  private InPlace end(double patienceSeconds, Arrivals.Question nameNode)
      throws InterruptedException {
    return end(
        new Arrivals(nameNode, null, patienceSeconds, (move, how) -> ends.add(how)), () -> {});
  }

  /** The same by a clock that only the NameNode and the first look move on. */
  private InPlace end(double patienceSeconds, Arrivals.Question nameNode, AtomicLong clock)
      throws InterruptedException {
    return end(
        new Arrivals(nameNode, null, patienceSeconds, (move, how) -> ends.add(how), clock::get),
        () -> clock.addAndGet(TimeUnit.SECONDS.toNanos(1)));
  }

  private InPlace end(Arrivals arrivals, Runnable begun) throws InterruptedException {
    new Thread(arrivals, "test-arrivals").start();
    FileToMove file =
        new FileToMove("/file", Made.file(3), null, FileToMove.Deletion.BY_WANTED_POLICY, null);
    arrivals.await(Made.move(Made.work(file), "a", "b"));
    begun.run();
    try {
      return ends.poll(1, TimeUnit.MINUTES);
    } finally {
      arrivals.stop();
    }
  }

  private static HdfsLocatedFileStatus emptyFile() {
    return Made.file(3);
  }

  @Test
  void saysWhenNobodyCouldBeAsked() throws InterruptedException {
    InPlace how =
        end(
            0.1,
            file -> {
              throw new IOException("connection refused");
            });

    assertThat(how).isEqualTo(InPlace.NOT_ASKED);
  }

  @Test
  void knowsThatTheFileIsGone() throws InterruptedException {
    InPlace how =
        end(
            60,
            file -> {
              throw new FileNotFoundException(file.path());
            });

    assertThat(how).isEqualTo(InPlace.NO_BLOCK);
  }

  @Test
  void aCopyThatWasDroppedWithTheNumberOfReplicasIsNotWaitedFor() throws InterruptedException {
    InPlace how = end(60, file -> Made.file(2, Made.blockOn("c", "d")));

    assertThat(how).isEqualTo(InPlace.FEWER);
  }

  @Test
  void aCopyOfWhichNothingIsHeardWhileTheNumberOfReplicasStaysIsMissed()
      throws InterruptedException {
    InPlace how = end(0.1, file -> Made.file(3, Made.blockOn("a", "c", "d")));

    assertThat(how).isEqualTo(InPlace.NO);
  }

  @Test
  void goesOnWithANameNodeThatAnswersAgain() throws InterruptedException {
    int[] asked = {0};
    InPlace how =
        end(
            60,
            file -> {
              if (asked[0]++ < 2) {
                throw new IOException("it starts again");
              }
              return emptyFile();
            });

    assertThat(how).isEqualTo(InPlace.NO_BLOCK);
  }

  /** A NameNode that has just started has yet to hear of the copies. */
  @Test
  void thePatienceBeginsAnewWhenAnswersEndAndWhenTheyBegin() throws InterruptedException {
    AtomicLong clock = new AtomicLong();
    AtomicInteger asked = new AtomicInteger();
    Arrivals.Question nameNode =
        file -> {
          clock.addAndGet(TimeUnit.SECONDS.toNanos(20));
          int number = asked.incrementAndGet();
          if (number <= 3) {
            throw new IOException("it starts again");
          }
          return Made.file(3, number <= 6 ? Made.blockOn("a", "c", "d") : Made.blockOn("b", "c"));
        };

    assertThat(end(60, nameNode, clock)).isEqualTo(InPlace.YES);
    assertThat(asked).hasValue(7);
  }

  /** HDFS is told of once it had time enough, and not of each copy that has just come. */
  @Test
  void hdfsIsSlowToDropAReplicaAfterTenSeconds() throws InterruptedException {
    AtomicLong clock = new AtomicLong();
    List<Integer> late = new ArrayList<>();
    AtomicInteger asked = new AtomicInteger();
    Arrivals.Question nameNode =
        new Arrivals.Question() {
          @Override
          public HdfsLocatedFileStatus locate(FileToMove file) {
            clock.addAndGet(TimeUnit.SECONDS.toNanos(6));
            return asked.incrementAndGet() <= 2
                ? Made.file(3, Made.blockOn("a", "b", "c", "d"))
                : Made.file(3, Made.blockOn("b", "c", "d"));
          }

          @Override
          public void late(LocatedBlock block) {
            late.add(asked.get());
          }
        };

    assertThat(end(60, nameNode, clock)).isEqualTo(InPlace.YES);
    assertThat(late).containsExactly(2);
  }

  /** A busy loop would ask thousands of times. */
  @Test
  void aFileIsAskedAboutEverLessOften() throws InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    InPlace how =
        end(
            1,
            file -> {
              asked.incrementAndGet();
              return Made.file(3, Made.blockOn("a", "c", "d"));
            });

    assertThat(how).isEqualTo(InPlace.NO);
    assertThat(asked).hasValueLessThan(10);
  }

  @Test
  void whatKerberosAsksForIsTheReason() throws InterruptedException {
    Arrivals arrivals =
        new Arrivals(
            file -> {
              throw new IOException("GSS initiate failed");
            },
            null,
            0.1,
            (move, how) -> ends.add(how));

    assertThat(end(arrivals, () -> {})).isEqualTo(InPlace.NOT_ASKED);
    assertThat(arrivals.notAsked().refusal()).isPresent();
    assertThat(arrivals.notAsked().text())
        .startsWith("the NameNode could not be asked whether it is in place: Kerberos gives no");
    assertThat(NotAsked.of(new IOException("connection refused")).text())
        .endsWith("(run again when it answers)");
  }
}
