package io.tierwise.lab.testbed.host;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Deletes what stands in a testbed's folder. */
public final class Folders {
  private Folders() {}

  /** Deletes these children of a folder, with all below them. */
  public static void deleteAll(Path folder, String... children) {
    for (String child : children) {
      Path root = folder.resolve(child);
      if (!Files.exists(root)) {
        continue;
      }
      try (Stream<Path> paths = Files.walk(root)) {
        List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
        for (Path path : deepestFirst) {
          Files.delete(path);
        }
      } catch (IOException e) {
        throw OperatorException.cluster("cannot delete " + root + ": " + e.getMessage(), e);
      }
    }
  }
}
