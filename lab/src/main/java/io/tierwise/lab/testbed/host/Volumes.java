package io.tierwise.lab.testbed.host;

import io.tierwise.core.message.OperatorException;
import io.tierwise.lab.testbed.plan.VolumePlan;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Volumes: a sparse file, a loop device on it, ext4, a mount. All files stand below one folder, and
 * what belongs to the testbed is recognised by that folder, whoever made it.
 */
public final class Volumes {
  private final Path folder;
  private final Path images;
  private final Path mounts;

  public Volumes(Path folder) {
    this.folder = folder;
    this.images = folder.resolve("images");
    this.mounts = folder.resolve("volumes");
  }

  /**
   * A mounted volume.
   *
   * @param device the loop device's path
   * @param deviceNumber its number as the blkio controller wants it, for example {@code 7:3}
   * @param folder where it is mounted
   */
  public record Mounted(String device, String deviceNumber, Path folder) {}

  /** Where a volume is, or will be, mounted. */
  public Path folderOf(VolumePlan volume) {
    return mounts.resolve(volume.name());
  }

  public Mounted create(VolumePlan volume, int megabytes) {
    Path image = images.resolve(volume.name() + ".img");
    Path folder = folderOf(volume);
    try {
      Files.createDirectories(images);
      Files.createDirectories(folder);
      try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
        file.setLength(megabytes * 1_000_000L);
      }
    } catch (IOException e) {
      throw OperatorException.cluster("cannot make " + image + ": " + e.getMessage(), e);
    }
    // No journal and no reserve: the data lives as long as the testbed. Inode tables are written
    // now, so that no kernel thread writes to the device during a benchmark.
    HostCommand.run(
        "mkfs.ext4",
        "-q",
        "-F",
        "-m",
        "0",
        "-O",
        "^has_journal",
        "-E",
        "lazy_itable_init=0",
        "-i",
        "65536",
        image.toString());
    String device = attach(image);
    HostCommand.run("mount", "-o", "noatime", device, folder.toString());
    return new Mounted(device, deviceNumber(device), folder);
  }

  /** Direct I/O keeps a block from being cached twice; not every file system below has it. */
  private static String attach(Path image) {
    makeDeviceFile();
    HostCommand.Result direct =
        HostCommand.attempt("losetup", "--find", "--show", "--direct-io=on", image.toString());
    return direct.succeeded()
        ? direct.output().strip()
        : HostCommand.run("losetup", "--find", "--show", image.toString()).strip();
  }

  /** In a container /dev may not follow the kernel: the next free loop device lacks its file. */
  private static void makeDeviceFile() {
    String device = HostCommand.run("losetup", "--find").strip();
    if (!Files.exists(Path.of(device))) {
      String minor = device.replaceAll("\\D", "");
      HostCommand.run("mknod", "-m", "660", device, "b", "7", minor);
    }
  }

  private static String deviceNumber(String device) {
    Path number = Path.of("/sys/block", Path.of(device).getFileName().toString(), "dev");
    try {
      return Files.readString(number).strip();
    } catch (IOException e) {
      throw OperatorException.cluster("cannot read " + number + ": " + e.getMessage(), e);
    }
  }

  /** The mounted volumes by name. */
  public Map<String, Mounted> mounted() {
    Map<String, Mounted> found = new LinkedHashMap<>();
    mountsBelow()
        .forEach(
            (path, device) ->
                found.put(
                    path.getFileName().toString(),
                    new Mounted(device, deviceNumber(device), path)));
    return found;
  }

  /** Mount points below the testbed's folder. */
  public List<Path> mountPoints() {
    return List.copyOf(mountsBelow().keySet());
  }

  private Map<Path, String> mountsBelow() {
    Map<Path, String> found = new LinkedHashMap<>();
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/mounts"))) {
      lines
          .map(line -> line.split(" "))
          .forEach(part -> found.put(Path.of(part[1].replace("\\040", " ")), part[0]));
      found.keySet().removeIf(path -> !path.startsWith(mounts));
      return found;
    } catch (IOException e) {
      throw OperatorException.cluster("cannot read /proc/self/mounts" + ": " + e.getMessage(), e);
    }
  }

  /** Loop devices whose file stands below the testbed's folder, also when it was deleted. */
  public List<String> loopDevices() {
    List<String> devices = new ArrayList<>();
    HostCommand.run("losetup", "--list", "--noheadings", "--raw", "--output", "NAME,BACK-FILE")
        .lines()
        .map(line -> line.split(" ", 2))
        .filter(parts -> parts.length == 2)
        .filter(parts -> Path.of(parts[1].replace("\\x20", " ")).startsWith(images))
        .forEach(parts -> devices.add(parts[0]));
    return devices;
  }

  /** Unmounts and detaches all, then deletes the files. No process may use them any more. */
  public void removeAll() {
    for (Path folder : mountPoints()) {
      HostCommand.run("umount", folder.toString());
    }
    for (String device : loopDevices()) {
      HostCommand.run("losetup", "--detach", device);
    }
    Folders.deleteAll(folder, "images", "volumes");
  }
}
