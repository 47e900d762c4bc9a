package io.tierwise.hadoop.inspect.audit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The files of a log before the one that grows, in the order of their times. To read them may take
 * minutes, in which the log turns: each is known by its inode and read under the name that it has
 * by then, and files that become earlier ones meanwhile come, too.
 */
final class EarlierFiles {
  private final Path log;
  private final ZoneId zone;
  private final Deque<Known> coming = new ArrayDeque<>();

  /** Of files that were there at first, or have come. */
  private final Set<Object> keys = new HashSet<>();

  /** Of the file that had the log's name the last time; null when none had. */
  private Object growing;

  /**
   * A file.
   *
   * @param file its name when it was seen
   */
  private record Known(Path file, Object key) {}

  /**
   * Looks at the files as they are now.
   *
   * @param log the file that grows
   * @param earlier in any order
   */
  EarlierFiles(Path log, List<Path> earlier, ZoneId zone) throws IOException {
    this.log = log;
    this.zone = zone;
    growing = key(log);
    for (Path each : siblings(log)) {
      keys.add(key(each));
    }
    for (Path each : AuditLogFiles.inOrder(earlier, zone).files()) {
      comes(each, key(each));
    }
  }

  private void comes(Path file, Object key) {
    keys.add(key);
    coming.add(new Known(file, key));
  }

  /**
   * The next file, under the name that it has now; empty when the one that grows is the next.
   *
   * @param gone is told of each file that is nowhere any more
   */
  Optional<Path> next(Consumer<Path> gone) throws IOException {
    lookForTurn();
    while (!coming.isEmpty()) {
      Known each = coming.remove();
      Optional<Path> now = find(each);
      if (now.isPresent()) {
        return now;
      }
      gone.accept(each.file());
      lookForTurn();
    }
    return Optional.empty();
  }

  /** When all files have come: the one that grew then may be an earlier one now. */
  private void lookForTurn() throws IOException {
    Object before = growing;
    if (!coming.isEmpty()) {
      return;
    }
    growing = key(log);
    if (before == null || before.equals(growing)) {
      return;
    }
    List<Path> since = new ArrayList<>();
    for (Path each : siblings(log)) {
      Object key = key(each);
      if (key != null && (key.equals(before) || !keys.contains(key))) {
        since.add(each);
      }
    }
    boolean follows = false;
    for (Path each : AuditLogFiles.inOrder(since, zone).files()) {
      Object key = key(each);
      follows |= before.equals(key);
      if (follows) {
        comes(each, key);
      }
    }
    if (!follows) {
      comes(log, before);
    }
  }

  private Optional<Path> find(Known wanted) throws IOException {
    boolean stays = !wanted.file().equals(log) && wanted.key().equals(key(wanted.file()));
    if (stays) {
      return Optional.of(wanted.file());
    }
    for (Path each : list(wanted.file(), "")) {
      if (wanted.key().equals(key(each))) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  private List<Path> siblings(Path file) throws IOException {
    return list(file, String.valueOf(file.getFileName()));
  }

  /** Files beside another one whose names begin so, but for the log itself. */
  private List<Path> list(Path file, String prefix) throws IOException {
    List<Path> found = new ArrayList<>();
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      return found;
    }
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(folder, each -> Files.isRegularFile(each))) {
      for (Path each : all) {
        boolean isLog = each.toAbsolutePath().normalize().equals(log.toAbsolutePath().normalize());
        if (!isLog && String.valueOf(each.getFileName()).startsWith(prefix)) {
          found.add(each);
        }
      }
    }
    return found;
  }

  /** Null for a file that is not there. */
  private static Object key(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
