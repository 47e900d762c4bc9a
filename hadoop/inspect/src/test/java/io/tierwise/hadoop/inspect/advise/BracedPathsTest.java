package io.tierwise.hadoop.inspect.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.GlobExpander;
import org.junit.jupiter.api.Test;

class BracedPathsTest {
  private static final String SIGNS = "{{{}}},,,//ab\\*";

  /** What it says of a pattern, or that it refuses it. */
  private interface Expander {
    List<String> of(String pattern) throws IOException;
  }

  private static List<String> paths(Expander expander, String pattern) {
    try {
      return expander.of(pattern);
    } catch (IOException e) {
      return List.of("refused");
    }
  }

  @Test
  void namesThePathsThatHadoopNames() {
    Random random = new Random(1);
    int opened = 0;
    for (int i = 0; i < 50_000; i++) {
      StringBuilder pattern = new StringBuilder("/");
      for (int length = random.nextInt(24); length > 0; length--) {
        pattern.append(SIGNS.charAt(random.nextInt(SIGNS.length())));
      }
      List<String> ours = paths(each -> new BracedPaths().of(each), pattern.toString());
      opened += ours.size() > 1 ? 1 : 0;

      assertThat(ours)
          .as(pattern.toString())
          .isEqualTo(paths(GlobExpander::expand, pattern.toString()));
    }
    assertThat(opened).isGreaterThan(1_000);
  }

  @Test
  void aThousandPathsAreOpenedAndNoMore() throws IOException {
    assertThat(new BracedPaths().of("/{" + "a/b,".repeat(999) + "a/b}")).hasSize(1_000);
    assertThatThrownBy(() -> new BracedPaths().of("/{" + "a/b,".repeat(1_000) + "a/b}"))
        .hasMessageContaining("more than 1000 paths");
  }
}
