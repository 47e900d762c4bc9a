package io.tierwise.hadoop.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was told of applications, by a directory of a real file system where it matters. */
class ToldTiersTest {
  private static final String ONE = "application_1700000000000_0001";
  private static final String OF_ONE = "container_1700000000000_0001_01_000002";
  private static final String OF_TWO = "container_1700000000000_0002_01_000001";

  @TempDir private java.nio.file.Path folder;
  private final List<String> asked = new ArrayList<>();
  private final Map<String, String> told = new HashMap<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private boolean answers = true;
  private long nanos;

  private final ToldTiers tiers =
      new ToldTiers(
          application -> {
            asked.add(application);
            if (!answers) {
              throw new IOException("no NameNode");
            }
            return told.getOrDefault(application, "");
          },
          () -> nanos);

  @AfterEach
  void letGo() {
    end.countDown();
  }

  @Test
  void aFileOfTheApplicationsIdHasItsTier() throws IOException {
    Configuration conf = new Configuration();
    assertThat(ToldTiers.of(conf)).isNull();
    conf.set(ToldTiers.DIRECTORY_KEY, folder.toUri().toString());
    Files.writeString(folder.resolve(ONE), "ssd\n");
    readAsAFileSystemDoes(conf);

    assertThat(ToldTiers.of(conf).tier(OF_ONE)).isEqualTo("ssd");
    assertThat(ToldTiers.of(conf).tier(OF_TWO)).isEmpty();
  }

  /**
   * The first such read of a process loads classes, which takes a slow machine longer than a
   * container waits.
   */
  private void readAsAFileSystemDoes(Configuration conf) throws IOException {
    Path file = new Path(folder.resolve(ONE).toUri());
    try (FSDataInputStream in = file.getFileSystem(conf).open(file)) {
      assertThat(in.readAllBytes()).isNotEmpty();
    }
  }

  @Test
  void anApplicationIsAskedAboutOnceAndAgainOnlyWhereNothingWasTold() throws IOException {
    told.put(ONE, "ssd");
    for (int i = 0; i < 3; i++) {
      assertThat(tiers.tier(OF_ONE)).isEqualTo("ssd");
      assertThat(tiers.tier(OF_TWO)).isEmpty();
    }
    assertThat(asked).hasSize(2);
    nanos = TimeUnit.SECONDS.toNanos(10);
    assertThat(tiers.tier(OF_ONE)).isEqualTo("ssd");
    assertThat(tiers.tier(OF_TWO)).isEmpty();
    assertThat(asked).hasSize(3);
  }

  @Test
  void whileHdfsDoesNotAnswerContainersDoNotWaitForItAgainAndAgain() throws IOException {
    answers = false;
    assertThatThrownBy(() -> tiers.tier(OF_ONE)).hasMessage("no NameNode");
    assertThat(tiers.tier(OF_ONE)).isEmpty();
    assertThat(tiers.tier(OF_TWO)).isEmpty();
    assertThat(asked).hasSize(1);
    answers = true;
    told.put(ONE, "ssd");
    nanos = TimeUnit.SECONDS.toNanos(30);
    assertThat(tiers.tier(OF_ONE)).isEqualTo("ssd");
  }

  @Test
  void aQuestionThatHangsIsGivenUp() {
    ToldTiers hangs =
        new ToldTiers(
            application -> {
              while (end.getCount() > 0) {
                try {
                  end.await();
                } catch (InterruptedException e) {
                  // As some calls of Hadoop's client do not hear it.
                }
              }
              return "ssd";
            },
            System::nanoTime);

    assertThatThrownBy(() -> hangs.tier(OF_ONE)).hasMessageContaining("no answer within 2000 ms");
  }

  @Test
  void containersThatBeginAtOnceAreAllTold() throws Exception {
    int containers = 24;
    int applications = 12;
    LongAdder questions = new LongAdder();
    ToldTiers slow =
        new ToldTiers(
            application -> {
              questions.increment();
              awaitEnd();
              return "ssd";
            },
            System::nanoTime,
            TimeUnit.MINUTES.toMillis(1));
    List<Thread> threads = new ArrayList<>();
    Queue<String> answers = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < containers; i++) {
      String container = String.format("container_1700000000000_%04d_01_%06d", i % applications, i);
      Thread thread = new Thread(() -> answers.add(answer(slow, container)));
      threads.add(thread);
      thread.start();
    }
    while (threads.stream()
        .anyMatch(
            one ->
                one.getState() != Thread.State.TIMED_WAITING
                    && one.getState() != Thread.State.TERMINATED)) {
      Thread.onSpinWait();
    }
    end.countDown();
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(answers).hasSize(containers).containsOnly("ssd");
    assertThat(questions.sum()).isEqualTo(applications);
  }

  private void awaitEnd() {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String answer(ToldTiers tiers, String container) {
    try {
      return tiers.tier(container);
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  @Test
  void aContainerThatIsNoneIsNobodysFailure() {
    assertThatThrownBy(() -> tiers.tier("container")).isInstanceOf(IllegalArgumentException.class);
    assertThat(asked).isEmpty();
  }
}
