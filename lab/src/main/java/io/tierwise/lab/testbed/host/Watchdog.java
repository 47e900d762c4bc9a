package io.tierwise.lab.testbed.host;

import io.tierwise.core.message.OperatorException;
import io.tierwise.lab.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A shell that waits for this JVM to end and then runs a command: what cleans up when the JVM was
 * killed and could not do so itself. Closing it calls it off.
 */
public final class Watchdog implements AutoCloseable {
  /** A process that has ended but was not yet waited for is a zombie, which counts as gone. */
  private static final String WAIT =
      """
      pid=$1; start=$2; shift 2
      while stat=$(cat "/proc/$pid/stat" 2>/dev/null); do
        fields=${stat##*) }
        state=${fields%% *}
        [ "$state" != Z ] && [ "$(echo "$fields" | cut -d' ' -f20)" = "$start" ] || break
        sleep 1
      done
      exec "$@"
      """;

  private final Process process;

  private Watchdog(Process process) {
    this.process = process;
  }

  /** Starts one that runs the command once this JVM is gone. */
  public static Watchdog start(List<String> command, Path log) {
    ProcessIdentity self = ProcessIdentity.of(ProcessHandle.current().pid()).orElseThrow();
    List<String> full =
        new ArrayList<>(
            List.of(
                "setsid",
                "sh",
                "-c",
                WAIT,
                "tierwise-watchdog",
                Long.toString(self.pid()),
                Long.toString(self.startTicks())));
    full.addAll(command);
    try {
      return new Watchdog(
          new ProcessBuilder(full).redirectErrorStream(true).redirectOutput(log.toFile()).start());
    } catch (IOException e) {
      throw OperatorException.cluster("cannot start the watchdog: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
