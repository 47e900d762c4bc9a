package io.tierwise.core.use;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.view.FileUse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class UseTest {
  @Test
  void countsKeepWhatTheyWereGiven() {
    long[] given = {3, 0, 5};
    UseCounts counts = new UseCounts(60_000, given, FileUse.of(10, 1, 2), 3);
    given[2] = 7;
    counts.counts()[0] = 7;

    assertThat(counts.counts()).containsExactly(3, 0, 5);
    assertThat(counts.count(2)).isEqualTo(5);
    assertThat(counts.total()).isEqualTo(8);
    assertThat(counts.windowCount()).isEqualTo(3);
  }

  @Test
  void refusesWindowsWithoutLengthAndRenamesWithoutANewPath() {
    assertThatThrownBy(() -> new UseCounts(0, new long[1], FileUse.UNKNOWN, 3))
        .hasMessageContaining("windows of 0 ms");
    assertThatThrownBy(() -> AccessEvent.of(0, AccessKind.RENAME, "/a"))
        .hasMessageContaining("/a without a new path");
  }

  @Test
  void pathsAreTheBytesBetweenTheirEnds() {
    byte[] line = "src=/größe\tdst=null".getBytes(StandardCharsets.UTF_8);
    PathBytes path = new PathBytes();
    path.set(line, 4, 4 + "/größe".getBytes(StandardCharsets.UTF_8).length);

    assertThat(path).hasToString("/größe");
    assertThat(path.length()).isEqualTo(8);
    assertThat(PathBytes.of("/größe")).hasToString("/größe");
  }
}
