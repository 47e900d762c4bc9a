package io.tierwise.hadoop.inspect.audit;

import java.io.IOException;
import java.nio.file.Path;
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
 * minutes, in which the log turns: each is read under the name that it has by then, and files that
 * become earlier ones meanwhile come, too.
 */
final class EarlierFiles {
  private final Path log;
  private final ZoneId zone;
  private final Deque<NamedFile> coming = new ArrayDeque<>();

  /** Inodes of files that were there at first, or have come. */
  private final Set<Object> keys = new HashSet<>();

  /** The inode of the file that had the log's name the last time; null when none had. */
  private Object growing;

  /**
   * Looks at the files as they are now.
   *
   * @param log the file that grows
   * @param earlier in any order
   */
  EarlierFiles(Path log, List<Path> earlier, ZoneId zone) throws IOException {
    this.log = log;
    this.zone = zone;
    growing = NamedFile.keyOf(log);
    for (Path each : siblings()) {
      keys.add(NamedFile.keyOf(each));
    }
    for (Path each : AuditLogFiles.inOrder(earlier, zone).files()) {
      comes(NamedFile.of(each));
    }
  }

  private void comes(NamedFile file) {
    keys.add(file.key());
    coming.add(file);
  }

  /**
   * The next file, under the name that it has now; empty when the one that grows is the next.
   *
   * @param gone is told of each file that is nowhere any more
   */
  Optional<Path> next(Consumer<Path> gone) throws IOException {
    lookForTurn();
    while (!coming.isEmpty()) {
      NamedFile each = coming.remove();
      Optional<Path> now = each.now(Optional.of(log));
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
    if (!coming.isEmpty()) {
      return;
    }
    Object before = growing;
    growing = NamedFile.keyOf(log);
    if (before == null || before.equals(growing)) {
      return;
    }
    List<Path> since = new ArrayList<>();
    for (Path each : siblings()) {
      Object key = NamedFile.keyOf(each);
      if (key != null && (key.equals(before) || !keys.contains(key))) {
        since.add(each);
      }
    }
    boolean follows = false;
    for (Path each : AuditLogFiles.inOrder(since, zone).files()) {
      NamedFile file = NamedFile.of(each);
      follows |= before.equals(file.key());
      if (follows) {
        comes(file);
      }
    }
    if (!follows) {
      comes(new NamedFile(log, before));
    }
  }

  /** Files beside the log whose names begin with its name. */
  private List<Path> siblings() throws IOException {
    String prefix = String.valueOf(log.getFileName());
    return NamedFile.beside(log).stream()
        .filter(each -> String.valueOf(each.getFileName()).startsWith(prefix))
        .filter(each -> !NamedFile.plain(each).equals(NamedFile.plain(log)))
        .toList();
  }
}
