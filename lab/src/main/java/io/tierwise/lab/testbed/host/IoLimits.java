package io.tierwise.lab.testbed.host;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Groups of the blkio controller (cgroup v1): one for each node, in which all its processes live.
 *
 * <p>The limit of a volume holds for what the group's processes do themselves: reads that miss the
 * page cache, direct writes and syncs. Bytes that the kernel's flusher writes back later are not
 * charged. The groups also say which processes belong to the testbed, also those that a user
 * started.
 */
public final class IoLimits {
  private final Path root;

  public IoLimits(String testbedName) {
    this(controller().orElse(Path.of("/sys/fs/cgroup/blkio")).resolve(testbedName));
  }

  IoLimits(Path root) {
    this.root = root;
  }

  /** Where the blkio controller of cgroup v1 is mounted, if it is. */
  public static Optional<Path> controller() {
    Path mounts = Path.of("/proc/self/mounts");
    if (!Files.isReadable(mounts)) {
      return Optional.empty();
    }
    try (Stream<String> lines = Files.lines(mounts)) {
      return lines
          .map(line -> line.split(" "))
          .filter(part -> part[2].equals("cgroup"))
          .filter(part -> List.of(part[3].split(",")).contains("blkio"))
          .map(part -> Path.of(part[1]))
          .filter(path -> Files.exists(path.resolve("blkio.throttle.read_bps_device")))
          .findFirst();
    } catch (IOException e) {
      throw OperatorException.cluster("cannot read " + mounts + ": " + e.getMessage(), e);
    }
  }

  /** The file to which a process writes its id to join the node's group. */
  public Path joinFile(String node) {
    return root.resolve(node).resolve("cgroup.procs");
  }

  public void createGroup(String node) {
    try {
      Files.createDirectories(root.resolve(node));
    } catch (IOException e) {
      throw OperatorException.cluster(
          "cannot make the I/O group " + root.resolve(node) + ": " + e.getMessage(), e);
    }
  }

  public void limit(
      String node, String deviceNumber, long readBytesPerSecond, long writeBytesPerSecond) {
    write(node, "blkio.throttle.read_bps_device", deviceNumber + " " + readBytesPerSecond);
    write(node, "blkio.throttle.write_bps_device", deviceNumber + " " + writeBytesPerSecond);
  }

  private void write(String node, String file, String line) {
    try {
      Files.writeString(root.resolve(node).resolve(file), line);
    } catch (IOException e) {
      throw OperatorException.cluster(
          "cannot write \""
              + line
              + "\" to "
              + root.resolve(node).resolve(file)
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /** The limits that the kernel enforces: lines of device number and bytes per second. */
  public List<String> readLimits(String node) {
    return lines(root.resolve(node).resolve("blkio.throttle.read_bps_device"));
  }

  public List<String> writeLimits(String node) {
    return lines(root.resolve(node).resolve("blkio.throttle.write_bps_device"));
  }

  /** Empty where the group is gone, also when somebody else removes it in the middle. */
  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      if (isGone(e, file)) {
        return List.of();
      }
      throw OperatorException.cluster("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** A group that goes while its file is open gives another error than one that is gone. */
  private static boolean isGone(Exception thrown, Path file) {
    return thrown instanceof NoSuchFileException || Files.notExists(file);
  }

  /** The nodes that have a group. */
  public List<String> groups() {
    try (Stream<Path> children = Files.list(root)) {
      return children
          .filter(Files::isDirectory)
          .map(path -> path.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException e) {
      if (isGone(e, root)) {
        return List.of();
      }
      throw OperatorException.cluster("cannot list " + root + ": " + e.getMessage(), e);
    }
  }

  /** Whether anything of the testbed is left in the controller. */
  public boolean exists() {
    return Files.exists(root);
  }

  /** Ids of all processes of a node. */
  public List<Long> processesOf(String node) {
    return lines(joinFile(node)).stream().map(Long::valueOf).toList();
  }

  /** Ids of all processes of the testbed. */
  public List<Long> processes() {
    List<Long> all = new ArrayList<>();
    groups().forEach(node -> all.addAll(processesOf(node)));
    return all;
  }

  /** Takes all limits off, so that a process with throttled I/O pending can end. */
  public void lift() {
    for (String node : groups()) {
      readLimits(node)
          .forEach(line -> write(node, "blkio.throttle.read_bps_device", unlimited(line)));
      writeLimits(node)
          .forEach(line -> write(node, "blkio.throttle.write_bps_device", unlimited(line)));
    }
  }

  private static String unlimited(String line) {
    return line.split(" ")[0] + " 0";
  }

  /** Removes all groups; no process may be left in them. */
  public void removeAll() {
    try {
      for (String node : groups()) {
        Files.delete(root.resolve(node));
      }
      Files.deleteIfExists(root);
    } catch (IOException e) {
      throw OperatorException.cluster(
          "cannot remove the I/O groups below " + root + ": " + e.getMessage(), e);
    }
  }
}
