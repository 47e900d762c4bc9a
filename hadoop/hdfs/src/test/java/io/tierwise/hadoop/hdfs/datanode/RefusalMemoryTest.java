package io.tierwise.hadoop.hdfs.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalMemoryTest {
  @Test
  void aClientThatComesBackIsKnownOnce() {
    RefusalMemory memory = new RefusalMemory(10, 100);
    assertThat(memory.put("client", "block", 0)).isTrue();
    assertThat(memory.take("other", "block", 1)).isFalse();
    assertThat(memory.take("client", "other", 1)).isFalse();
    assertThat(memory.take("client", "block", 100)).isTrue();
    assertThat(memory.take("client", "block", 100)).isFalse();
  }

  @Test
  void aRefusalIsForgottenAfterAWhile() {
    RefusalMemory memory = new RefusalMemory(10, 100);
    memory.put("client", "block", 0);
    assertThat(memory.take("client", "block", 101)).isFalse();
  }

  @Test
  void refusesNoMoreThanItCanRemember() {
    RefusalMemory memory = new RefusalMemory(2, 100);
    assertThat(memory.put("a", "block", 0)).isTrue();
    assertThat(memory.put("b", "block", 50)).isTrue();
    assertThat(memory.put("c", "block", 60)).isFalse();
    assertThat(memory.take("a", "block", 70)).isTrue();
    assertThat(memory.put("c", "block", 70)).isTrue();
    // What has expired makes room.
    assertThat(memory.put("d", "block", 151)).isTrue();
    assertThat(memory.size()).isEqualTo(2);
  }
}
