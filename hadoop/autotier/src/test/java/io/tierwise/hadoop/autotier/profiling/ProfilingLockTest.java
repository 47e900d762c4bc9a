package io.tierwise.hadoop.autotier.profiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfilingLockTest {
  @TempDir private Path folder;

  @Test
  void whatAKilledOneMovedIsKnownToTheNextUntilItIsBack() throws IOException {
    Journal journal = new Journal(folder.resolve("journal"));
    assertThat(ProfilingLock.left(journal)).isEmpty();
    try (ProfilingLock killed = ProfilingLock.take(journal)) {
      killed.note("20261128-090000");
      killed.note("20261128-090000-2");
    }
    try (ProfilingLock next = ProfilingLock.take(journal)) {
      assertThat(ProfilingLock.left(journal))
          .containsExactly("20261128-090000", "20261128-090000-2");
      next.clear();
      next.note("20261128-100000");
      assertThat(ProfilingLock.left(journal)).containsExactly("20261128-100000");
      next.clear();
      assertThat(ProfilingLock.left(journal)).isEmpty();
    }
  }

  @Test
  void aSecondOneIsRefusedWhileTheFirstGoesOn() throws IOException {
    Journal journal = new Journal(folder);
    try (ProfilingLock first = ProfilingLock.take(journal)) {
      first.note("20261128-090000");
      assertThatThrownBy(() -> ProfilingLock.take(journal))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining(
              "another 'tierwise profile run' goes on with the journal " + folder);
    }
    ProfilingLock.take(journal).close();
  }
}
