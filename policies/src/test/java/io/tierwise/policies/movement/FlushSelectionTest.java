package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.view.FileUse;
import io.tierwise.policies.movement.FlushCandidate.Way;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FlushSelectionTest {
  private static FlushCandidate file(String path, long writtenMillis, long bytes) {
    return new FlushCandidate(path, FileUse.of(bytes, writtenMillis, 0), Way.MOVE, bytes);
  }

  private static FlushSelection of(long needed, List<FlushCandidate> files) {
    FlushSelection selection = new FlushSelection(needed, FlushOrder.OLDEST);
    files.forEach(selection::offer);
    return selection;
  }

  @Test
  void choosesTheOldestFilesAndNoMoreThanNeeded() {
    FlushSelection selection =
        of(25, List.of(file("new", 9, 100), file("old", 1, 10), file("mid", 5, 20)));

    assertThat(selection.chosen()).extracting(FlushCandidate::path).containsExactly("old", "mid");
    assertThat(selection.bytes()).isEqualTo(30);
    assertThat(selection.isEnough()).isTrue();
  }

  @Test
  void nothingMovesWhereSurplusReplicasGiveTheRoom() {
    FlushCandidate surplus = new FlushCandidate("new", FileUse.of(10, 9, 0), Way.DROP, 10);

    assertThat(of(10, List.of(file("old", 1, 10), surplus)).chosen()).containsExactly(surplus);
    assertThat(of(15, List.of(file("old", 1, 10), surplus)).chosen())
        .extracting(FlushCandidate::path)
        .containsExactly("new", "old");
  }

  @Test
  void ofEqualAgeTheOneThatFreesMostGoesFirst() {
    assertThat(of(1, List.of(file("a", 1, 10), file("b", 1, 20))).chosen())
        .extracting(FlushCandidate::path)
        .containsExactly("b");
  }

  @Test
  void whatIsReadStaysWhereUnusedFilesGoFirst() {
    FlushCandidate oldAndRead = new FlushCandidate("read", FileUse.of(10, 1, 90), Way.MOVE, 10);
    FlushCandidate newer = new FlushCandidate("newer", FileUse.of(10, 50, 0), Way.MOVE, 10);

    for (FlushOrder order : List.of(FlushOrder.OLDEST, FlushOrder.UNUSED)) {
      FlushSelection selection = new FlushSelection(1, order);
      selection.offer(newer);
      selection.offer(oldAndRead);
      assertThat(selection.chosen())
          .containsExactly(order == FlushOrder.OLDEST ? oldAndRead : newer);
    }
  }

  @Test
  void anUnknownOrderIsRefusedWithTheKnownOnes() {
    assertThat(FlushOrder.of("unused")).isSameAs(FlushOrder.UNUSED);
    assertThatThrownBy(() -> FlushOrder.of("newest"))
        .hasMessage("order \"newest\" is not known; known: oldest, unused");
    assertThatThrownBy(() -> new FileUse(1, 5, 4)).hasMessageContaining("not used last at 4 ms");
  }

  @Test
  void saysWhenAllTogetherAreNotEnough() {
    FlushSelection selection = of(100, List.of(file("a", 1, 10), file("b", 2, 0)));

    assertThat(selection.isEnough()).isFalse();
    assertThat(selection.chosen()).extracting(FlushCandidate::path).containsExactly("a");
  }

  @Test
  void nothingLeavesATierThatHasRoom() {
    assertThat(of(0, List.of(file("a", 1, 10))).chosen()).isEmpty();
  }

  /** Else a second look would flush other files. */
  @Test
  void theChoiceDoesNotDependOnWhoIsOfferedFirst() {
    List<FlushCandidate> files = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      files.add(file("f" + i, i % 17, 1 + i % 23));
    }
    List<FlushCandidate> first = of(500, files).chosen();
    for (int seed = 0; seed < 50; seed++) {
      Collections.shuffle(files, new Random(seed));

      FlushSelection other = of(500, files);

      assertThat(other.chosen()).isEqualTo(first);
      assertThat(other.bytes()).isBetween(500L, 523L);
    }
  }

  @Test
  void aTierIsFlushedFromItsHighMarkToItsLowOne() {
    Watermarks marks = new Watermarks(0.9, 0.7);

    assertThat(marks.bytesToFree(1000, 900)).isZero();
    assertThat(marks.bytesToFree(1000, 901)).isEqualTo(201);
    assertThatThrownBy(() -> new Watermarks(0.5, 0.6)).hasMessageContaining("0.6 and 0.5");
  }
}
