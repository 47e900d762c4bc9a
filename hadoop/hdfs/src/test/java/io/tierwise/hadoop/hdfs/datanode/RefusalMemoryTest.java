package io.tierwise.hadoop.hdfs.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalMemoryTest {
  @Test
  void aClientThatComesBackForItsBlockIsKnown() {
    RefusalMemory memory = new RefusalMemory(10, 100);
    assertThat(memory.put("client", "block", 0)).isTrue();
    assertThat(memory.remembers("other", "block", 1)).isFalse();
    assertThat(memory.remembers("client", "other", 1)).isFalse();
    assertThat(memory.remembers("client", "block", 100)).isTrue();
  }

  @Test
  void everyThreadOfAClientThatComesBackIsKnown() {
    RefusalMemory memory = new RefusalMemory(10, 100);
    memory.put("client", "block", 0);
    assertThat(memory.remembers("client", "block", 1)).as("another thread, served").isTrue();
    assertThat(memory.remembers("client", "block", 2)).as("the one that was refused").isTrue();
  }

  @Test
  void aRefusalIsForgottenAfterAWhile() {
    RefusalMemory memory = new RefusalMemory(10, 100);
    memory.put("client", "block", 0);
    assertThat(memory.remembers("client", "block", 101)).isFalse();
  }

  @Test
  void aSecondRefusalOfTheSameBlockTakesThePlaceOfTheFirst() {
    RefusalMemory memory = new RefusalMemory(2, 100);
    memory.put("a", "block", 0);
    memory.put("b", "block", 10);
    assertThat(memory.put("a", "block", 60)).isTrue();
    assertThat(memory.size()).isEqualTo(2);
    // The refusal of b is the oldest now, and makes room when it has expired.
    assertThat(memory.put("c", "block", 111)).isTrue();
    assertThat(memory.remembers("a", "block", 160)).isTrue();
  }

  @Test
  void allThatIsForgottenMakesRoomAtOnce() {
    RefusalMemory memory = new RefusalMemory(3, 100);
    memory.put("a", "block", 0);
    memory.put("b", "block", 1);
    memory.put("c", "block", 2);
    assertThat(memory.put("d", "block", 103)).isTrue();
    assertThat(memory.size()).isOne();
  }

  @Test
  void refusesNoMoreThanItCanRemember() {
    RefusalMemory memory = new RefusalMemory(2, 100);
    assertThat(memory.put("a", "block", 0)).isTrue();
    assertThat(memory.put("b", "block", 50)).isTrue();
    assertThat(memory.put("c", "block", 60)).isFalse();
    assertThat(memory.remembers("a", "block", 70)).isTrue();
    assertThat(memory.put("c", "block", 70)).as("what was asked for still counts").isFalse();
    // Expired entries make room.
    assertThat(memory.put("d", "block", 101)).isTrue();
    assertThat(memory.size()).isEqualTo(2);
  }
}
