package io.tierwise.hadoop.autotier.profiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfilingLockTest {
  @TempDir private Path folder;

  @Test
  void whatAKilledOneMovedIsKnownToTheNextUntilItIsBack() throws IOException {
    Journal journal = new Journal(folder.resolve("journal"));
    assertThat(ProfilingLock.look(journal)).contains(List.of());
    try (ProfilingLock killed = ProfilingLock.take(journal)) {
      killed.note("20261128-090000");
      killed.note("20261128-090000-2");
    }
    assertThat(ProfilingLock.look(journal))
        .contains(List.of("20261128-090000", "20261128-090000-2"));
    try (ProfilingLock next = ProfilingLock.take(journal)) {
      assertThat(next.left()).containsExactly("20261128-090000", "20261128-090000-2");
      next.clear();
      next.note("20261128-100000");
      assertThat(next.left()).containsExactly("20261128-100000");
      next.clear();
      assertThat(next.left()).isEmpty();
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

  /** Another process, which looks, and then wants to profile, too. */
  static final class Other {
    public static void main(String[] words) throws IOException {
      Journal journal = new Journal(Path.of(words[0]));
      System.out.println(ProfilingLock.look(journal).isEmpty() ? "goes on" : "nobody");
      try (ProfilingLock lock = ProfilingLock.take(journal)) {
        System.out.println("taken, left " + lock.left());
      } catch (OperatorException e) {
        System.out.println("refused");
      }
    }
  }

  private List<String> other() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Other.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    List<String> lines = process.inputReader().lines().toList();
    assertThat(process.waitFor()).as("%s", lines).isZero();
    return lines;
  }

  /** A lock of POSIX ends when its process closes the file, by any handle. */
  @Test
  void whoReadsWhatWasLeftKeepsIt() throws Exception {
    Journal journal = new Journal(folder);
    try (ProfilingLock first = ProfilingLock.take(journal)) {
      first.note("20261128-090000");
      assertThat(first.left()).hasSize(1);

      assertThat(other()).containsExactly("goes on", "refused");
    }
    assertThat(other()).containsExactly("nobody", "taken, left [20261128-090000]");
  }
}
