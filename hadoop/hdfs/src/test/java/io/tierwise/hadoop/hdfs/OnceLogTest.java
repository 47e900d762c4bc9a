package io.tierwise.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.namenode.LogLines;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class OnceLogTest {
  @Test
  void anyNumberOfThingsMakesABoundedNumberOfLinesAnHour() {
    AtomicLong nanos = new AtomicLong();
    OnceLog once = new OnceLog(LoggerFactory.getLogger(OnceLogTest.class), "", nanos::get);
    try (LogLines lines = new LogLines(OnceLogTest.class)) {
      for (int round = 0; round < 3; round++) {
        for (int thing = 0; thing < 3 * OnceLog.SAID_MAX; thing++) {
          once.warn("/user/made/up/" + thing, "thing " + thing);
        }
      }
      assertThat(lines.with("")).hasSize(OnceLog.SAID_MAX + 1);
      assertThat(lines.with("")).last().asString().contains("others are left out for an hour");
      nanos.set(OnceLog.LEFT_OUT_NANOS);
      once.warn("new", "is said again");
      once.warn("new", "once");
      assertThat(lines.with("")).hasSize(OnceLog.SAID_MAX + 2).last().asString().contains("again");
    }
  }
}
