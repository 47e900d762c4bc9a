package io.tierwise.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineTest {
  private final List<String> seen = new ArrayList<>();
  private final Engine engine = new Engine(100);
  private final int note = engine.register(argument -> seen.add(engine.now() + ":" + argument));

  @Test
  void handlesEventsByTickAndThenInTheOrderOfScheduling() {
    engine.at(5, note, 1);
    engine.at(3, note, 2);
    engine.at(5, note, 3);
    engine.at(3, note, 4);

    engine.runUntil(Ticks.NEVER);

    assertThat(seen).containsExactly("3:2", "3:4", "5:1", "5:3");
    assertThat(engine.eventCount()).isEqualTo(4);
  }

  @Test
  void timersAndEventsOfOneTickGoInTheOrderOfScheduling() {
    int timer = engine.newTimer(note, 9);
    engine.at(5, note, 1);
    engine.setTimer(timer, 5);
    engine.at(5, note, 2);

    engine.runUntil(Ticks.NEVER);

    assertThat(seen).containsExactly("5:1", "5:9", "5:2");
  }

  @Test
  void aTimerSetAnewGoesOffOnceAtItsLastTick() {
    int timer = engine.newTimer(note, 7);
    int cleared = engine.newTimer(note, 8);
    engine.setTimer(timer, 4);
    engine.setTimer(cleared, 4);
    engine.setTimer(timer, 9);
    engine.setTimer(timer, 6);
    engine.clearTimer(cleared);
    engine.clearTimer(cleared);

    engine.runUntil(Ticks.NEVER);

    assertThat(seen).containsExactly("6:7");
  }

  @Test
  void instantEndsComeOnceAfterAllEventsOfTheInstantAlsoThoseTheySchedule() {
    int[] end = new int[1];
    int first =
        engine.register(
            argument -> {
              seen.add("event " + argument);
              engine.requestInstantEnd(end[0]);
              if (argument == 1) {
                engine.at(engine.now(), note, 3);
              }
            });
    end[0] =
        engine.registerInstantEnd(
            () -> {
              seen.add("end at " + engine.now());
              if (seen.size() < 6) {
                engine.at(engine.now(), first, 4);
              }
            });
    engine.at(2, first, 1);
    engine.at(2, first, 2);
    engine.at(7, note, 5);

    engine.runUntil(Ticks.NEVER);

    assertThat(seen)
        .containsExactly("event 1", "event 2", "2:3", "end at 2", "event 4", "end at 2", "7:5");
  }

  @Test
  void instantEndsGoInTheOrderOfRegistration() {
    int a = engine.registerInstantEnd(() -> seen.add("a"));
    int b = engine.registerInstantEnd(() -> seen.add("b"));
    engine.requestInstantEnd(b);
    engine.requestInstantEnd(a);
    engine.requestInstantEnd(b);

    assertThat(engine.step()).isFalse();

    assertThat(seen).containsExactly("a", "b");
  }

  @Test
  void runUntilHandlesTheLastTickAndLeavesTheClockThere() {
    engine.at(5, note, 1);
    engine.at(6, note, 2);

    engine.runUntil(5);
    assertThat(seen).containsExactly("5:1");
    assertThat(engine.now()).isEqualTo(5);

    engine.runUntil(Ticks.NEVER);
    assertThat(seen).containsExactly("5:1", "6:2");
    assertThat(engine.now()).isEqualTo(6);
  }

  @Test
  void stopLeavesTheRestForLater() {
    int stopping = engine.register(argument -> engine.stop());
    engine.at(1, stopping, 0);
    engine.at(2, note, 1);

    engine.runUntil(10);
    assertThat(engine.now()).isEqualTo(1);
    assertThat(seen).isEmpty();

    engine.runUntil(10);
    assertThat(seen).containsExactly("2:1");
  }

  @Test
  void refusesThePastAndUnknownIds() {
    engine.at(5, note, 1);
    engine.runUntil(5);

    assertThatThrownBy(() -> engine.at(4, note, 1)).hasMessageContaining("tick 4 has passed");
    assertThatThrownBy(() -> engine.at(6, 77, 1)).hasMessageContaining("no handler 77");
    assertThatThrownBy(() -> engine.setTimer(3, 6)).hasMessageContaining("no timer 3");
    assertThatThrownBy(() -> Ticks.ofSeconds(-1)).hasMessageContaining("-1.0 s");
  }

  @Test
  void theHashTellsRunsApartThatDifferInOneArgumentTickOrOrder() {
    assertThat(hashOf(1, 2, 3)).isEqualTo(hashOf(1, 2, 3));
    assertThat(List.of(hashOf(1, 2, 3), hashOf(2, 1, 3), hashOf(1, 3, 2), hashOf(1, 2, 4)))
        .doesNotHaveDuplicates();
  }

  private static long hashOf(long tick, long first, long second) {
    Engine engine = new Engine();
    int handler = engine.register(argument -> {});
    engine.at(tick, handler, first);
    engine.at(tick, handler, second);
    engine.runUntil(Ticks.NEVER);
    return engine.logHash();
  }

  @Test
  void theLogKeepsTheLastEvents() {
    Engine small = new Engine(2);
    int handler = small.register(argument -> {});
    for (int i = 0; i < 5; i++) {
      small.at(i, handler, 10 + i);
    }
    small.runUntil(Ticks.NEVER);

    assertThat(small.log())
        .containsExactly(new LoggedEvent(3, handler, 13), new LoggedEvent(4, handler, 14));
  }

  @Test
  void checksRunAfterEveryEventOfTheAssertModeOnly() {
    engine.registerCheck(() -> seen.add("check at " + engine.now()));
    engine.assertBetween(2, 3);
    for (int tick = 1; tick <= 4; tick++) {
      engine.at(tick, note, 0);
    }

    engine.runUntil(Ticks.NEVER);

    assertThat(seen).containsExactly("1:0", "2:0", "check at 2", "3:0", "check at 3", "4:0");
  }
}
