package io.tierwise.hadoop.inspect.advise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadLogTest {
  private static final long START = 1_774_000_000_000L;

  private final ReadLog log = new ReadLog(1 << 10);

  private void read(int file, double second) {
    log.read(file, START + (long) (second * 1000));
  }

  private List<Integer> files() {
    List<Integer> files = new ArrayList<>();
    log.forEach((file, second) -> files.add(file));
    return files;
  }

  @Test
  void countsReadersWithinAMinute() {
    log.begins(0);
    log.begins(1);
    for (double second : new double[] {0, 30, 59, 60, 61, 200}) {
      read(0, second);
    }
    read(1, 300);
    // Exactly a minute later is not within it.
    read(1, 360);

    assertThat(log.readersMax(3)).containsExactly(4, 1, 0);
  }

  @Test
  void forgetsTheReadsOfAFileThatGaveItsNumberAway() {
    log.begins(0);
    read(0, 0);
    read(0, 1);
    log.begins(0);
    read(0, 2);

    assertThat(files()).containsExactly(0);
    assertThat(log.readersMax(1)).containsExactly(1);
  }

  /** 4,000 reads a second after the other, of which 1,024 are kept. */
  @Test
  void countsTheReadsOfATimeThatAreNoLongerKept() {
    log.begins(0);
    log.begins(1);
    for (int i = 0; i < 4_000; i++) {
      read(i % 2, i);
    }
    long start = START / 1000;

    assertThat(log.readsWithin(start, start + 4_000, 3)).containsExactly(2_000, 2_000, 0);
    assertThat(log.readsWithin(0, start - 1, 3)).containsExactly(0, 0, 0);
    assertThat(log.readsWithin(start + 3_000, start + 3_099, 2)).containsExactly(50, 50);
    // They came evenly, as is assumed of those that are not kept.
    assertThat(log.readsWithin(start, start + 999, 2)[0]).isBetween(495, 505);

    log.begins(1);
    assertThat(log.readsWithin(start, start + 4_000, 2)).containsExactly(2_000, 0);
  }

  @Test
  void keepsTheLatestReads() {
    log.begins(0);
    log.begins(1);
    for (int i = 0; i < 1_000; i++) {
      read(0, i);
    }
    for (int i = 0; i < 1_000; i++) {
      read(1, 1_000 + i);
    }

    assertThat(log.count()).isEqualTo(2_000);
    assertThat(files()).hasSize(1_024).startsWith(0).endsWith(1);
    assertThat(files().stream().filter(file -> file == 0)).hasSize(24);
  }
}
