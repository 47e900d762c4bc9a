package io.tierwise.experiments.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.experiments.run.PolicyPair;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariationTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a.b=1,2,3                     | 1;2;3
          a.b=0..1..0.25                | 0;0.25;0.5;0.75;1
          a.b=1..3                      | 1;2;3
          a.b=1..4..2 Gbps              | 1 Gbps;3 Gbps
          a.b=64 MiB,128 MiB            | 64 MiB;128 MiB
          a.b=zone-ratio:{0,0.5..1..0.5} | zone-ratio:0;zone-ratio:0.5;zone-ratio:1
          a.b={x,y}-{1..2}              | x-1;x-2;y-1;y-2
          a.b=[lsn/grep],[p, q]         | [lsn/grep];[p, q]
          a.b={poisson: 1 /s},together  | {poisson: 1 /s};together
          a.b=x=y                       | x=y
          """)
  void valuesAreListedRangedOrPutIntoBraces(String text, String values) {
    Variation variation = Variation.parse(text, "--vary");
    assertThat(variation.key()).isEqualTo("a.b");
    assertThat(variation.values()).containsExactly(values.split(";"));
  }

  @ParameterizedTest
  @CsvSource({
    "a.b",
    "=1",
    "a.b=",
    "a.b=3..1",
    "a.b=1..3..0",
    "a.b=0..1..0.0001",
    "'a.b=x,'",
    "'a.b=2,2'",
    "'a.b=1..3,2'"
  })
  void aVariationThatMakesNoSenseIsNamed(String text) {
    assertThatThrownBy(() -> Variation.parse(text, "--vary"))
        .hasMessageStartingWith("--vary " + text);
  }

  /** |x - least| falls, then rises: golden section must find the point itself. */
  @Property(tries = 200)
  void theLeastPointOfAValleyIsFoundWithFewQuestions(
      @ForAll @IntRange(min = 0, max = 500) int least,
      @ForAll @IntRange(min = 4, max = 500) int last) {
    Set<BigDecimal> asked = new HashSet<>();
    BigDecimal found =
        new GoldenSearch(
                BigDecimal.ZERO,
                BigDecimal.valueOf(last),
                BigDecimal.ONE,
                point -> {
                  assertThat(asked.add(point)).as("asked once").isTrue();
                  return Math.abs(point.doubleValue() - least);
                })
            .search(100);
    assertThat(found.intValue()).isEqualTo(Math.min(least, last));
    assertThat(asked.size()).isLessThanOrEqualTo(28);
  }

  @Test
  void aSearchStopsAtTheQuestionsAllowed() {
    Set<BigDecimal> asked = new HashSet<>();
    new GoldenSearch(
            BigDecimal.ZERO,
            BigDecimal.valueOf(100_000),
            BigDecimal.ONE,
            point -> asked.add(point) ? -point.doubleValue() : 0)
        .search(8);
    assertThat(asked.size()).isBetween(6, 8);
  }

  @Test
  void keysAreNamedByTheirLastStepsUnlessThoseAreTheSame() {
    assertThat(Variation.shortNames(List.of("devices.a.read", "policies.block", "devices.b.read")))
        .containsExactly("devices.a.read", "block", "devices.b.read");
  }

  @Test
  void policiesAreSplitWhereAPolicyBegins() {
    assertThat(
            PolicyPair.of(List.of("stock,zone-ratio:ssd=0.5,hdd=0.5,hybrid"), List.of()).stream()
                .map(PolicyPair::placement))
        .containsExactly("stock", "zone-ratio:ssd=0.5,hdd=0.5", "hybrid");
    assertThat(
            PolicyPair.of(List.of("stock,region-aware"), List.of()).stream()
                .map(PolicyPair::access))
        .containsExactly("stock", null);
    assertThat(PolicyPair.of(List.of(), List.of("layout:1 x a/sbd:threshold=4")))
        .containsExactly(
            new PolicyPair("layout:1 x a/sbd:threshold=4", "layout:1 x a", "sbd:threshold=4"));
    assertThatThrownBy(() -> PolicyPair.of(List.of(), List.of("hybrid")))
        .hasMessageContaining("--compare hybrid: write PLACEMENT/ACCESS");
  }
}
