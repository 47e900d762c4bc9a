package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.tiers.PathPattern;
import io.tierwise.policies.rules.FileRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TierMovesTest {
  private static final long MIB = 1 << 20;
  private static final RuleBook BOOK =
      new RuleBook(
          "rules.txt",
          FileRules.parse(
                  "rules.txt",
                  List.of("path matches /a -> tier ssd", "path matches /b -> tier ssd"))
              .stream()
              .map(rule -> new RuleBook.Entry(rule, new PathPattern(rule.pattern())))
              .toList());

  private static RuleWalk.Moving moving(int rule, long mebibytes) {
    return new RuleWalk.Moving(BOOK.entries().get(rule), "ssd", "/f", 3, mebibytes * MIB);
  }

  private static void require(long roomMebibytes, RuleWalk.Moving... moves) {
    TierMoves.requireRoom(
        BOOK,
        List.of(),
        List.of(moves),
        new Hardware(true, 3, 5, 0, Map.of("ssd", roomMebibytes * MIB)));
  }

  @Test
  void theRuleThatWouldFillATierIsNamed() {
    assertThatCode(() -> require(6, moving(0, 2), moving(1, 1), moving(0, 3)))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> require(5, moving(0, 2), moving(1, 1), moving(0, 3)))
        .isInstanceOf(OperatorException.class)
        .hasMessage(
            "rules.txt:2: would put 1.0 MiB on ssd, which has room for 0 B beyond --keep-free:"
                + " nothing was changed");
  }

  @Test
  void replicasNeedRoomToo() {
    RoundPlan.Change change =
        new RoundPlan.Change(-1, "/f", 1, MIB, 3, 5, null, null, "rules.txt:7", "its rule");
    assertThatThrownBy(
            () ->
                TierMoves.requireRoom(
                    BOOK, List.of(change), List.of(), new Hardware(true, 3, 5, MIB, Map.of())))
        .hasMessageStartingWith("rules.txt:7: its replicas would take more than the 1.0 MiB");
  }
}
