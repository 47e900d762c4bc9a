package io.tierwise.profiles.popularity;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.popularity.DecisionTrees;
import io.tierwise.policies.popularity.PopularityState;
import io.tierwise.policies.popularity.TreeText;
import io.tierwise.policies.popularity.UseFeatures;
import io.tierwise.policies.popularity.UseWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TreeLearnerTest {
  private static final int SEED = 4;

  /** The trees after each window. */
  private static List<String> texts(List<UseWindow> windows, int seed) {
    List<String> texts = new ArrayList<>();
    try (TreeLearner learner = new TreeLearner(MadeWindows.HOUR, seed)) {
      for (UseWindow window : windows) {
        learner.windowEnded(window);
        texts.add(TreeText.of(learner.trees()));
      }
    }
    return texts;
  }

  private static DecisionTrees trees(List<UseWindow> windows) {
    try (TreeLearner learner = new TreeLearner(MadeWindows.HOUR, SEED)) {
      windows.forEach(learner::windowEnded);
      return learner.trees();
    }
  }

  @Test
  void seesThatAFileIsReadInEverySecondWindow() {
    List<UseWindow> windows = MadeWindows.drawn(1, 30);
    DecisionTrees trees = trees(windows);
    PopularityState state = new PopularityState();
    windows.forEach(window -> UseFeatures.remember(window, state));
    UseWindow last = windows.get(29);
    float[] row = new float[UseFeatures.count()];
    for (int file = 0; file < MadeWindows.FILES; file++) {
      UseFeatures.fill(last, state, file, row, 0);
      double score = trees.score(row, 0);
      if (file % 3 == 0 && file / 3 % 2 == 0) {
        assertThat(score).as("file %s, to be read", file).isPositive();
      } else if (file % 3 != 1) {
        assertThat(score).as("file %s, to rest", file).isNegative();
      }
    }
  }

  @Test
  void theSameWindowsAndSeedGiveTheSameTrees() {
    assertThat(texts(MadeWindows.drawn(2, 12), SEED))
        .isEqualTo(texts(MadeWindows.drawn(2, 12), SEED));
    assertThat(texts(MadeWindows.drawn(3, 12), SEED))
        .isNotEqualTo(texts(MadeWindows.drawn(2, 12), SEED));
  }

  @Test
  void whatAWindowForeseesIsNotLookedAt() {
    List<UseWindow> blind = MadeWindows.drawn(2, 12);
    List<UseWindow> seeing = MadeWindows.drawn(2, 12);
    List<UseWindow> other = MadeWindows.drawn(99, 13);
    for (int index = 0; index < 12; index++) {
      seeing.get(index).foresee(other.get(index + 1));
    }
    assertThat(texts(seeing, SEED)).isEqualTo(texts(blind, SEED));
  }

  @Test
  void theAnswerIsTheNextWindowAndNoOther() {
    List<UseWindow> windows = MadeWindows.drawn(2, 3);
    try (TreeLearner learner = new TreeLearner(MadeWindows.HOUR, SEED)) {
      learner.windowEnded(windows.get(0));
      assertThat(learner.trees().count()).isZero();
      assertThat(learner.rows()).isZero();
      learner.windowEnded(windows.get(1));
      assertThat(learner.trees().count()).isPositive();
      assertThat(learner.rows()).isEqualTo(MadeWindows.FILES);
    }
  }

  @Test
  void whoFinishesHasLearnedFromAllRows() {
    List<UseWindow> windows = MadeWindows.drawn(2, 12);
    try (TreeLearner learner = new TreeLearner(MadeWindows.HOUR, SEED)) {
      windows.forEach(learner::windowEnded);
      assertThat(learner.rows()).isLessThan(11L * MadeWindows.FILES);
      learner.finish();
      assertThat(learner.rows()).isEqualTo(11L * MadeWindows.FILES);
      String all = TreeText.of(learner.trees());
      learner.finish();
      assertThat(TreeText.of(learner.trees())).isEqualTo(all);
    }
  }

  @Test
  void aFileWhoseNumberIsAnothersIsNoAnswer() {
    List<UseWindow> windows = MadeWindows.drawn(2, 2);
    try (TreeLearner learner = new TreeLearner(MadeWindows.HOUR, SEED)) {
      learner.windowEnded(windows.get(0));
      learner.begins(0, 0);
      learner.begins(7, 0);
      learner.windowEnded(windows.get(1));
      assertThat(learner.rows()).isEqualTo(MadeWindows.FILES - 2);
    }
  }

  @Test
  void whereNothingIsReadNothingIsLearned() {
    List<UseWindow> windows = MadeWindows.drawn(2, 3);
    windows.forEach(window -> window.begin(window.startSeconds(), window.endSeconds()));
    windows.forEach(window -> window.keep(0, 1));
    assertThat(trees(windows).count()).isZero();
  }

  @Test
  void ofManyFilesSomeAreDrawnAndTreesStayFew() {
    SplittableRandom random = new SplittableRandom(5);
    try (TreeLearner learner = new TreeLearner(60, SEED)) {
      for (int index = 0; index < 40; index++) {
        UseWindow window = new UseWindow(20_000);
        window.begin(index * 60, index * 60 + 60);
        for (int file = 0; file < 20_000; file++) {
          window.keep(file, 1);
          if (random.nextInt(4) == 0) {
            window.read(file, index * 60 + 30, 1);
          }
        }
        learner.windowEnded(window);
        assertThat(learner.trees().count()).isLessThanOrEqualTo(40);
      }
      learner.finish();
      // Some 2,000 each of files that were read and that were not, at 39 boundaries.
      assertThat(learner.rows()).isBetween(39L * 3_900, 39L * 4_100);
    }
  }

  @Test
  void moreOfAFeatureThatMayOnlyRaiseNeverLowers() {
    DecisionTrees trees = trees(MadeWindows.drawn(8, 30));
    int[] directions = UseFeatures.directions();
    SplittableRandom random = new SplittableRandom(6);
    float[] row = new float[UseFeatures.count()];
    for (int round = 0; round < 5_000; round++) {
      for (int feature = 0; feature < row.length; feature++) {
        row[feature] = random.nextInt(3) == 0 ? random.nextInt(10) : random.nextInt(20_000);
      }
      double before = trees.score(row, 0);
      int feature = random.nextInt(row.length);
      row[feature] += random.nextInt(10_000);
      double after = trees.score(row, 0);
      assertThat((after - before) * directions[feature]).isGreaterThanOrEqualTo(-1e-6);
    }
  }
}
