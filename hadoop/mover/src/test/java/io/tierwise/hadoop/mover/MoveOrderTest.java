package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MoveOrderTest {
  @Test
  void aPathBelowAnotherOneIsNotGoneThroughTwice() {
    MoveOrder order = new MoveOrder(List.of("/a/b", "/a", "/ab", "/a", "/c/d"), Optional.empty());

    assertThat(order.paths()).containsExactly("/a", "/ab", "/c/d");
  }

  @Test
  void allIsBelowTheRoot() {
    assertThat(new MoveOrder(List.of("/a", "/"), Optional.empty()).paths()).containsExactly("/");
  }
}
