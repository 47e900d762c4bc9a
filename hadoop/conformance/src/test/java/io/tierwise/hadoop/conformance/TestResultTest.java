package io.tierwise.hadoop.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TestResultTest {

  @Property(tries = 300)
  void anyTextSurvivesALine(@ForAll String test, @ForAll Outcome outcome, @ForAll String detail) {
    TestResult result = new TestResult(test.replace("\r", ""), outcome, detail.replace("\r", ""));
    assertThat(result.toLine().lines()).hasSizeLessThanOrEqualTo(1);
    assertThat(TestResult.parse(result.toLine())).isEqualTo(result);
  }

  @Test
  void aTestThatOnlyStartedHasFailed() {
    TestResult result = TestResult.parse(TestResult.startedLine("testHangs()"));
    assertThat(result.test()).isEqualTo("testHangs()");
    assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
  }

  @Test
  void aLineOfAnotherKindIsRefused() {
    assertThatThrownBy(() -> TestResult.parse("hello"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hello");
  }
}
