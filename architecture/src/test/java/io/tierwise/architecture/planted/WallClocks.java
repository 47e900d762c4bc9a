package io.tierwise.architecture.planted;

import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.function.LongSupplier;

/** One class per clock that may jump. */
public final class WallClocks {
  private WallClocks() {}

  static final class Millis {
    long read() {
      return System.currentTimeMillis();
    }
  }

  static final class HandedOn {
    LongSupplier clock() {
      return System::currentTimeMillis;
    }
  }

  static final class InstantClock {
    Instant read() {
      return Instant.now();
    }
  }

  static final class SystemClock {
    Clock read() {
      return Clock.systemUTC();
    }
  }

  @SuppressWarnings("JavaUtilDate")
  static final class DateClock {
    Date read() {
      return new Date();
    }
  }
}
