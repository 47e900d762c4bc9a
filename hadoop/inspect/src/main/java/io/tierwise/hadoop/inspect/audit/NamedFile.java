package io.tierwise.hadoop.inspect.audit;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A file of a log by its inode: when the log turns it gets another name.
 *
 * @param file its name when it was seen
 * @param key its inode; null for one that was not there
 */
record NamedFile(Path file, Object key) {
  static NamedFile of(Path file) throws IOException {
    return new NamedFile(file, keyOf(file));
  }

  /** Null for a file that is not there, or where nobody may look: who opens it says so. */
  static Object keyOf(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException | AccessDeniedException e) {
      return null;
    }
  }

  /**
   * The name that it has now; empty when it is not in its directory any more.
   *
   * @param but a name that it cannot have: a new file may get the inode of one that is gone
   */
  Optional<Path> now(Optional<Path> but) throws IOException {
    if (key == null) {
      return Optional.empty();
    }
    if (!but.equals(Optional.of(file)) && key.equals(keyOf(file))) {
      return Optional.of(file);
    }
    for (Path each : beside(file)) {
      boolean may = but.filter(other -> plain(other).equals(plain(each))).isEmpty();
      if (may && key.equals(keyOf(each))) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** The name that it has now; of a file that is nowhere any more, the one that it had. */
  Path nowOrThen() throws IOException {
    return now(Optional.empty()).orElse(file);
  }

  /** The files of a file's directory, itself among them. */
  static List<Path> beside(Path file) throws IOException {
    List<Path> found = new ArrayList<>();
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> all =
          Files.newDirectoryStream(folder, each -> Files.isRegularFile(each))) {
        all.forEach(found::add);
      }
    }
    return found;
  }

  static Path plain(Path file) {
    return file.toAbsolutePath().normalize();
  }
}
