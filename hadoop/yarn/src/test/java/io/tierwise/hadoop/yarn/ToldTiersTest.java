package io.tierwise.hadoop.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
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

    assertThat(ToldTiers.of(conf).tier(OF_ONE)).isEqualTo("ssd");
    assertThat(ToldTiers.of(conf).tier(OF_TWO)).isEmpty();
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
  void aContainerThatIsNoneIsNobodysFailure() {
    assertThatThrownBy(() -> tiers.tier("container")).isInstanceOf(IllegalArgumentException.class);
    assertThat(asked).isEmpty();
  }
}
