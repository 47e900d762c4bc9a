package io.tierwise.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What runs of an application have in common. */
class ApplicationNameTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          word count                                     | word count
          TPC-H query 12                                 | TPC-H query 12
          etl 2026-11-27                                 | etl #
          etl 2026-11-27T06:30:00 full                   | etl # full
          report-20261127                                | report-#
          distcp: job_1764230000000_0042                 | distcp: job_#_#
          oozie:launcher:T=sqoop:W=load:ID=0000012-3-W   | oozie:launcher:T=sqoop:W=load:ID=#-3-W
          load 6f1c0a52-0a3b-4c7d-9d2e-1f00aa55cc77 x    | load # x
          ''                                             | (no name)
          """)
  void datesAndNumbersOfRunsAreLeftOut(String run, String application) {
    assertThat(ApplicationName.of(run)).isEqualTo(application);
  }

  @Test
  void aLongNameLosesItsEnd() {
    String name = ApplicationName.of("x".repeat(199) + " and more");

    assertThat(name).isEqualTo("x".repeat(199));
    assertThat(ApplicationName.of(name)).isEqualTo(name);
  }

  @Property
  void anyNameBecomesALineThatStaysWhatItIs(@ForAll String run) {
    String name = ApplicationName.of(run);

    assertThat(name).isNotBlank().hasSizeLessThanOrEqualTo(200);
    assertThat(name.chars()).noneMatch(Character::isISOControl);
    assertThat(ApplicationName.of(name)).isEqualTo(name);
  }
}
