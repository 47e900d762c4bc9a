package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.namenode.DataSetNumbers.Given;
import io.tierwise.hadoop.hdfs.namenode.DataSetNumbers.State;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DataSetNumbersTest {
  private final DataSetNumbers numbers = new DataSetNumbers();

  @BeforeEach
  void startBehindTenBlocks() {
    numbers.start(10);
  }

  private Given given(long fileId) {
    return numbers.given().get(fileId);
  }

  @Test
  void firstCountBeginsTheNumbersAndLaterOnesDoNot() {
    numbers.start(99);
    assertThat(numbers.give(1, 0)).isEqualTo(10);
    assertThat(numbers.give(2, 0)).isEqualTo(11);
  }

  @Test
  void blockThatIsAskedForAgainKeepsItsNumber() {
    assertThat(numbers.give(1, 0)).isEqualTo(10);
    assertThat(numbers.give(1, 0)).isEqualTo(10);
    assertThat(numbers.give(1, 1)).isEqualTo(11);
  }

  @Test
  void closedAndLostFilesAreForgottenWhileOthersGoOnAsking() {
    for (int file = 1; file <= 1_000; file++) {
      numbers.give(file, 0);
      Given given = given(file);
      numbers.give(-1, file);
      numbers.settle(file, given, file % 2 == 0 ? State.LOST : State.STORED_AND_CLOSED);
      assertThat(numbers.fileCount()).isEqualTo(1);
    }
  }

  @Test
  void numberOfALostBlockIsGivenOutAgainLowestFirst() {
    for (int file = 1; file <= 3; file++) {
      numbers.give(file, 0);
    }
    numbers.settle(3, given(3), State.LOST);
    numbers.settle(2, given(2), State.LOST);
    numbers.settle(1, given(1), State.STORED);
    assertThat(List.of(numbers.give(4, 0), numbers.give(5, 0), numbers.give(6, 0)))
        .containsExactly(11L, 12L, 13L);
  }

  @Test
  void fileThatAskedAgainAfterItWasLookedAtKeepsItsNumber() {
    numbers.give(1, 0);
    Given lookedAt = given(1);
    assertThat(numbers.give(1, 0)).isEqualTo(10);
    numbers.settle(1, lookedAt, State.LOST);
    assertThat(numbers.give(2, 0)).isEqualTo(11);
    assertThat(numbers.fileCount()).isEqualTo(2);
  }

  @Test
  void deletedBlocksLeaveTheCountButNoNumberInUseIsGivenTwice() {
    numbers.give(1, 0);
    numbers.correct(numbers.turn(), 4, List.of(10L));
    assertThat(numbers.give(2, 0)).isEqualTo(11);
    numbers.settle(1, given(1), State.STORED_AND_CLOSED);
    numbers.settle(2, given(2), State.STORED_AND_CLOSED);
    numbers.correct(numbers.turn(), 6, List.of());
    assertThat(numbers.give(3, 0)).isEqualTo(6);
  }

  @Test
  void countDuringWhichANumberWasGivenCorrectsNothing() {
    long turn = numbers.turn();
    numbers.give(1, 0);
    numbers.correct(turn, 4, List.of(10L));
    numbers.settle(1, given(1), State.STORED_AND_CLOSED);
    assertThat(numbers.give(2, 0)).isEqualTo(11);
  }
}
