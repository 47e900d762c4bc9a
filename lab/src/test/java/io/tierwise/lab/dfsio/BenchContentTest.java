package io.tierwise.lab.dfsio;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BenchContentTest {
  private static byte[] bytes(BenchContent.Kind kind, long seed, int total, int step) {
    BenchContent content = BenchContent.of(kind, seed);
    byte[] all = new byte[total];
    for (int done = 0; done < total; done += step) {
      byte[] part = new byte[Math.min(step, total - done)];
      content.fill(part);
      System.arraycopy(part, 0, all, done, part.length);
    }
    return all;
  }

  @Property(tries = 50)
  void theSizeOfTheBufferDoesNotChangeTheContent(
      @ForAll BenchContent.Kind kind, @ForAll @IntRange(min = 1, max = 1000) int step) {
    assertThat(bytes(kind, 7, 3000, step)).isEqualTo(bytes(kind, 7, 3000, 3000));
  }

  @Test
  void filesOfOneBenchDiffer() {
    for (BenchContent.Kind kind : BenchContent.Kind.values()) {
      assertThat(bytes(kind, 1, 2000, 2000)).isNotEqualTo(bytes(kind, 2, 2000, 2000));
    }
  }

  @Test
  void rowsAreHundredBytesWithANumberAndAnEndMark() {
    byte[] rows = bytes(BenchContent.Kind.ROWS, 0, 300, 300);

    for (int row = 0; row < 3; row++) {
      byte[] one = Arrays.copyOfRange(rows, row * 100, row * 100 + 100);
      assertThat(new String(one, 12, 32, StandardCharsets.US_ASCII))
          .isEqualTo("0".repeat(31) + row);
      assertThat(Arrays.copyOfRange(one, 96, 100)).containsExactly(0xCC, 0xDD, 0xEE, 0xFF);
    }
    assertThat(Arrays.copyOf(rows, 10)).isNotEqualTo(Arrays.copyOfRange(rows, 100, 110));
  }

  @Test
  void textIsReadable() {
    String text =
        new String(bytes(BenchContent.Kind.TEXT, 0, 20_000, 20_000), StandardCharsets.UTF_8);

    assertThat(text).containsIgnoringCase("licen");
  }
}
