package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasuredLinksTest {
  private static final long HALF_LIFE = MeasuredLinks.HALF_LIFE_MILLIS;

  private final MeasuredLinks links = new MeasuredLinks();

  @Test
  void whatIsReportedCountsAndFadesUntilSomethingNewIsSaid() {
    assertThat(links.after(Map.of("a", 0.25), 0)).containsExactly(Map.entry("a", 0.25));
    assertThat(links.after(Map.of("a", 0.25), HALF_LIFE).get("a")).isCloseTo(0.5, within(1e-9));
    assertThat(links.after(Map.of("a", 0.2), HALF_LIFE)).containsEntry("a", 0.2);
    assertThat(links.after(Map.of("a", 0.2), 20 * HALF_LIFE)).as("nearly usual again").isEmpty();
  }

  @Test
  void aNodeThatNobodyReportsIsAsFastAsItIsSaidToBe() {
    links.after(Map.of("a", 0.1, "b", 0.5), 0);
    assertThat(links.after(Map.of("b", 0.5), 1)).containsOnlyKeys("b");
    assertThat(links.after(Map.of(), 2)).isEmpty();
    assertThat(links.after(Map.of("a", 0.1), 3 * HALF_LIFE)).as("anew").containsEntry("a", 0.1);
  }

  @Test
  void figuresAndClocksWithoutSenseLeaveAShareOfTheSpeed() {
    assertThat(links.after(Map.of("a", -1.0), 0).get("a")).isEqualTo(MeasuredLinks.SHARE_MIN);
    assertThat(links.after(Map.of("a", 1e300), 0)).isEmpty();
    assertThat(links.after(Map.of("a", 0.1), 0)).containsEntry("a", 0.1);
    assertThat(links.after(Map.of("a", 0.1), Long.MIN_VALUE).get("a")).isBetween(0.1, 1.0);
  }
}
