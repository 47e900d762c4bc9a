package io.tierwise.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FileViewTest {
  private static final long BYTES = 128L << 20;

  /** A NameNode that starts anew must give a copy the same number. */
  @Test
  void theSameCopyHasTheSameNumberAndOthersHaveOthers() {
    FileView copy = FileView.ofCopy(16_387, 3, "uuid-0", BYTES);

    assertThat(FileView.ofCopy(16_387, 3, "uuid-0", BYTES)).isEqualTo(copy);
    assertThat(
            IntStream.range(0, 100)
                .mapToLong(
                    source ->
                        FileView.ofCopy(16_387, 3, "uuid-" + source, BYTES).dataSetBlockIndex())
                .distinct())
        .as("numbers of copies from 100 nodes")
        .hasSizeGreaterThan(95);
    assertThat(FileView.ofCopy(16_387, 3, "uuid-0", BYTES - 1).dataSetBlockIndex())
        .isNotEqualTo(copy.dataSetBlockIndex());
  }

  /** A share by numbers holds for the copies of many files: a quarter, within 5 deviations. */
  @Test
  void numbersAreSpreadEvenly() {
    long quarter =
        LongStream.range(0, 10_000)
            .filter(fileId -> FileView.ofCopy(fileId, 3, "", BYTES).dataSetBlockIndex() % 4 == 0)
            .count();

    assertThat(quarter).isBetween(2_283L, 2_717L);
  }
}
