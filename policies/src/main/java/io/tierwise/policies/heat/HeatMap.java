package io.tierwise.policies.heat;

import io.tierwise.core.data.ByteHash;
import io.tierwise.core.data.IdHash;
import io.tierwise.core.use.AccessKind;
import io.tierwise.core.use.AccessSink;
import io.tierwise.core.use.PathBytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts reads by file and by directory. Exact for the files that have a row, bounded from above
 * for all others; exact for every directory that has one. Used by one thread at a time.
 *
 * <p>An open is a read unless the same reader opened the same file shortly before: clients ask for
 * the places of a large file's blocks in parts. One that goes on into another of the shortest
 * windows is a read there, too: each window in which a file was opened has a read of it, however
 * often its reader comes back. A job whose tasks read a file on ten nodes reads it ten times. An
 * open that was refused is a read when the same reader is then told that he has a right to the
 * file: so files in a secondary store are read. Counts go with a file or directory that is renamed,
 * and are dropped with one that is deleted; those of files without a row stay with the old path of
 * a directory that is renamed, which {@link HeatReport#readsWithin} heeds where that one was kept.
 */
public final class HeatMap implements AccessSink {
  /** HDFS allows 8,000 characters and 1,000 names; what is beyond comes from no NameNode. */
  private static final int PATH_BYTES_MAX = 4 * 8_000;

  private static final int PATH_NAMES_MAX = 1_000;

  /** Own: 8 MiB, two and more for each of the readers that a large NameNode serves in a minute. */
  private static final int OPEN_BITS = 20;

  /** Own: 512 KiB; files in a secondary store are those that few read. */
  private static final int REFUSED_BITS = 16;

  /** Own: the client asks for the right in the next call but one. */
  private static final long REFUSED_MILLIS = 60_000;

  private static final byte[] RESERVED = "/.reserved/".getBytes(StandardCharsets.US_ASCII);

  /** Before the path of a file whose bytes are read as they are stored, encrypted ones too. */
  private static final byte[] RAW = "/.reserved/raw/".getBytes(StandardCharsets.US_ASCII);

  private final HeatSettings settings;
  private final WindowLadder ladder;
  private final TailSketch tail;
  private final DirectoryTable directories;
  private final FileTable files;
  private final RecentOpens recent;
  private final RecentOpens refused = new RecentOpens(REFUSED_BITS, REFUSED_MILLIS);
  private final FeedClock clock;
  private final ReadListener listener;
  private int time;
  private long reads;
  private long continued;
  private long late;
  private long nameless;

  public HeatMap(HeatSettings settings) {
    this(settings, ReadListener.NONE);
  }

  /** A map whose reads somebody else hears of, too. */
  public HeatMap(HeatSettings settings, ReadListener listener) {
    this.settings = settings;
    this.listener = listener;
    ladder = new WindowLadder(settings.levels());
    tail = new TailSketch(settings.tailBits());
    directories = new DirectoryTable(ladder, settings.directoriesMax(), settings.seed());
    files = new FileTable(ladder, directories, tail, settings.filesMax(), settings.seed());
    recent = new RecentOpens(OPEN_BITS, settings.readerGapMillis());
    clock = new FeedClock(settings.baseMillis() << (settings.levels() - 1));
  }

  @Override
  public void accessed(
      long timeMillis, AccessKind kind, PathBytes path, PathBytes destination, long reader) {
    pass(timeMillis);
    if (kind == AccessKind.OPEN && isPath(path)) {
      open(path, reader);
    } else if (kind == AccessKind.OPEN_REFUSED && isPath(path)) {
      refused.note(hash(path, reader), clock.now());
    } else if (kind == AccessKind.CHECK && isPath(path)) {
      if (refused.last(hash(path, reader), clock.now()) != RecentOpens.NONE) {
        open(path, reader);
      }
    } else if (kind == AccessKind.DELETE && isPath(path)) {
      delete(path.array(), path.from(), path.to());
    } else if (kind == AccessKind.RENAME && isPath(path) && isPath(destination)) {
      rename(path, destination);
    }
  }

  private void pass(long timeMillis) {
    long now = clock.take(timeMillis);
    if (timeMillis < now) {
      late++;
    }
    int then = time;
    time = (int) (now / settings.baseMillis());
    if (clock.steppedBack()) {
      files.stepBack(time);
      directories.stepBack(time);
    } else if (settings.tailForgets()
        && then != 0
        && time >> ladder.levels() != then >> ladder.levels()) {
      // Two of the longest windows are kept, and the two sketches have no less than one period.
      tail.turn();
    }
  }

  private static boolean isPath(PathBytes path) {
    int length = path.length();
    byte[] bytes = path.array();
    if (length < 2 || length > PATH_BYTES_MAX || bytes[path.from()] != '/') {
      return false;
    }
    int names = 0;
    for (int i = path.from(); i < path.to() && length > 2 * PATH_NAMES_MAX; i++) {
      names += bytes[i] == '/' ? 1 : 0;
    }
    return names <= PATH_NAMES_MAX;
  }

  /** Index of the slash before the last name. */
  private static int slash(byte[] path, int to) {
    int slash = to - 1;
    while (path[slash] != '/') {
      slash--;
    }
    return slash;
  }

  /** Of a path as it is called, and its reader. */
  private long hash(PathBytes path, long reader) {
    return IdHash.mix(
        ByteHash.hash(path.array(), path.from(), path.to(), settings.seed()) ^ reader);
  }

  /** HDFS has further names for a file, which are not counted as files of their own. */
  private void open(PathBytes path, long reader) {
    int from = path.from();
    if (startsWith(path, RESERVED)) {
      if (!startsWith(path, RAW)) {
        nameless++;
        return;
      }
      from += RAW.length - 1;
    }
    open(path.array(), from, path.to(), reader);
  }

  private static boolean startsWith(PathBytes path, byte[] prefix) {
    int end = path.from() + prefix.length;
    return end < path.to()
        && Arrays.equals(path.array(), path.from(), end, prefix, 0, prefix.length);
  }

  private void open(byte[] path, int from, int to, long reader) {
    int slash = slash(path, to);
    long above = directories.hash(path, from, slash);
    long key = files.key(above, path, slash, to);
    int row = files.find(key);
    if (reader != 0 && continues(IdHash.mix(key ^ reader))) {
      continued++;
      if (row != FileTable.NONE) {
        files.use(row, clock.now());
      }
      return;
    }
    reads++;
    int directory = directories.make(above, path, from, slash, time);
    if (row == FileTable.NONE) {
      row = files.add(key, path, from, to, directory, time);
      listener.begins(row);
    }
    listener.read(row, clock.now());
    files.read(row, time, clock.now());
    directories.read(directory, time);
  }

  /** Notes an open; whether the read that it belongs to was counted in this shortest window. */
  private boolean continues(long hash) {
    long before = recent.note(hash, clock.now());
    return before != RecentOpens.NONE && before / settings.baseMillis() == time;
  }

  private void delete(byte[] path, int from, int to) {
    int row = files.find(files.key(path, from, slash(path, to), to));
    if (row != FileTable.NONE) {
      files.remove(row);
    }
    int directory = directories.find(path, from, to);
    if (directory != DirectoryTable.NONE) {
      directories.below(
          directory,
          each -> {
            while (directories.firstFile(each) != FileTable.NONE) {
              files.remove(directories.firstFile(each));
            }
            directories.remove(each);
          });
    }
  }

  private void rename(PathBytes source, PathBytes target) {
    byte[] from = bytes(source);
    byte[] to = bytes(target);
    // As mv does, and HDFS's rename without options: into a directory that is there.
    if (directories.find(to, 0, to.length) != DirectoryTable.NONE) {
      int slash = slash(from, from.length);
      int end = to.length;
      to = Arrays.copyOf(to, end + from.length - slash);
      System.arraycopy(from, slash, to, end, from.length - slash);
    }
    renameFile(from, to);
    // A directory never goes below itself.
    boolean inside =
        to.length >= from.length
            && Arrays.equals(from, 0, from.length, to, 0, from.length)
            && (to.length == from.length || to[from.length] == '/');
    int directory = directories.find(from, 0, from.length);
    if (directory != DirectoryTable.NONE && !inside) {
      List<byte[]> paths = new ArrayList<>();
      directories.below(directory, each -> paths.add(directories.path(each)));
      for (byte[] each : paths) {
        byte[] renamed = Arrays.copyOf(to, to.length + each.length - from.length);
        System.arraycopy(each, from.length, renamed, to.length, each.length - from.length);
        renameDirectory(each, renamed);
      }
      if (tail.total() > 0) {
        directories.renamedAt(directories.make(to, 0, to.length, time), time);
      }
    }
  }

  private static byte[] bytes(PathBytes path) {
    return Arrays.copyOfRange(path.array(), path.from(), path.to());
  }

  private void renameFile(byte[] from, byte[] to) {
    long old = files.key(from, 0, slash(from, from.length), from.length);
    int slash = slash(to, to.length);
    long key = files.key(to, 0, slash, to.length);
    int row = files.find(old);
    if (row != FileTable.NONE) {
      int directory = directories.make(to, 0, slash, time);
      files.move(row, key, to, 0, to.length, directory);
    } else if (tail.estimate(old) > 0) {
      tail.add(key, tail.estimate(old));
    }
  }

  /** Moves the counts of one directory and its files; those below it have been moved before. */
  private void renameDirectory(byte[] from, byte[] to) {
    int target = directories.make(to, 0, to.length, time);
    // Making the target may have folded this one, when it held no file.
    int directory = directories.find(from, 0, from.length);
    if (directory == DirectoryTable.NONE) {
      return;
    }
    directories.merge(target, directory);
    int file = directories.firstFile(directory);
    while (file != FileTable.NONE) {
      int next = files.next(file);
      byte[] path = files.path(file);
      byte[] renamed = Arrays.copyOf(to, to.length + path.length - from.length);
      System.arraycopy(path, from.length, renamed, to.length, path.length - from.length);
      long key = files.key(renamed, 0, slash(renamed, renamed.length), renamed.length);
      files.move(file, key, renamed, 0, renamed.length, target);
      file = next;
    }
    if (directories.isIdleLeaf(directory)) {
      directories.remove(directory);
    }
  }

  /** Totals of the accesses seen and the rows held. */
  public HeatTotals totals() {
    return new HeatTotals(
        reads,
        continued,
        late,
        nameless,
        files.count(),
        directories.count(),
        files.evicted(),
        directories.folded(),
        tail.total(),
        tail.errorMax(),
        clock.now());
  }

  /**
   * Answers about what was counted until now.
   *
   * @param level the windows: 2^level times the base
   */
  public HeatReport report(int level) {
    if (level < 0 || level >= ladder.levels()) {
      throw new IllegalArgumentException("level " + level + " of " + ladder.levels());
    }
    return new HeatReport(
        new HeatReport.Counted(files, directories, tail, ladder), settings, level, time);
  }

  /** A path as text. */
  static String text(byte[] path) {
    return new String(path, StandardCharsets.UTF_8);
  }
}
