package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StorageCounterTest {
  private final StorageCounter counter = new StorageCounter();

  /** A host that looks what is there tells the bytes of a file once, when it finds it. */
  @Test
  void inputThatJobsFindThereIsNeededAsAWholeUntilTheLastOfThemIsOver() {
    counter.found(7, 100);
    assertThat(counter.countedBytes()).isZero();
    counter.hold(1, 7, 0, 0);
    counter.hold(2, 7, 0, 50);
    assertThat(counter.countedBytes()).isEqualTo(150);
    assertThat(counter.evict(0)).isEmpty();

    counter.over(1);
    assertThat(counter.countedBytes()).isEqualTo(150);
    counter.over(2);
    assertThat(counter.countedBytes()).isZero();
    assertThat(counter.temporaryBytes()).isEqualTo(100);
    assertThat(counter.evict(99)).containsExactly(7);
    assertThat(counter.temporaryBytes()).isZero();
  }

  /** A host gives the number of a file that is gone to the one that was laid out in its place. */
  @Test
  void aJobOfAFileThatIsGoneTakesNothingFromTheNextOneOfItsNumber() {
    counter.hold(1, 7, 100, 0);
    counter.forget(7);
    counter.hold(2, 7, 60, 0);

    counter.over(1);
    assertThat(counter.countedBytes()).isEqualTo(60);
    assertThat(counter.evict(0)).isEmpty();
    counter.over(2);
    assertThat(counter.countedBytes()).isZero();
    assertThat(counter.evict(0)).containsExactly(7);
  }

  @Test
  void aJobOfAFileThatBecamePopularTakesNothingFromOneForWhichItCameBack() {
    counter.hold(1, 7, 100, 0);
    counter.persist(7, 100);
    counter.forget(7);
    counter.hold(2, 7, 100, 0);

    counter.over(1);
    assertThat(counter.isNeeded(7)).isTrue();
    assertThat(counter.evict(0)).isEmpty();
    counter.over(2);
    assertThat(counter.isNeeded(7)).isFalse();
  }
}
