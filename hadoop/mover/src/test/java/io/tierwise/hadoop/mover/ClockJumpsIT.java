package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * HDFS, a mover and a monitor in a process whose clock is moved: a library that stands between it
 * and the C library adds to the time of day what a file says. Where no C compiler is, nothing is
 * tested.
 */
@Tag("long")
class ClockJumpsIT {
  private static final String LIBRARY =
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <fcntl.h>
      #include <stdlib.h>
      #include <sys/mman.h>
      #include <sys/time.h>
      #include <time.h>

      static const volatile long long *shift;

      __attribute__((constructor)) static void open_shift(void) {
        int file = open(getenv("TEST_CLOCK_SHIFT"), O_RDONLY);
        void *mapped = mmap(0, sizeof(long long), PROT_READ, MAP_SHARED, file, 0);
        shift = mapped == MAP_FAILED ? 0 : mapped;
      }

      int clock_gettime(clockid_t clock, struct timespec *now) {
        static int (*real)(clockid_t, struct timespec *);
        if (!real) {
          real = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
        }
        int result = real(clock, now);
        if (result == 0 && clock == CLOCK_REALTIME && shift) {
          now->tv_sec += *shift;
        }
        return result;
      }

      int gettimeofday(struct timeval *now, void *zone) {
        struct timespec precise;
        int result = clock_gettime(CLOCK_REALTIME, &precise);
        now->tv_sec = precise.tv_sec;
        now->tv_usec = precise.tv_nsec / 1000;
        return result;
      }
      """;

  @TempDir private Path folder;

  private Path compile() throws IOException, InterruptedException {
    Path source = Files.writeString(folder.resolve("shift.c"), LIBRARY);
    Path library = folder.resolve("shift.so");
    try {
      Process compiler =
          new ProcessBuilder("cc", "-shared", "-fPIC", "-o", "" + library, "" + source, "-ldl")
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("cc.txt").toFile())
              .start();
      assertThat(compiler.waitFor()).as(Files.readString(folder.resolve("cc.txt"))).isZero();
    } catch (IOException e) {
      assumeTrue(false, "no C compiler: " + e.getMessage());
    }
    return library;
  }

  @Test
  void movesAndRepairsGoOnWhileTheClockJumps() throws Exception {
    Path shift = Files.write(folder.resolve("shift"), new byte[Long.BYTES]);
    Path said = folder.resolve("said.txt");
    ProcessBuilder builder = ChildJvm.of(ClockJumpsProcess.class, "768m", shift.toString());
    builder.environment().put("LD_PRELOAD", compile().toString());
    builder.environment().put("TEST_CLOCK_SHIFT", shift.toString());
    Process process = builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
    boolean over = process.waitFor(10, TimeUnit.MINUTES);
    process.destroyForcibly();

    assertThat(over).as(Files.readString(said)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    assertThat(Files.readAllLines(said))
        .containsSubsequence(
            List.of(
                "jumped by 86400 s",
                "jumped by -172800 s",
                "all is on SSDs",
                "jumped by 86400 s",
                "all is on disks"));
  }
}
