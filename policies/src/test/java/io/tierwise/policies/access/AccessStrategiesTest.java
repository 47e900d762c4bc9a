package io.tierwise.policies.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.math.BigDecimal;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessStrategiesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          network-aware                            | network-aware
          balanced                                 | balanced:50
          balanced:50.00                           | balanced:50
          balanced:33.3                            | balanced:33.3
          hybrid:link-megabytes-per-second=1250    | hybrid
          hybrid:link-megabytes-per-second=125     | hybrid:link-megabytes-per-second=125
          network-weighted:level-cost=1            | network-weighted
          network-weighted:level-cost=3            | network-weighted:level-cost=3
          tier-aware:capacity=divided,figure=iops  | tier-aware:figure=iops,capacity=divided
          nbd:threshold=4                          | nbd
          nbd: client-side = true, threshold = 8   | nbd:threshold=8,client-side=true
          sbd:threshold=4                          | sbd:threshold=4
          adaptive:exploration=0.05                | adaptive
          auto:link-megabytes-per-second=1250      | auto
          auto:link-megabytes-per-second=125       | auto:link-megabytes-per-second=125
          adaptive:exploration=0.1,memory-reads=50 | adaptive:exploration=0.1,memory-reads=50
          """)
  void readsASpecificationAndWritesItCanonically(String spec, String canonical) {
    assertThat(AccessStrategies.parse(spec).name()).isEqualTo(canonical);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gredy               | unknown access strategy "gredy"; did you mean "greedy"? known: network-aware, random, network-weighted, tier-aware, hybrid, hybrid-pipelined, greedy, balanced, nbd, sbd, dld, adaptive, auto
          Greedy              | unknown access strategy "Greedy"; did you mean "greedy"? known: network-aware, random, network-weighted, tier-aware, hybrid, hybrid-pipelined, greedy, balanced, nbd, sbd, dld, adaptive, auto
          balanced:150        | access strategy "balanced": remote percentage is "150"; a number from 0 to 100 with at most 2 decimals is allowed
          balanced:-1         | access strategy "balanced": remote percentage is "-1"; a number from 0 to 100 with at most 2 decimals is allowed
          balanced:NaN        | access strategy "balanced": remote percentage is "NaN"; a number from 0 to 100 with at most 2 decimals is allowed
          balanced:1e999999   | access strategy "balanced": remote percentage is "1e999999"; a number from 0 to 100 with at most 2 decimals is allowed
          nbd:threshold=-4    | access strategy "nbd": threshold is "-4"; a whole number from 1 to 1000000 is allowed
          sbd:threshold=0     | access strategy "sbd": threshold is "0"; a whole number from 1 to 1000000 is allowed
          nbd:threshold=4,threshold=5 | access strategy "nbd": setting "threshold" stands twice
          nbd:threshold=      | access strategy "nbd": setting "threshold=" is not key=value
          nbd:client-side=yes | access strategy "nbd": client-side is "yes"; true and false are allowed
          network-weighted:level-cost=0 | access strategy "network-weighted": level-cost is "0"; a whole number from 1 to 1000000 is allowed
          tier-aware:figure=x | access strategy "tier-aware": figure is "x"; allowed: throughput, iops
          greedy:50           | access strategy "greedy": unknown setting "50"; allowed: none
          nbd:colour=red      | access strategy "nbd": unknown setting "colour"; allowed: client-side, threshold
          adaptive:exploration=0.6 | access strategy "adaptive": exploration is "0.6"; a number from 0 to 0.5 with at most 6 decimals is allowed
          """)
  void refusesInOneLineThatNamesTheBadValueAndWhatIsAllowed(String spec, String message) {
    assertThat(catchThrowable(() -> AccessStrategies.parse(spec)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Property
  void whatItReadsReadsBackTheSame(@ForAll("specifications") String spec) {
    AccessStrategy strategy = AccessStrategies.parse(spec);
    AccessStrategy again = AccessStrategies.parse(strategy.name());
    assertThat(again).isEqualTo(strategy);
    assertThat(again.name()).isEqualTo(strategy.name());
  }

  @Property
  void anyOtherTextIsReadOrRefusedInOneShortLine(@ForAll("hostileTexts") String text) {
    Throwable refusal = catchThrowable(() -> AccessStrategies.parse(text));
    if (refusal != null) {
      assertThat(refusal).isInstanceOf(IllegalArgumentException.class);
      // Printable ASCII on one line, whatever was put in.
      assertThat(refusal.getMessage()).hasSizeLessThan(900).matches("[ -~]+");
    }
  }

  @Example
  void refusesATextOfAMegabyteWithoutRepeatingIt() {
    assertThat(catchThrowable(() -> AccessStrategies.parse("balanced:" + "9".repeat(1 << 20))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "access strategy \"balanced:9999999999999999999999999999999...\" is 1048585 characters"
                + " long; at most 200 are allowed");
  }

  @Example
  void listsEveryStrategyWithOneLineAndReadsEachByItsName() {
    assertThat(AccessStrategies.all()).hasSize(13);
    for (var strategy : AccessStrategies.all()) {
      assertThat(AccessStrategies.parse(strategy.name()).name()).startsWith(strategy.name());
      assertThat(strategy.summary()).hasSizeBetween(10, 100).doesNotContain("\n");
    }
  }

  @Provide
  Arbitrary<String> specifications() {
    Arbitrary<Integer> thresholds = Arbitraries.integers().between(1, 1_000_000);
    Arbitrary<String> plain = Arbitraries.of(AccessStrategies.names());
    Arbitrary<String> balanced =
        Arbitraries.bigDecimals()
            .between(BigDecimal.ZERO, BigDecimal.valueOf(100))
            .ofScale(2)
            .map(percent -> "balanced:" + percent.toPlainString());
    Arbitrary<String> nbd =
        Combinators.combine(thresholds, Arbitraries.of(true, false))
            .as((threshold, side) -> "nbd:client-side=" + side + ",threshold=" + threshold);
    Arbitrary<String> sbd = thresholds.map(threshold -> "sbd:threshold=" + threshold);
    Arbitrary<String> hybrid = thresholds.map(speed -> "hybrid:link-megabytes-per-second=" + speed);
    Arbitrary<String> tierAware =
        Combinators.combine(
                Arbitraries.of("throughput", "iops"),
                Arbitraries.of("ignored", "multiplied", "divided"))
            .as((figure, capacity) -> "tier-aware:figure=" + figure + ",capacity=" + capacity);
    Arbitrary<String> adaptive =
        Combinators.combine(
                Arbitraries.integers().between(0, 500_000),
                Arbitraries.integers().between(10, 1_000_000))
            .as(
                (millionths, reads) ->
                    "adaptive:exploration="
                        + BigDecimal.valueOf(millionths, 6).toPlainString()
                        + ",memory-reads="
                        + reads);
    return Arbitraries.oneOf(plain, balanced, nbd, sbd, hybrid, tierAware, adaptive);
  }

  @Provide
  Arbitrary<String> hostileTexts() {
    Arbitrary<String> noise = Arbitraries.strings().ofMaxLength(300);
    Arbitrary<String> settings =
        Arbitraries.strings().withChars(":,=-.0123456789 abcethrsld\n\u0000\u2028").ofMaxLength(60);
    return Arbitraries.oneOf(
        noise,
        Combinators.combine(Arbitraries.of(AccessStrategies.names()), settings)
            .as((name, rest) -> name + ":" + rest));
  }
}
