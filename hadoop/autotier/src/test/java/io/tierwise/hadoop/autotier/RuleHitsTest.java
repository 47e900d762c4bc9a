package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.PathPattern;
import io.tierwise.policies.rules.FileRules;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RuleHitsTest {
  private static final int BYTES = 10;

  private final RuleBook book =
      new RuleBook(
          "rules",
          FileRules.parse(
                  "rules",
                  List.of(
                      "path matches /a/** -> replicas 2",
                      "path matches /b/** -> tier ssd",
                      "path matches /c/** -> secondary"))
              .stream()
              .map(rule -> new RuleBook.Entry(rule, new PathPattern(rule.pattern())))
              .toList());

  @Test
  void whatIsBeyondTheBoundIsLeftForTheNextTimeAndAsksForRoomAllTheSame() {
    RuleHits hits = new RuleHits(book, new RuleHits.Bounds(2, 1, 1));
    for (int rule = 0; rule < 3; rule++) {
      for (int file = 0; file < 3; file++) {
        RulePass.Seen seen = new RulePass.Seen("/" + rule + "/" + file, BYTES, 0, 1);
        hits.file(rule);
        hits.add(new RuleHits.Hit(rule, seen, 10L * rule + file, true, rule == 1 ? BYTES : 0));
      }
    }

    assertThat(hits.changes(Set.of()))
        .extracting(RoundPlan.Change::path)
        .containsExactly("/0/0", "/0/1");
    assertThat(hits.changes(Set.of()).get(0).reason())
        .isEqualTo("rules:1: path matches /a/** -> replicas 2");
    assertThat(hits.changes(Set.of("rules:1"))).isEmpty();
    assertThat(hits.moves(Set.of())).extracting(TierMoves.Moving::path).containsExactly("/1/0");
    assertThat(hits.offloads())
        .extracting(StoreMove.Wish::fileIds)
        .containsExactly(Map.of("/2/0", 20L));
    assertThat(hits.outcomes(Map.of()))
        .extracting(RoundPlan.RuleOutcome::fired)
        .containsExactly(2L, 1L, 1L);
    assertThat(hits.outcomes(Map.of()))
        .allMatch(one -> one.left().get(0).reason().equals(RuleHits.OTHERS_FIRST));
    assertThat(hits.asked())
        .containsExactly(
            new RuleRooms.Asked(book.entries().get(0).rule(), 3 * BYTES, 0),
            new RuleRooms.Asked(book.entries().get(1).rule(), 0, 3 * BYTES),
            new RuleRooms.Asked(book.entries().get(2).rule(), 0, 0));
  }

  /** Else a rule below would get the room of replicas that this round leaves where they are. */
  @Test
  void replicasThatStayForTheNextTimeGiveNoRoom() {
    RuleHits hits = new RuleHits(book, new RuleHits.Bounds(2, 1, 1));
    for (int file = 0; file < 5; file++) {
      RulePass.Seen seen = new RulePass.Seen("/a/" + file, BYTES, 0, 5);
      hits.file(0);
      hits.add(new RuleHits.Hit(0, seen, file, true, 0));
    }

    assertThat(hits.changes(Set.of())).hasSize(2);
    assertThat(hits.asked().get(0).replicaBytes()).isEqualTo(-2 * 3 * BYTES);
  }

  @Test
  void aRuleThatWasAskedAboutNoFileSaysWhy() {
    RuleBook rules =
        new RuleBook(
            "rules",
            FileRules.parse(
                    "rules",
                    List.of(
                        "path matches /a/** -> replicas 2",
                        "path matches /a/** and size > 1kB -> replicas 1",
                        "path matches /b/** -> replicas 1",
                        "path matches /c/ -> replicas 1"))
                .stream()
                .map(rule -> new RuleBook.Entry(rule, new PathPattern(rule.pattern())))
                .toList());
    RuleHits hits = new RuleHits(rules, RuleHits.Bounds.USUAL);
    hits.file(0);
    hits.asWanted(0);
    assertThat(hits.isUnasked(1)).isTrue();
    hits.decidedAbove(1);
    assertThat(hits.isUnasked(1)).isFalse();

    assertThat(hits.outcomes(Map.of()))
        .flatExtracting(RoundPlan.RuleOutcome::left)
        .extracting(RoundPlan.Left::reason)
        .containsExactly(
            "rules above decide about all files of its path",
            "no file matches its path",
            "no file matches its path");
  }

  @Test
  void whatAJobReadsDoesNotGoToTheSecondaryStoreAndWhatComesFirstIsTold() {
    RuleBook sla =
        new RuleBook(
            "rules",
            FileRules.parse(
                    "rules", List.of("path matches /a/* -> secondary", "path matches /b/* -> sla"))
                .stream()
                .map(rule -> new RuleBook.Entry(rule, new PathPattern(rule.pattern())))
                .toList());
    RuleHits hits = new RuleHits(sla, RuleHits.Bounds.USUAL);
    for (long id = 1; id <= 3; id++) {
      int rule = id == 3 ? 1 : 0;
      String path = (id == 3 ? "/b/" : "/a/") + id;
      hits.file(rule);
      hits.add(new RuleHits.Hit(rule, new RulePass.Seen(path, BYTES, 0, 2), id, true, BYTES / 2));
    }

    hits.ask(null, JobNeeds.of(Set.of(1L, 3L)::contains));

    assertThat(hits.offloads())
        .extracting(StoreMove.Wish::fileIds)
        .containsExactly(Map.of("/a/2", 2L));
    assertThat(hits.outcomes(Map.of()).get(0).left())
        .extracting(RoundPlan.Left::reason)
        .containsExactly(RuleHits.NEEDED);
    assertThat(hits.first())
        .containsExactly(new FastTier.First("rules:2", "/b/3", 3, BYTES, BYTES / 2, 2));
    assertThat(hits.moves(Set.of())).isEmpty();
  }

  /** Also where the pattern does not match the directory itself. */
  @Test
  void directoriesThatNobodyCouldLookIntoAreNamedIfARuleIsAboutThem() {
    RuleBook stars =
        new RuleBook(
            "rules",
            FileRules.parse("rules", List.of("path matches /a/*/part-* -> replicas 2")).stream()
                .map(rule -> new RuleBook.Entry(rule, new PathPattern(rule.pattern())))
                .toList());
    RuleHits hits = new RuleHits(stars, RuleHits.Bounds.USUAL);
    hits.unread("/b");
    assertThat(hits.unreadLines()).isEmpty();

    hits.unread("/a/x");
    hits.unread("/a/y");
    assertThat(hits.unreadLines())
        .singleElement()
        .asString()
        .contains("may not read 2 directories that rules are about, for example /a/x");
    assertThat(hits.outcomes(Map.of()).get(0).left())
        .extracting(RoundPlan.Left::reason)
        .containsExactly(RuleHits.UNREAD);
  }
}
