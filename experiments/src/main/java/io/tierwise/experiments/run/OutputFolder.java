package io.tierwise.experiments.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.tierwise.core.message.FileReason;
import io.tierwise.core.message.OperatorException;
import io.tierwise.simulator.report.Charts;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.yaml.ScenarioWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;

/**
 * Where results are written; known to be writable, and no other run's, before anything runs.
 *
 * <p>The operating system's lock on a file in it tells others that a run is under way. It ends with
 * its process, however that ends, so that a file that is left over stands in nobody's way.
 */
public final class OutputFolder implements AutoCloseable {
  private static final String LOCK = ".tierwise.lock";

  private final Path folder;
  private final FileChannel lock;

  private OutputFolder(Path folder, FileChannel lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /** Makes the folder and the lock in it, to see whether it can. */
  public static OutputFolder prepare(Path folder) {
    requireNoFile(folder);
    try {
      Files.createDirectories(folder);
      return new OutputFolder(folder, lock(folder));
    } catch (IOException e) {
      throw unwritable(folder, FileReason.of(e), e);
    }
  }

  /** Says what can be said of the folder without making anything. */
  public static void check(Path folder) {
    requireNoFile(folder);
    Path there = folder.toAbsolutePath();
    while (!Files.exists(there)) {
      there = there.getParent();
    }
    if (!Files.isDirectory(there)) {
      throw unwritable(folder, there + " is a file", null);
    }
    if (!Files.isWritable(there)) {
      throw unwritable(folder, there + " is not yours to write to", null);
    }
  }

  private static void requireNoFile(Path folder) {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw OperatorException.badInput("--out " + folder + " is a file: name a folder");
    }
  }

  private static OperatorException unwritable(Path folder, String reason, IOException cause) {
    return OperatorException.cluster(
        "--out " + folder + " cannot be written: " + reason + "; name another folder", cause);
  }

  private static FileChannel lock(Path folder) throws IOException {
    Path file = folder.resolve(LOCK);
    while (true) {
      Object before = keyOf(file);
      FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE);
      try {
        if (!holds(channel)) {
          throw OperatorException.cluster(
              "--out "
                  + folder
                  + " belongs to a run that is under way"
                  + ownerOf(channel)
                  + ": wait for its end, or name another folder",
              null);
        }
        channel.truncate(0);
        channel.write(UTF_8.encode(ProcessHandle.current().pid() + "\n"), 0);
        // Else a run that has just ended has taken away the file that is locked here.
        if (keyOf(file).equals(before)) {
          return channel;
        }
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
      channel.close();
    }
  }

  /** Tells the file from earlier ones of that name; never opens it, because closing unlocks it. */
  private static Object keyOf(Path file) throws IOException {
    try {
      return String.valueOf(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private static boolean holds(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException heldInThisProcess) {
      return false;
    }
  }

  /** The writer of the file, for people; it may have been made just now. */
  private static String ownerOf(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(20);
    channel.read(text, 0);
    String pid = UTF_8.decode(text.flip()).toString().strip();
    return pid.isEmpty() ? "" : " (process " + pid + ")";
  }

  /** Takes the lock away; the results stay. */
  @Override
  public void close() {
    try (lock) {
      Files.deleteIfExists(folder.resolve(LOCK));
    } catch (IOException e) {
      throw OperatorException.cluster(
          "--out " + folder + ": " + LOCK + " cannot be removed: " + e.getMessage(), e);
    }
  }

  public Path path() {
    return folder;
  }

  /** Writes results.json, results.csv, the charts, and each case's scenario with all defaults. */
  public void write(Report report, String json) throws IOException {
    Files.writeString(folder.resolve("results.json"), json + "\n");
    Files.writeString(folder.resolve("results.csv"), report.csv());
    for (Map.Entry<String, String> chart : Charts.of(report).entrySet()) {
      Files.writeString(folder.resolve(chart.getKey()), chart.getValue());
    }
    int number = 1;
    for (RunCase each : report.cases()) {
      String yaml =
          ScenarioWriter.write(
              readableFromAnywhere(each.scenario()),
              List.of(each.label() + ": all that it ran with, defaults included"));
      Files.writeString(folder.resolve("scenario-" + number + ".yaml"), yaml);
      number++;
    }
  }

  /** A scenario names its trace from the folder of its file, which is another one here. */
  private static Scenario readableFromAnywhere(Scenario scenario) {
    return scenario.workload() instanceof WorkloadSpec.Trace trace
        ? scenario.withWorkload(trace.withFile(trace.file().toAbsolutePath().normalize()))
        : scenario;
  }

  public void write(String file, String text) throws IOException {
    Files.writeString(folder.resolve(file), text);
  }
}
