package io.tierwise.hadoop.hdfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class TaskIndexTest {
  private static TaskIndex of(String... settings) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return TaskIndex.of(conf);
  }

  @Test
  void isTheTaskNumberOfAMapReduceAttempt() {
    assertThat(of("mapreduce.task.attempt.id", "attempt_1761000000000_0007_m_000012_3").current())
        .isEqualTo(12);
    assertThat(of("mapreduce.task.attempt.id", "attempt_1761000000000_0007_r_000003_0").current())
        .isEqualTo(3);
  }

  @Test
  void theKeyIsStrongerThanTheAttempt() {
    assertThat(
            of(
                    "mapreduce.task.attempt.id",
                    "attempt_1761000000000_0007_m_000012_3",
                    ClientKeys.TASK_INDEX,
                    "5")
                .current())
        .isEqualTo(5);
  }

  @Test
  void isNoneForAReaderThatIsNoTask() {
    assertThat(of().current()).isEqualTo(TaskIndex.NONE);
    assertThat(of("mapreduce.task.attempt.id", "something").current()).isEqualTo(TaskIndex.NONE);
  }

  @Test
  void aValueThatIsNoNumberIsNamedWithItsKey() {
    assertThatThrownBy(() -> of(ClientKeys.TASK_INDEX, "third"))
        .hasMessage("tierwise.access.task-index is \"third\": must be a whole number");
  }
}
