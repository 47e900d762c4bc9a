package io.tierwise.lab.testbed.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * How large a bench is; handed from the command to the JVM inside the NameNode's node as a file.
 *
 * @param testbedName of the testbed, which is up
 * @param folder of the testbed
 * @param results folder for what it writes
 * @param tasksPerNode read and write tasks at the same time on each node
 * @param fileMegabytes of each task's file, in units of 10^6 bytes
 * @param blockMebibytes of each file's blocks, in units of 2^20 bytes
 * @param repeats of each row
 * @param linkMegabits link speeds to measure at, before scaling
 * @param suite what is measured
 * @param parts of the suite that reads; at least one
 * @param seed of content and of where tasks run
 */
public record BenchSettings(
    String testbedName,
    String folder,
    String results,
    int tasksPerNode,
    int fileMegabytes,
    int blockMebibytes,
    int repeats,
    List<Integer> linkMegabits,
    BenchSuite suite,
    Set<ReadsPart> parts,
    long seed) {
  /** Two blocks: the second is asked for while the first are read. */
  private static final int SMOKE_MEGABYTES = 4;

  private static final int SMOKE_BLOCK_MEBIBYTES = 2;

  public BenchSettings {
    require(tasksPerNode >= 1, "--tasks", tasksPerNode, "1 or more");
    require(fileMegabytes >= 1, "--file-megabytes", fileMegabytes, "1 or more");
    require(blockMebibytes >= 1, "--block-mebibytes", blockMebibytes, "1 or more");
    require(repeats >= 1, "--repeats", repeats, "1 or more");
    require(
        !linkMegabits.isEmpty() && linkMegabits.stream().allMatch(speed -> speed >= 1),
        "--links",
        linkMegabits,
        "one or more speeds in megabits per second");
    require(!parts.isEmpty(), "--parts", parts, "one or more");
    linkMegabits = List.copyOf(linkMegabits);
    parts = Set.copyOf(parts);
  }

  private static void require(boolean holds, String option, Object value, String allowed) {
    if (!holds) {
      throw new IllegalArgumentException(option + " is " + value + ": must be " + allowed);
    }
  }

  /** The same once, with small files at one link speed: shows that all runs, measures nothing. */
  public BenchSettings smoke() {
    return new BenchSettings(
        testbedName,
        folder,
        results,
        tasksPerNode,
        SMOKE_MEGABYTES,
        SMOKE_BLOCK_MEBIBYTES,
        1,
        linkMegabits.subList(0, 1),
        suite,
        parts,
        seed);
  }

  long blockBytes() {
    return (long) blockMebibytes << 20;
  }

  public static BenchSettings read(Path file) throws IOException {
    return new ObjectMapper().readValue(file.toFile(), BenchSettings.class);
  }

  /** Writes the settings where {@link #read} finds them. */
  public void write(Path file) {
    try {
      new ObjectMapper().writeValue(file.toFile(), this);
    } catch (IOException e) {
      throw OperatorException.cluster("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
