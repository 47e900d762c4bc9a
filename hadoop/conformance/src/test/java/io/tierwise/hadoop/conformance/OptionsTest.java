package io.tierwise.hadoop.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {

  @Test
  void withoutArgumentsAllSidesOfTheWholeSuiteRunTwoAtATime() throws UsageException {
    Options options = Options.parse();
    assertThat(options.sides()).containsExactly(Side.STOCK, Side.INSTALLED, Side.DECIDING);
    assertThat(options.stockOnDemand()).isTrue();
    assertThat(options.patterns()).isEmpty();
    assertThat(options.jobs()).isEqualTo(2);
  }

  @Test
  void everyOptionIsRead() throws UsageException {
    Options options =
        Options.parse(
            "--classes",
            "TestRead, TestPread",
            "--side",
            "installed,stock",
            "--stock",
            "always",
            "--hadoop",
            "3.4.2",
            "--jobs",
            "3",
            "--timeout",
            "60",
            "--reuse-stock",
            "--opt-in",
            "--keep",
            "--plugins",
            "a.jar");
    assertThat(options.patterns()).containsExactly("TestRead", "TestPread");
    assertThat(options.sides()).containsExactly(Side.STOCK, Side.INSTALLED);
    assertThat(options.stockOnDemand()).isFalse();
    assertThat(options.hadoop()).contains("3.4.2");
    assertThat(options.jobs()).isEqualTo(3);
    assertThat(options.timeoutSeconds()).isEqualTo(60);
    assertThat(options.reuseStock()).isTrue();
    assertThat(options.optIn()).isTrue();
    assertThat(options.keep()).isTrue();
    assertThat(options.plugins()).hasValueSatisfying(jar -> assertThat(jar).hasFileName("a.jar"));
  }

  @Test
  void stockAloneIsNotOnDemand() throws UsageException {
    assertThat(Options.parse("--side", "stock").stockOnDemand()).isFalse();
  }

  @Test
  void theHelpNamesEveryOption() {
    assertThat(Options.HELP)
        .contains(
            "--hadoop",
            "--classes",
            "--side",
            "--stock ",
            "--jobs",
            "--timeout",
            "--reuse-stock",
            "--plugins")
        .contains("--opt-in", "--keep", "--list", "--help", "exit code");
  }

  @ParameterizedTest
  @CsvSource({
    "--hadoop, 3.4",
    "--jobs, 0",
    "--jobs, many",
    "--jobs, 65",
    "--timeout, 5",
    "--side, theirs",
    "--side, 'stock,'",
    "--stock, never",
    "'--classes', ','",
    "--nonsense, x"
  })
  void aBadValueIsNamed(String option, String value) {
    assertThatThrownBy(() -> Options.parse(option, value))
        .isInstanceOfSatisfying(
            UsageException.class, e -> assertThat(e.exitCode()).isEqualTo(UsageException.BAD_INPUT))
        .hasMessageContaining(option);
  }

  @Test
  void anOptionWithoutItsValueIsNamed() {
    assertThatThrownBy(() -> Options.parse("--jobs", "--keep")).hasMessageContaining("--jobs");
    assertThatThrownBy(() -> Options.parse("--jobs")).hasMessageContaining("--jobs");
  }
}
