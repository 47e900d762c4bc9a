package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

/** Stops processes, which stand still and keep their connections, and lets them go on. */
final class Signals {
  private Signals() {}

  static void stop(long pid) throws IOException, InterruptedException {
    send("STOP", pid);
  }

  static void goOn(long pid) throws IOException, InterruptedException {
    send("CONT", pid);
  }

  private static void send(String name, long pid) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start();
    assertThat(kill.waitFor()).isZero();
  }
}
