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

  /** It was read no more, however often the one was that has its number now. */
  @Test
  void aFileWhoseNumberIsAnothersWasNotReadAgain() {
    String gone = learnedWhenGone(0, 12);

    assertThat(gone).isEqualTo(learnedWhenGone(0, 0));
    assertThat(gone).isNotEqualTo(learnedWhenGone(1, 12));
    assertThat(learnedWhenGone(1, 0)).isEqualTo(learnedWhenGone(2, 3));
  }

  /**
   * The trees of files of which half are gone in the second window, whose numbers others have.
   *
   * @param before so many reads in that window of those that are gone, until then
   * @param since so many reads of the others
   */
  private static String learnedWhenGone(int before, int since) {
    List<UseWindow> windows = new ArrayList<>();
    for (int index = 0; index < 2; index++) {
      UseWindow window = new UseWindow(MadeWindows.FILES);
      window.begin(index * MadeWindows.HOUR, (index + 1) * MadeWindows.HOUR);
      for (int file = 0; file < MadeWindows.FILES; file++) {
        // What will be gone has another number of blocks, so that trees can tell it.
        window.keep(file, 1 + file % 2);
        int reads = index == 0 ? 1 : file % 2 == 0 ? since : 1;
        for (int read = 0; read < reads; read++) {
          window.read(file, window.startSeconds() + 60 + read, 1);
        }
      }
      windows.add(window);
    }
    try (TreeLearner learner = new TreeLearner(MadeWindows.HOUR, SEED)) {
      learner.windowEnded(windows.get(0));
      for (int file = 0; file < MadeWindows.FILES; file += 2) {
        learner.begins(file, before);
        learner.begins(file, 5);
      }
      learner.windowEnded(windows.get(1));
      assertThat(learner.rows()).isEqualTo(before > 0 ? 0 : MadeWindows.FILES);
      return TreeText.of(learner.trees());
    }
  }

  @Test
  void aFileThatIsDeletedWasNotReadAgain() {
    UseWindow first = new UseWindow(MadeWindows.FILES);
    first.begin(0, MadeWindows.HOUR);
    UseWindow second = new UseWindow(MadeWindows.FILES);
    second.begin(MadeWindows.HOUR, 2 * MadeWindows.HOUR);
    for (int file = 0; file < MadeWindows.FILES; file++) {
      first.keep(file, 1 + file % 2);
      first.read(file, 60, 1);
      if (file % 2 == 1) {
        second.keep(file, 2);
        second.read(file, MadeWindows.HOUR + 60, 1);
      }
    }
    try (TreeLearner learner = new TreeLearner(MadeWindows.HOUR, SEED)) {
      learner.windowEnded(first);
      learner.windowEnded(second);
      assertThat(learner.rows()).isEqualTo(MadeWindows.FILES);
      PopularityState state = new PopularityState();
      UseFeatures.remember(first, state);
      float[] row = new float[UseFeatures.count()];
      UseFeatures.fill(first, state, 0, row, 0);
      assertThat(learner.trees().score(row, 0)).as("of those that go").isNegative();
      UseFeatures.fill(first, state, 1, row, 0);
      assertThat(learner.trees().score(row, 0)).as("of those that stay").isPositive();
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
