package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * This machine's directories for intermediate data, by tier. One that is not there has no room: on
 * a device that is not mounted it would be made on the system's disk.
 *
 * @param directories of each tier, as they were told
 */
public record LocalTiers(Map<String, List<Path>> directories) {
  /** As a NodeManager uses a disk: what is fuller takes nothing new. */
  static final double USED_MAX = 0.9;

  public LocalTiers {
    directories = new LinkedHashMap<>(directories);
  }

  /**
   * Reads words as {@code ssd=/mnt/ssd0/spark,/mnt/ssd1/spark}; a tier may be told several times.
   *
   * @throws OperatorException naming the word that is none
   */
  public static LocalTiers parse(List<String> words) {
    Map<String, List<Path>> directories = new LinkedHashMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals <= 0 || equals == word.length() - 1) {
        throw OperatorException.badInput(
            "--local " + word + " is no tier with directories: give TIER=DIR[,DIR]");
      }
      List<Path> ofTier =
          directories.computeIfAbsent(word.substring(0, equals), any -> new ArrayList<>());
      for (String directory : word.substring(equals + 1).split(",")) {
        Path path = Path.of(directory);
        if (!path.isAbsolute()) {
          throw OperatorException.badInput(
              "--local " + word + ": '" + directory + "' does not begin with /");
        }
        ofTier.add(path);
      }
    }
    return new LocalTiers(directories);
  }

  /** The directories of a tier that may take more. */
  List<Path> withRoom(String tier) {
    return directories.get(tier).stream().filter(each -> roomBytes(each) > 0).toList();
  }

  /** What they may take together; those on one file system share its room. */
  static long roomBytes(List<Path> directories) {
    Map<FileStore, Path> stores = new LinkedHashMap<>();
    for (Path each : directories) {
      store(each, stores);
    }
    return stores.values().stream().mapToLong(LocalTiers::roomBytes).sum();
  }

  private static void store(Path directory, Map<FileStore, Path> stores) {
    try {
      stores.putIfAbsent(Files.getFileStore(directory), directory);
    } catch (IOException e) {
      // It is gone, and has no room.
    }
  }

  private static long roomBytes(Path directory) {
    if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
      return 0;
    }
    try {
      FileStore store = Files.getFileStore(directory);
      double keptBytes = (1 - USED_MAX) * store.getTotalSpace();
      return Math.max(0, store.getUsableSpace() - (long) keptBytes);
    } catch (IOException e) {
      return 0;
    }
  }

  static String text(List<Path> directories) {
    return directories.stream().map(Path::toString).collect(Collectors.joining(","));
  }

  /** All of a tier, for messages. */
  String text(String tier) {
    return tier + " (" + text(directories.get(tier)) + ")";
  }

  /**
   * Refuses a tier without directories.
   *
   * @param option that names it
   */
  void require(String option, String tier) {
    if (!directories.containsKey(tier)) {
      throw OperatorException.badInput(
          option + " " + tier + ", but no --local " + tier + "=DIR tells its directories");
    }
  }

  @Override
  public String toString() {
    return Arrays.toString(directories.keySet().stream().map(this::text).toArray());
  }
}
