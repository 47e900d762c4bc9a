package io.tierwise.lab.embedded;

import io.tierwise.core.message.OperatorException;
import io.tierwise.lab.ProcessIdentity;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FileUtil;

/** The embedded cluster as a process of its own, which outlives the command that started it. */
public final class Background {
  private static final long SERVING_SECONDS_MAX = 300;
  private static final long ENDING_SECONDS_MAX = 30;
  private static final long POLL_NANOS = 50_000_000L;

  private Background() {}

  /**
   * Starts a program in another JVM like this one and waits until it serves.
   *
   * @param program main class and arguments: it takes the place and serves in the foreground
   * @return its process id
   */
  public static long start(List<String> program) throws IOException {
    Optional<ProcessIdentity> running = EmbeddedPlace.process();
    if (running.isPresent()) {
      throw EmbeddedPlace.takenBy(running.get().pid());
    }
    EmbeddedPlace.makeFolder();
    Process process =
        new ProcessBuilder(command(program))
            .redirectErrorStream(true)
            .redirectOutput(EmbeddedPlace.LOG.toFile())
            .redirectInput(new File("/dev/null"))
            .start();
    Thread givenUp = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(givenUp);
    await(process);
    Runtime.getRuntime().removeShutdownHook(givenUp);
    return process.pid();
  }

  /** This JVM's own options, and a session of its own, so that no terminal takes it along. */
  private static List<String> command(List<String> program) {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
      command.add("/usr/bin/setsid");
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(program);
    return command;
  }

  private static void await(Process process) throws IOException {
    long start = System.nanoTime();
    while (!isServedBy(process.pid())) {
      if (!process.isAlive()) {
        throw OperatorException.cluster(
            "it ended before it served: " + lastLine() + " (" + EmbeddedPlace.LOG + ")", null);
      }
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(SERVING_SECONDS_MAX)) {
        process.destroyForcibly();
        throw OperatorException.cluster(
            "it did not serve within "
                + SERVING_SECONDS_MAX
                + " s and was ended: see "
                + EmbeddedPlace.LOG,
            null);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static boolean isServedBy(long pid) {
    return EmbeddedPlace.serves()
        && EmbeddedPlace.process().filter(holder -> holder.pid() == pid).isPresent();
  }

  private static String lastLine() throws IOException {
    List<String> lines = Files.readAllLines(EmbeddedPlace.LOG);
    return lines.isEmpty() ? "it said nothing" : lines.get(lines.size() - 1);
  }

  /**
   * Ends the cluster that runs here, and waits for it.
   *
   * @return whether there was one
   */
  public static boolean stop() {
    Optional<ProcessHandle> running =
        EmbeddedPlace.process().flatMap(process -> ProcessHandle.of(process.pid()));
    running.ifPresent(Background::end);
    // A killed cluster could not remove its own files.
    FileUtil.fullyDelete(EmbeddedPlace.ROOT.toFile());
    return running.isPresent();
  }

  private static void end(ProcessHandle process) {
    process.destroy();
    try {
      process.onExit().get(ENDING_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      process.destroyForcibly();
    } catch (ExecutionException e) {
      throw OperatorException.cluster("cannot end process " + process.pid(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw OperatorException.cluster("interrupted while process " + process.pid() + " ends", e);
    }
  }
}
