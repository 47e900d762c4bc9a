package io.tierwise.policies.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FileRulesTest {
  private record Facts(
      long bytes,
      double writtenSecondsAgo,
      int replicas,
      FileFacts.Reads wereRead,
      FileFacts.Counted counted)
      implements FileFacts {
    @Override
    public Reads reads(double seconds) {
      return wereRead;
    }
  }

  private static FileRule rule(String text) {
    return FileRules.parse("rules", List.of(text)).get(0);
  }

  /** Why the rule is not known to be for a file; empty when it is. */
  private static Optional<String> reads(String condition, long least, long most, double hours) {
    RuleAnswer answer = answer(condition, least, most, hours);
    return answer.holds() ? Optional.empty() : Optional.of(answer.why());
  }

  private static RuleAnswer answer(String condition, long least, long most, double hours) {
    return rule("path matches /** and " + condition + " -> replicas 2")
        .ask(
            new Facts(
                1,
                1,
                3,
                new FileFacts.Reads(least, most),
                new FileFacts.Counted(hours * 3600, "the log begins then")));
  }

  @Test
  void aByteOrderMarkThatAnEditorPutBeforeTheFirstRuleIsNoPartOfIt() {
    assertThat(FileRules.parse("rules", List.of("\uFEFFpath matches /a -> replicas 2")))
        .singleElement()
        .extracting(FileRule::text)
        .isEqualTo("path matches /a -> replicas 2");
  }

  @Test
  void readsWhatPeopleWrite() {
    List<FileRule> rules =
        FileRules.parse(
            "rules",
            List.of(
                "# old logs",
                "",
                "path matches /logs/* and reads(7d) < 3 -> secondary   # rarely read",
                "path matches /hot/** and reads(1h)>=20 and size <= 1.5GiB -> replicas 5",
                "path matches /table -> tier ssd"));

    assertThat(rules).extracting(FileRule::line).containsExactly(3, 4, 5);
    assertThat(rules).extracting(FileRule::pattern).containsExactly("/logs/*", "/hot/**", "/table");
    assertThat(rules)
        .extracting(FileRule::action)
        .containsExactly(
            new RuleAction.Secondary(), new RuleAction.Replicas(5), new RuleAction.InTier("ssd"));
    RuleCondition reads = rules.get(0).conditions().get(0);
    assertThat(reads.seconds()).isEqualTo(7 * 86_400);
    assertThat(reads.value()).isEqualTo(3);
    assertThat(rules.get(1).conditions().get(1).value()).isEqualTo(1.5 * (1 << 30));
    assertThat(rules.get(2).conditions()).isEmpty();
  }

  @Test
  void aRuleFiresWhenAllOfItHoldsForCertain() {
    assertThat(reads("reads(1h) < 3", 2, 2, 1)).isEmpty();
    assertThat(reads("reads(1h) < 3", 2, 5, 1)).get().asString().contains("2 to 5 reads");
    assertThat(reads("reads(1h) > 3", 4, 9, 0)).isEmpty();
    assertThat(reads("reads(1h) > 3", 3, 9, 1)).isPresent();
    assertThat(reads("reads(1h) = 3", 3, 3, 1)).isEmpty();
    assertThat(reads("reads(1h) < 3 and size > 1B", 2, 2, 1))
        .get()
        .asString()
        .contains("size > 1B");
    assertThat(reads("age <= 1s and replicas = 3", 0, 0, 0)).isEmpty();
  }

  @Test
  void fewReadsOfATimeThatNobodyCountedAreNotFew() {
    assertThat(reads("reads(7d) < 3", 0, 0, 2))
        .get()
        .asString()
        .isEqualTo(
            "reads(7d) < 3 is not known: reads have been counted for 2.0 h alone"
                + " (the log begins then)");
    assertThat(reads("reads(7d) < 3", 0, 0, 168)).isEmpty();
  }

  @Test
  void whatNobodyCountedSaysNeitherYesNorNo() {
    assertThat(answer("reads(7d) >= 1", 0, 0, 2))
        .isEqualTo(
            RuleAnswer.notKnown(
                "reads(7d) >= 1 is not known: reads have been counted for 2.0 h alone"
                    + " (the log begins then)"));
    assertThat(answer("reads(7d) >= 1", 0, 0, 168).kind()).isEqualTo(RuleAnswer.Kind.FAILS);
    assertThat(answer("reads(7d) >= 1", 1, 1, 2).holds()).isTrue();
    for (String condition : List.of("reads(7d) < 1", "reads(7d) <= 0", "reads(7d) = 0")) {
      assertThat(answer(condition, 0, 0, 2).kind()).isEqualTo(RuleAnswer.Kind.NOT_KNOWN);
      assertThat(answer(condition, 1, 1, 2).kind()).isEqualTo(RuleAnswer.Kind.FAILS);
      assertThat(answer(condition, 0, 0, 168).holds()).isTrue();
    }
    assertThat(answer("reads(7d) > 2", 2, 4, 168))
        .isEqualTo(RuleAnswer.notKnown("reads(7d) > 2 is not known: 2 to 4 reads"));
    assertThat(answer("reads(7d) = 3", 2, 4, 168).kind()).isEqualTo(RuleAnswer.Kind.NOT_KNOWN);
    assertThat(answer("reads(7d) = 3", 4, 5, 168).kind()).isEqualTo(RuleAnswer.Kind.FAILS);
    assertThat(answer("reads(7d) = 3", 0, 2, 168).kind()).isEqualTo(RuleAnswer.Kind.FAILS);
    assertThat(answer("reads(7d) = 3", 0, 2, 2).kind()).isEqualTo(RuleAnswer.Kind.NOT_KNOWN);
    assertThat(answer("reads(7d) >= 1 and size > 1B", 0, 0, 2).kind())
        .as("one condition that fails is enough")
        .isEqualTo(RuleAnswer.Kind.FAILS);
  }

  @Test
  void filesComeFirstAlwaysOrAroundATimeOfDay() {
    RuleAction.Sla always = (RuleAction.Sla) rule("path matches /a/** -> sla").action();
    assertThat(always.isDue(0, 0)).isTrue();
    assertThat(always.text()).isEqualTo("sla");

    RuleAction.Sla by = (RuleAction.Sla) rule("path matches /a/** -> sla by 1:30").action();
    assertThat(by.text()).isEqualTo("sla by 01:30");
    double halfPastOne = 1.5 * 3600;
    assertThat(by.isDue(halfPastOne, 0)).isTrue();
    assertThat(by.isDue(halfPastOne - 7200, 7200)).isTrue();
    assertThat(by.isDue(halfPastOne + 7200, 7200)).isTrue();
    assertThat(by.isDue(halfPastOne + 7201, 7200)).isFalse();
    assertThat(by.isDue(23.5 * 3600, 7200)).as("before midnight").isTrue();
    assertThat(by.isDue(23.4 * 3600, 7200)).isFalse();
  }

  @Test
  void badLinesAreNamedWithTheirNumbers() {
    for (String[] bad :
        List.of(
            new String[] {"/logs -> secondary", "\"/logs -> secondary\" is no rule"},
            new String[] {"path matches /a reads(7d) < 3 -> secondary", "each begins with \"and\""},
            new String[] {
              "path matches /a and reads < 3 -> secondary", "unknown measure \"reads\""
            },
            new String[] {
              "path matches /a and reads(7) < 3 -> secondary", "\"7\" has no unit of: s"
            },
            new String[] {
              "path matches /a and reads(7d) ~ 3 -> secondary", "\"~\" compares nothing"
            },
            new String[] {"path matches /a and size > 3 -> secondary", "\"3\" has no unit of: B"},
            new String[] {"path matches /a and sise > 3B -> secondary", "did you mean \"size\""},
            new String[] {"path matches /a and reads(1h) < 3x -> secondary", "\"3x\" is no number"},
            new String[] {"path matches /a -> replicas 0", "\"replicas 0\" is no action"},
            new String[] {"path matches /a -> sla by 24:00", "write sla or sla by 14:00"},
            new String[] {"path matches /a -> sla 14:00", "\"sla 14:00\" is no action"},
            new String[] {"path matches /a -> tier", "\"tier\" is no action"},
            new String[] {"path matches /a -> \n", "is no action"})) {
      assertThatThrownBy(() -> FileRules.parse("rules.txt", List.of("", bad[0])))
          .as(bad[0])
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("rules.txt:2: ")
          .hasMessageContaining(bad[1])
          .hasMessageNotContaining("\n");
    }
  }
}
