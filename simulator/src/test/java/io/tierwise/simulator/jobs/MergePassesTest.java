package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MergePassesTest {
  private static final long SORT_BYTES = 100;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatFitsIntoMemoryIsWrittenOnce(boolean reduce) {
    assertThat(MergePasses.bytesWritten(SORT_BYTES, SORT_BYTES, reduce)).isEqualTo(SORT_BYTES);
  }

  @Test
  void aMapWritesItsRunsAndTheirMerge() {
    assertThat(MergePasses.bytesWritten(1000, SORT_BYTES, false)).isEqualTo(2000);
  }

  @Test
  void aReducersLastMergeIsNotWritten() {
    assertThat(MergePasses.bytesWritten(1000, SORT_BYTES, true)).isEqualTo(1000);
  }

  /**
   * A reducer that merges ten files whenever there are 19 on its disk, and then as many of the
   * smallest as it takes to leave ten (Hadoop's on-disk merger and its last merge), writes each
   * byte so often.
   */
  @ParameterizedTest
  @CsvSource({"15, 1.40", "19, 1.53", "30, 1.77", "75, 1.97", "100, 2.00", "150, 2.40"})
  void moreRunsThanAMergeTakesAreMergedAsHadoopDoes(int runs, double times) {
    long bytes = runs * SORT_BYTES;

    assertThat((double) MergePasses.bytesWritten(bytes, SORT_BYTES, true) / bytes)
        .isCloseTo(times, within(0.04));
  }
}
