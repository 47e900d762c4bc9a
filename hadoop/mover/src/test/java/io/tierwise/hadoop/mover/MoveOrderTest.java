package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void asManyFilesAsAFlushChoosesAreNotComparedWithEachOther() {
    List<String> files =
        IntStream.range(0, 200_000).mapToObj(i -> "/warehouse/table/part-" + i).toList();

    assertThat(new MoveOrder(files, Optional.empty()).paths()).hasSameSizeAs(files);
  }
}
