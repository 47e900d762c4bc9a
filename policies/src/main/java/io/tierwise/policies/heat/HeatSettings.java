package io.tierwise.policies.heat;

/**
 * Bounds of a heat map's memory and windows.
 *
 * @param baseMillis length of the shortest window; the others are twice, four times ... as long
 * @param levels how many lengths of windows there are
 * @param filesMax rows for files; more files than that are left to the sketch
 * @param directoriesMax rows for directories; colder ones are counted with their parents
 * @param tailBits 2 to this power cells in each of the sketch's arrays
 * @param readerGapMillis an open by the same reader within this time belongs to the read before it,
 *     inside one of the shortest windows
 * @param seed of the hashes: whoever knows it could choose names that fall on each other
 * @param tailForgets whether the sketch forgets what is older than two of the longest windows,
 *     which are kept of files with a row: then it bounds reads of that time alone, but goes on for
 *     ever
 */
public record HeatSettings(
    long baseMillis,
    int levels,
    int filesMax,
    int directoriesMax,
    int tailBits,
    long readerGapMillis,
    long seed,
    boolean tailForgets) {
  /** Own: the shortest window that keeps window numbers of this century in 31 bits. */
  private static final long BASE_MILLIS_MIN = 1_000;

  private static final int LEVELS = 12;

  /**
   * Own: a reader asks for ten blocks at once, 1.25 GiB with blocks of 128 MiB; at 21 MiB/s and
   * more its next call comes within a minute.
   */
  private static final long READER_GAP_MILLIS = 60_000;

  public HeatSettings {
    require(baseMillis >= BASE_MILLIS_MIN, "baseMillis", baseMillis);
    require(levels >= 1 && levels <= 24, "levels", levels);
    require(filesMax >= 1 && filesMax <= 1 << 28, "filesMax", filesMax);
    require(directoriesMax >= 1 && directoriesMax <= 1 << 28, "directoriesMax", directoriesMax);
    require(tailBits >= 4 && tailBits <= 30, "tailBits", tailBits);
  }

  /** Settings of a map that goes on for ever. */
  public HeatSettings(
      long baseMillis,
      int levels,
      int filesMax,
      int directoriesMax,
      int tailBits,
      long readerGapMillis,
      long seed) {
    this(baseMillis, levels, filesMax, directoriesMax, tailBits, readerGapMillis, seed, true);
  }

  /** The same for what has an end: no read is forgotten. */
  public HeatSettings forgettingNothing() {
    return new HeatSettings(
        baseMillis, levels, filesMax, directoriesMax, tailBits, readerGapMillis, seed, false);
  }

  private static void require(boolean holds, String name, long value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " " + value + " is out of range");
    }
  }

  /**
   * For so many hot files: an eighth as many directories, and a sketch with four cells an array for
   * each row. The longest window is 2,048 times the base.
   */
  public static HeatSettings of(long baseMillis, int filesMax) {
    int tailBits = Math.max(16, 34 - Integer.numberOfLeadingZeros(filesMax));
    return new HeatSettings(
        baseMillis,
        LEVELS,
        filesMax,
        Math.max(1_024, filesMax / 8),
        Math.min(26, tailBits),
        READER_GAP_MILLIS,
        0);
  }
}
