package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitProgressTest {
  /** Writes down what it hears. */
  private static final class Heard implements Listener, Listener.Step {
    private final List<String> lines = new ArrayList<>();
    private long sum;

    @Override
    public Step begin(String label, long total) {
      lines.add(label + " of " + total);
      return this;
    }

    @Override
    public void say(String line) {
      lines.add(line);
    }

    @Override
    public void add(long amount) {
      sum += amount;
    }

    @Override
    public void finish(String remark) {
      lines.add(remark);
    }
  }

  private final Heard heard = new Heard();
  private final WaitProgress progress = new WaitProgress(heard, "copies");

  @Test
  void theFirstLookSaysHowMuchThereIsToDo() {
    assertThat(progress.left(10)).isEqualTo(10);
    progress.left(4);
    assertThat(heard.sum).isEqualTo(6);
    progress.left(0);
    progress.finish();

    assertThat(heard.sum).isEqualTo(10);
    assertThat(heard.lines).containsExactly("copies of 10", "10 blocks, 0 left");
  }

  @Test
  void whereThereIsNothingToWaitForNothingIsTold() {
    progress.left(0);
    progress.finish();

    assertThat(heard.lines).isEmpty();
  }

  /** A node is lost meanwhile, or others change the files, too. */
  @Test
  void moreBlocksThanAtFirstMakeNoProgressBelowNothing() {
    progress.left(3);
    progress.left(2);
    progress.left(8);
    assertThat(heard.sum).isZero();
    progress.left(1);
    progress.finish();

    assertThat(heard.sum).isEqualTo(2);
    assertThat(heard.lines).containsExactly("copies of 3", "3 blocks, 1 left");
  }
}
