package io.tierwise.policies.popularity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowFeedTest {
  private static final long HOUR = 3_600_000;

  private final List<String> ended = new ArrayList<>();
  private final WindowFeed feed =
      new WindowFeed(
          HOUR,
          4,
          new WindowFeed.Listener() {
            @Override
            public void begins(int file, int formerReads) {
              ended.add("begins " + file + " after " + formerReads);
            }

            @Override
            public void windowEnded(UseWindow window) {
              ended.add(
                  (long) window.startSeconds() / 3600
                      + ": "
                      + window.reads(0)
                      + " "
                      + window.reads(1)
                      + " at once "
                      + window.readersMax(0));
            }
          });

  @Test
  void handsOnEachWindowWithItsReads() {
    feed.read(0, 10 * HOUR + 1);
    feed.read(0, 10 * HOUR + 2);
    feed.read(0, 10 * HOUR + 60_001);
    feed.read(1, 11 * HOUR);
    assertThat(ended).containsExactly("10: 3 0 at once 2");

    feed.passTo(13 * HOUR);

    assertThat(ended)
        .containsExactly("10: 3 0 at once 2", "11: 0 1 at once 0", "12: 0 0 at once 0");
    assertThat(feed.running().startSeconds()).isEqualTo(13 * 3600);
  }

  @Test
  void aNumberThatBeginsAnewHasNoReads() {
    feed.read(0, HOUR);
    feed.begins(0);
    feed.begins(4); // Beyond the last number: nobody hears of it.
    feed.read(4, HOUR);
    feed.passTo(2 * HOUR);

    assertThat(ended).containsExactly("begins 0 after 1", "1: 0 0 at once 0");
  }

  @Test
  void longSilenceEndsNoMoreWindowsThanAnybodyRemembers() {
    feed.read(0, HOUR);
    feed.passTo(100_000 * HOUR);

    assertThat(ended).hasSizeBetween(60, 70).first().isEqualTo("1: 1 0 at once 1");
    assertThat(ended).last().asString().startsWith("99999: ");
    assertThat(feed.running().startSeconds()).isEqualTo(100_000 * 3600L);
  }

  @Test
  void lateReadsCountInTheWindowThatRunsAndAClockThatIsSetBackBeginsAnew() {
    feed.read(0, 10 * HOUR);
    feed.read(0, 10 * HOUR - 5);
    feed.passTo(5 * HOUR);
    feed.read(1, 5 * HOUR + 1);
    feed.passTo(6 * HOUR);

    assertThat(ended).containsExactly("5: 0 1 at once 0");
  }

  @Test
  void aHostWhoseClockIsBehindTheReadsTakesNoneAway() {
    feed.read(0, 10 * HOUR);
    for (int tick = 1; tick <= 3; tick++) {
      feed.passTo(8 * HOUR + tick);
      feed.read(0, 10 * HOUR + tick);
    }
    feed.passTo(11 * HOUR);

    assertThat(ended).containsExactly("10: 4 0 at once 4");
  }

  @Test
  void aHostWhoseClockIsAheadOfTheReadsEndsNoMoreWindowsForThat() {
    feed.read(0, HOUR);
    for (int tick = 1; tick <= 3; tick++) {
      feed.passTo(10 * HOUR + tick);
      feed.read(1, HOUR + tick);
    }
    feed.passTo(11 * HOUR);

    assertThat(ended).hasSize(10).first().isEqualTo("1: 1 0 at once 1");
    assertThat(ended).last().isEqualTo("10: 0 3 at once 0");
  }

  @Test
  void aHostWhoseClockIsSetBackBeginsAnew() {
    feed.read(0, HOUR);
    feed.passTo(100 * HOUR);
    feed.passTo(2 * HOUR);
    feed.read(0, 2 * HOUR + 1);
    feed.passTo(3 * HOUR);

    assertThat(ended).last().isEqualTo("2: 1 0 at once 1");
  }
}
