package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PolicyListTest {
  /** Whoever writes a policy by the list needs every setting. */
  @Test
  void noSpecificationIsCut() {
    CommandRun run = CommandRun.of("policy", "list");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .doesNotContain("…")
        .contains("[,by=bytes|seconds|path]", "on the same rack", "[in region NAME]", "|any");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
  }
}
