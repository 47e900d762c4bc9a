package io.tierwise.cli.autotier;

import io.tierwise.cli.TierwiseJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A daemon as people start it, in a process of its own. */
final class DaemonProcess implements AutoCloseable {
  private static final long SECONDS_MAX = 60;

  private final Process process;
  private final Path error;

  /**
   * Starts one.
   *
   * @param folder for what it says
   * @param words of the command
   */
  DaemonProcess(Path folder, List<String> words) throws IOException {
    error = Files.createTempFile(folder, "daemon", ".err");
    process =
        new ProcessBuilder(TierwiseJvm.line(words.toArray(String[]::new)))
            .redirectOutput(Files.createTempFile(folder, "daemon", ".out").toFile())
            .redirectError(error.toFile())
            .start();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What it told people. */
  String said() throws IOException {
    return Files.readString(error);
  }

  /** Ends it as by {@code kill -9}. */
  void kill() {
    process.destroyForcibly();
  }

  void awaitEnd() throws InterruptedException {
    process.waitFor();
  }

  /** Tells it to end, and returns whether it did within that time. */
  boolean end(long secondsMax) throws InterruptedException {
    process.destroy();
    return process.waitFor(secondsMax, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws InterruptedException {
    if (!end(SECONDS_MAX)) {
      kill();
      awaitEnd();
    }
  }
}
