package io.tierwise.core.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RatioTest {
  @Example
  void sevenPercentOfAHundredBlocksAreSeven() {
    assertThat(Math.ceil(0.07 * 100)).as("floating point").isEqualTo(8);
    assertThat(Ratio.parse("0.07").ceilingOf(100)).isEqualTo(7);
  }

  @Property
  void ceilingIsThatOfExactArithmetic(
      @ForAll @IntRange(max = 1_000_000_000) int billionths,
      @ForAll @LongRange(max = 1L << 40) long count) {
    BigDecimal share = BigDecimal.valueOf(billionths, 9);
    long expected =
        share
            .multiply(BigDecimal.valueOf(count))
            .setScale(0, RoundingMode.CEILING)
            .longValueExact();
    assertThat(Ratio.parse(share.toPlainString()).ceilingOf(count)).isEqualTo(expected);
  }

  @Property
  void ceilingOfFractionsIsExact(
      @ForAll @IntRange(min = 1, max = 1000) int denominator,
      @ForAll @IntRange(max = 1000) int numerator,
      @ForAll @LongRange(max = 1_000_000) long count) {
    int top = Math.min(numerator, denominator);
    BigInteger[] divided =
        BigInteger.valueOf(top)
            .multiply(BigInteger.valueOf(count))
            .divideAndRemainder(BigInteger.valueOf(denominator));
    long expected = divided[0].longValueExact() + divided[1].signum();
    assertThat(Ratio.parse(top + "/" + denominator).ceilingOf(count)).isEqualTo(expected);
  }

  @Property
  void textIsReadBackAsTheSameShare(
      @ForAll @LongRange(min = 1, max = Ratio.DENOMINATOR_MAX - 1) long denominator,
      @ForAll @LongRange(max = Ratio.DENOMINATOR_MAX) long numerator) {
    Ratio ratio = new Ratio(Math.min(numerator, denominator), denominator);
    assertThat(Ratio.parse(ratio.toString())).isEqualTo(ratio);
  }

  @Property
  void minusUndoesPlus(@ForAll @IntRange(max = 1000) int a, @ForAll @IntRange(max = 1000) int b) {
    Ratio first = new Ratio(a, 2000);
    Ratio second = new Ratio(b, 2000);
    assertThat(first.plus(second).minus(second)).isEqualTo(first);
    assertThat(first.compareTo(second)).isEqualTo(Integer.compare(a, b));
  }

  @Example
  void showsTheShortestForm() {
    assertThat(Ratio.parse("0.300000000")).hasToString("0.3");
    assertThat(Ratio.parse("2/6")).hasToString("1/3");
    assertThat(Ratio.parse(" 1.0 ")).hasToString("1");
    assertThat(Ratio.parse("0")).isEqualTo(Ratio.ZERO).hasToString("0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "-0.1", "1.1", "1.000000001", "2", "0.1234567891", ".5", "5.", "NaN", "1e-3",
        "0,3", "1/0", "0/0", "3/2", "1/", "/2", "1/2/3", "0.3/1", "0x1", "١", "+0.5",
        "000000000000000000000000000000000.5", "1/99999999999", "0.\n5"
      })
  void whatIsNoShareIsRefusedInOneLineThatShowsIt(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ratio.parse(text))
        .satisfies(
            e ->
                assertThat(e.getMessage())
                    .contains("is no share: write a number from 0 to 1")
                    .hasLineCount(1));
  }

  @Example
  void sumsAndDifferencesStayShares() {
    Ratio half = new Ratio(1, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> half.plus(new Ratio(2, 3)))
        .withMessageContaining("outside 0 to 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> half.minus(Ratio.ONE))
        .withMessageContaining("outside 0 to 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Ratio(1, 999_999_937).plus(new Ratio(1, 999_999_929)))
        .withMessageContaining("finer than nine decimals");
  }
}
