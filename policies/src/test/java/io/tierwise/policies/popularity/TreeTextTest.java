package io.tierwise.policies.popularity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TreeTextTest {
  private static final String TEXT = TreeText.of(Trees.byHand());

  @Test
  void isReadBackAsTheSameTrees() {
    DecisionTrees drawn = Trees.drawn(5, 30);
    DecisionTrees again = TreeText.parse(TreeText.of(drawn), "file");
    assertThat(again.count()).isEqualTo(30);
    assertThat(again.windowSeconds()).isEqualTo(drawn.windowSeconds());
    assertThat(TreeText.of(again)).isEqualTo(TreeText.of(drawn));
    SplittableRandom random = new SplittableRandom(1);
    float[] row = new float[UseFeatures.count()];
    for (int round = 0; round < 100; round++) {
      for (int feature = 0; feature < row.length; feature++) {
        row[feature] = random.nextInt(6000);
      }
      assertThat(again.score(row, 0)).isEqualTo(drawn.score(row, 0));
    }
  }

  @Test
  void aTextThatWasCutAnywhereIsRefusedInOneLine() {
    // A cut after the last digit leaves a whole text without its line break.
    for (int end = 0; end < TEXT.length() - 1; end++) {
      String cut = TEXT.substring(0, end);
      assertThatThrownBy(() -> TreeText.parse(cut, "/m.trees"))
          .as(cut)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("/m.trees")
          .hasMessageNotContaining("\n");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tierwise-trees 1 | tierwise-trees 2 | line 1: format \"2\"; this version reads format 1",
        "tierwise-trees 1 | PK 1             | line 1: \"PK 1\"; expected: tierwise-trees",
        "window-seconds 3600.0 | window-seconds NaN | line 2: a window has a length above 0",
        "features blocks | features files | line 3: other features than this version tells",
        "branch 2 4.5 1 2 | branch 12 4.5 1 2 | line 5: feature 12; 0 to 11 are there",
        "branch 2 4.5 1 2 | branch -1 4.5 1 2 | line 5: feature -1; 0 to 11 are there",
        "branch 2 4.5 1 2 | branch 2 4.5 1 7  | tree 0, node 0: child 7; children come after",
        "branch 2 4.5 1 2 | branch 2 4.5 -1 2 | tree 0, node 0: child -1; children come after",
        "branch 2 1.5 3 4 | branch 2 1.5 3 0  | tree 0, node 1: child 0; children come after",
        "branch 2 1.5 3 4 | branch 2 1.5 1 4  | tree 0, node 1: child 1; children come after",
        "branch 2 1.5 3 4 | branch 2 x 3 4    | line 6: \"x\" is no number",
        "branch 2 1.5 3 4 | branch 2 1.5 3    | line 6: \"branch 2 1.5 3\" is no tree, branch",
        "leaf 2.0         | leaf Infinity     | tree 0, node 2: Infinity is no number",
        "leaf 2.0         | leaf              | line 7: \"leaf\" is no tree, branch, leaf or end",
        "end 1            | end 2             | line 12: the end says other than the 1 trees",
      })
  void whatIsWrongIsNamedInOneLine(String right, String wrong, String message) {
    assertThat(TEXT).contains(right);
    assertThatThrownBy(() -> TreeText.parse(TEXT.replace(right, wrong), "/m.trees"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("/m.trees")
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }

  @Test
  void nodesOutsideTreesAndTreesWithoutNodesAreRefused() {
    assertThatThrownBy(() -> TreeText.parse(TEXT.replace("tree\n", "leaf 1\ntree\n"), "m"))
        .hasMessage("m: a node stands before the first tree");
    assertThatThrownBy(
            () ->
                TreeText.parse(
                    TEXT.replace("tree\n", "tree\ntree\n").replace("end 1", "end 2"), "m"))
        .hasMessage("m: tree 0 has no node");
    assertThatThrownBy(() -> TreeText.parse(TEXT + "leaf 1\n", "m"))
        .hasMessageContaining("line 12");
  }

  @Test
  void moreNodesThanAnybodyFitsAreRefused() {
    String many = "leaf 1\n".repeat(DecisionTrees.NODES_MAX);
    assertThatThrownBy(() -> TreeText.parse(TEXT.replace("end 1", many + "end 1"), "m"))
        .hasMessageContaining("more than 131072 lines");
  }

  @Test
  void noChangedCharacterMakesAnythingButTreesOrOneLine() {
    SplittableRandom random = new SplittableRandom(9);
    for (int round = 0; round < 2_000; round++) {
      StringBuilder text = new StringBuilder(TEXT);
      text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(' ', 256));
      try {
        DecisionTrees trees = TreeText.parse(text.toString(), "m");
        assertThat(trees.score(new float[UseFeatures.count()], 0)).isFinite();
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).startsWith("m").doesNotContain("\n");
      }
    }
  }
}
