package io.tierwise.architecture.planted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One class per thing that {@code core} and {@code policies} must not do. */
public final class ForbiddenCalls {
  private ForbiddenCalls() {}

  static final class WallClock {
    long read() {
      return System.currentTimeMillis();
    }
  }

  static final class NanoClock {
    long read() {
      return System.nanoTime();
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

  static final class MathRandom {
    double draw() {
      return Math.random();
    }
  }

  static final class UnseededRandom {
    int draw() {
      return new Random().nextInt();
    }
  }

  static final class UnseededSplittableRandom {
    int draw() {
      return new SplittableRandom().nextInt();
    }
  }

  static final class ThreadRandom {
    int draw() {
      return ThreadLocalRandom.current().nextInt();
    }
  }

  static final class RandomId {
    UUID draw() {
      return UUID.randomUUID();
    }
  }

  static final class UnseededShuffle {
    void shuffle(List<String> names) {
      Collections.shuffle(names);
    }
  }

  static final class OwnThread {
    Thread start(Runnable work) {
      return new Thread(work);
    }
  }

  static final class UsesExecutor {
    void run(ExecutorService executor, Runnable work) {
      executor.execute(work);
    }
  }

  static final class UsesHashMap {
    Map<String, String> make() {
      return new HashMap<>();
    }
  }

  static final class UsesHashSet {
    Set<String> make() {
      return new HashSet<>();
    }
  }

  static final class SaltedMap {
    List<String> order() {
      return new ArrayList<>(Map.of("a", 1, "b", 2).keySet());
    }
  }

  static final class CollectsToSet {
    Set<String> make() {
      return Stream.of("a", "b").collect(Collectors.toSet());
    }
  }

  static final class ReadsFile {
    String read(Path path) throws IOException {
      return Files.readString(path);
    }
  }
}
