package io.tierwise.policies.popularity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UseWindowTest {
  private static String text(UseWindow window) {
    StringBuilder text = new StringBuilder();
    text.append(window.startSeconds()).append(' ').append(window.endSeconds());
    for (int file = 0; file < window.fileCount(); file++) {
      text.append(" | ").append(window.exists(file)).append(' ').append(window.isCreated(file));
      if (window.exists(file)) {
        text.append(' ').append(window.blocks(file));
      }
      text.append(' ').append(window.reads(file)).append(' ').append(window.readersMax(file));
      if (window.reads(file) > 0) {
        text.append(' ').append(window.firstReadSeconds(file));
        text.append(' ').append(window.lastReadSeconds(file));
      }
    }
    return text.append(' ').append(window.next().isPresent()).toString();
  }

  @Test
  void aCopyIsTheWindowAndStaysWhenThatIsBegunAgain() {
    UseWindow window = new UseWindow(3);
    window.begin(100, 200);
    window.keep(0, 4);
    window.create(1, 2);
    window.read(1, 120, 1);
    window.read(1, 150, 3);
    window.foresee(new UseWindow(3));
    String before = text(window);

    UseWindow copy = window.copy();
    assertThat(text(copy)).isEqualTo(before);
    window.begin(200, 300);
    window.create(2, 9);
    window.read(2, 250, 7);
    window.read(1, 260, 8);

    assertThat(text(copy)).isEqualTo(before).contains("true true 2 2 3 120.0 150.0");
  }
}
