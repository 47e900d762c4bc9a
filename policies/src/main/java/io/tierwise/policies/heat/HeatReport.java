package io.tierwise.policies.heat;

import io.tierwise.core.use.PathBytes;
import io.tierwise.core.use.UseCounts;
import io.tierwise.core.view.FileUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Answers about a heat map, valid until the next access. Windows are aligned to the clock: all
 * files have the same.
 */
public final class HeatReport {
  /** Windows of an answer: the one before the last, the last whole one, the running one. */
  private static final int WINDOWS = WindowLadder.WHOLE + 1;

  /** The parts of a heat map. */
  record Counted(
      FileTable files, DirectoryTable directories, TailSketch tail, WindowLadder ladder) {}

  private record Scored(int row, long windows, long reads) {}

  private final Counted counted;
  private final long windowMillis;
  private final int level;
  private final int time;
  private final boolean tailForgets;

  HeatReport(Counted counted, HeatSettings settings, int level, int time) {
    this.counted = counted;
    this.level = level;
    this.time = time;
    windowMillis = settings.baseMillis() << level;
    tailForgets = settings.tailForgets();
  }

  public long windowMillis() {
    return windowMillis;
  }

  /** When the running window began. */
  public long runningSinceMillis() {
    return (long) (time >> level) * windowMillis;
  }

  /**
   * The files with the most reads in the three windows, hottest first; of equal ones those that
   * were read more in all, then by path.
   *
   * @param below a directory that they are in, or "/"
   */
  public List<FileHeat> hottest(int count, String below) {
    Comparator<Scored> hotter =
        Comparator.comparingLong(Scored::windows)
            .thenComparingLong(Scored::reads)
            .thenComparing(each -> path(each.row()), Comparator.reverseOrder());
    PriorityQueue<Scored> best = new PriorityQueue<>(hotter);
    for (int row = 0; row < counted.files.end(); row++) {
      if (counted.files.isKept(row) && isBelow(row, below)) {
        Scored scored = scored(row);
        if (best.size() < count) {
          best.add(scored);
        } else if (!best.isEmpty() && hotter.compare(scored, best.peek()) > 0) {
          best.poll();
          best.add(scored);
        }
      }
    }
    return best.stream().sorted(hotter.reversed()).map(each -> heat(each.row())).toList();
  }

  private boolean isBelow(int row, String below) {
    return below.equals("/") || path(row).startsWith(below + "/");
  }

  private String path(int row) {
    return HeatMap.text(counted.files.path(row));
  }

  private Scored scored(int row) {
    long[] windows = new long[WINDOWS];
    addWindows(counted.files.page(row), counted.files.at(row), windows);
    return new Scored(row, windows[0] + windows[1] + windows[2], counted.files.total(row));
  }

  private void addWindows(int[] slice, int at, long[] windows) {
    WindowLadder ladder = counted.ladder;
    ladder.advance(slice, at, time);
    windows[0] += ladder.whole(slice, at, level, 2);
    windows[1] += ladder.whole(slice, at, level, 1);
    windows[2] += ladder.running(slice, at, level);
  }

  private FileHeat heat(int row) {
    FileTable files = counted.files;
    long[] windows = new long[WINDOWS];
    addWindows(files.page(row), files.at(row), windows);
    long reads = files.total(row);
    FileUse use = FileUse.of(-1, -1, files.usedMillis(row));
    return new FileHeat(
        path(row), reads, reads + files.unseen(row), new UseCounts(windowMillis, windows, use, 0));
  }

  /** How hot a file was; of one without a row only the most that it may have been read is known. */
  public FileHeat file(String path) {
    long key = key(PathBytes.of(path));
    int row = counted.files.find(key);
    if (row != FileTable.NONE) {
      return heat(row);
    }
    UseCounts none = new UseCounts(windowMillis, new long[WINDOWS], FileUse.UNKNOWN, 0);
    return new FileHeat(path, 0, counted.tail.estimate(key), none);
  }

  /**
   * Reads of a file in a time that ends now.
   *
   * @param least that there were for certain
   * @param most that there can have been
   */
  public record Recent(long least, long most) {}

  /** Where a window begins: so many before the one that runs, at time {@code edge}. */
  private record Border(int level, int back, long edge) {}

  /**
   * How often a file was read in so long a time. The least is what was counted since the first
   * border of a window inside that time, which is a third of it ago or more, unless no window fits
   * in twice. The most is what was counted since the last border before it, less than twice as long
   * ago, and what may have been read while the file had no row: anything in the sketch, where its
   * directory was renamed since that border.
   *
   * @throws IllegalArgumentException for a longer time than windows keep
   */
  public Recent readsWithin(String path, long millis) {
    long base = windowMillis >> level;
    long last = time - (millis + base - 1) / base;
    // The time of now is not known to less than a window of the base: it may be nearly over.
    long first = time + 1 - millis / base;
    Border before = null;
    Border inside = null;
    for (int each = 0; each < counted.ladder.levels(); each++) {
      for (int back = 0; back <= WindowLadder.WHOLE; back++) {
        long edge = ((long) (time >> each) - back) << each;
        if (edge <= last && (before == null || edge > before.edge())) {
          before = new Border(each, back, edge);
        }
        if (edge >= first && (inside == null || edge < inside.edge())) {
          inside = new Border(each, back, edge);
        }
      }
    }
    if (before == null) {
      throw new IllegalArgumentException(
          "reads are kept for " + keptMillis() / 1000 + " s, not for " + millis / 1000 + " s");
    }
    PathBytes bytes = PathBytes.of(path);
    long key = key(bytes);
    int row = counted.files.find(key);
    long byOtherPaths = mayHaveOthers(bytes, before.edge()) ? counted.tail.total() : 0;
    if (row == FileTable.NONE) {
      return new Recent(0, counted.tail.estimate(key) + byOtherPaths);
    }
    long least = inside == null ? 0 : readsSince(inside, row);
    return new Recent(least, readsSince(before, row) + counted.files.unseen(row) + byOtherPaths);
  }

  /**
   * Whether the sketch may have reads of the file, since that border of a window, by a path that
   * its directory had before: they are no younger than the last renaming.
   */
  private boolean mayHaveOthers(PathBytes path, long edge) {
    int renamed = counted.directories.lastRenamed(path.array(), path.from(), slash(path));
    int levels = counted.ladder.levels();
    return renamed > 0
        && renamed >= edge
        && (!tailForgets || (time >> levels) - (renamed >> levels) <= 1);
  }

  private long readsSince(Border border, int row) {
    int[] slice = counted.files.page(row);
    int at = counted.files.at(row);
    counted.ladder.advance(slice, at, time);
    long reads = counted.ladder.running(slice, at, border.level());
    for (int back = 1; back <= border.back(); back++) {
      reads += counted.ladder.whole(slice, at, border.level(), back);
    }
    return reads;
  }

  /** The longest time that reads can be asked for. */
  public long keptMillis() {
    return (windowMillis >> level) << counted.ladder.levels();
  }

  private long key(PathBytes path) {
    return counted.files.key(path.array(), path.from(), slash(path), path.to());
  }

  private static int slash(PathBytes path) {
    int slash = path.to() - 1;
    while (slash > path.from() && path.array()[slash] != '/') {
      slash--;
    }
    return slash;
  }

  /** The number of a file, as a {@link ReadListener} knows it; negative for one without a row. */
  public int number(PathBytes path) {
    return counted.files.find(key(path));
  }

  /** Reads of the file with that number. */
  public long reads(int number) {
    return counted.files.total(number);
  }

  /** The most reads that a file without a number can have had. */
  public long unnumberedReadsMax(PathBytes path) {
    return counted.tail.estimate(key(path));
  }

  /** The path of the file with that number. */
  public String pathOf(int number) {
    return path(number);
  }

  /** The share of unread files for which {@link #unnumberedReadsMax} says more than 0. */
  public double unreadTakenShare() {
    return counted.tail.takenShare();
  }

  /** Numbers of files are below. */
  public int numbersEnd() {
    return counted.files.end();
  }

  /** Whether some file has that number. */
  public boolean isNumber(int number) {
    return counted.files.isKept(number);
  }

  /**
   * Directories and how often all below them was read, hottest first.
   *
   * @param below the directory whose subdirectories are meant, or "/"
   * @param depth how many names below it: 1 for its own subdirectories
   */
  public List<GroupHeat> directories(String below, int depth) {
    DirectoryTable directories = counted.directories;
    long[][] sums = new long[directories.end()][];
    List<GroupHeat> found = new ArrayList<>();
    String prefix = below.equals("/") ? "/" : below + "/";
    directories.below(
        0,
        row -> {
          long[] own = sums[row] == null ? new long[WINDOWS + 1] : sums[row];
          addCounts(row, own);
          int parent = directories.parent(row);
          if (parent != DirectoryTable.NONE) {
            sums[parent] = sums[parent] == null ? new long[WINDOWS + 1] : sums[parent];
            for (int i = 0; i < own.length; i++) {
              sums[parent][i] += own[i];
            }
          }
          sums[row] = null;
          String path = HeatMap.text(directories.path(row));
          if (path.startsWith(prefix) && names(path, prefix.length()) == depth) {
            found.add(group(path, own));
          }
        });
    return hottestFirst(found);
  }

  private static int names(String path, int from) {
    return 1 + (int) path.chars().skip(from).filter(sign -> sign == '/').count();
  }

  private void addCounts(int row, long[] sums) {
    addWindows(counted.directories.page(row), counted.directories.at(row), sums);
    sums[WINDOWS] += counted.directories.total(row);
  }

  private GroupHeat group(String path, long[] sums) {
    long[] windows = Arrays.copyOf(sums, WINDOWS);
    UseCounts counts = new UseCounts(windowMillis, windows, FileUse.UNKNOWN, 0);
    return new GroupHeat(path, sums[WINDOWS], counts);
  }

  /** Tables and how often all of each was read, hottest first. */
  public List<GroupHeat> tables(TableNames names) {
    TreeMap<String, long[]> sums = new TreeMap<>();
    for (int row = 0; row < counted.directories.end(); row++) {
      if (counted.directories.isKept(row)) {
        int each = row;
        names
            .of(HeatMap.text(counted.directories.path(row)))
            .ifPresent(
                table -> addCounts(each, sums.computeIfAbsent(table, t -> new long[WINDOWS + 1])));
      }
    }
    List<GroupHeat> found = new ArrayList<>();
    sums.forEach((table, counts) -> found.add(group(table, counts)));
    return hottestFirst(found);
  }

  private static List<GroupHeat> hottestFirst(Collection<GroupHeat> groups) {
    return groups.stream()
        .sorted(
            Comparator.comparingLong((GroupHeat each) -> each.counts().total())
                .thenComparingLong(GroupHeat::reads)
                .reversed()
                .thenComparing(GroupHeat::path))
        .toList();
  }
}
