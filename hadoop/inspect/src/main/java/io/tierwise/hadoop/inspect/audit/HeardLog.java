package io.tierwise.hadoop.inspect.audit;

import java.nio.file.Path;
import java.time.Instant;

/**
 * Since when a log has been heard without a gap, by the times of its lines.
 *
 * <p>Silence within a file is no gap: a NameNode on standby writes nothing, and no line is missing
 * in the middle of a file. Between two files of a log others may be missing.
 */
final class HeardLog {
  /** Own: as long a step back is no late line, its clock was set. */
  private static final long STEP_BACK_MILLIS_MAX = 86_400_000;

  /**
   * Own: with Hadoop's defaults somebody has the edit log rolled each hour at the latest, which is
   * a line, so that files of one log follow each other within that time.
   */
  private static final long BETWEEN_FILES_MILLIS_MAX = 2 * 3_600_000L;

  private static final long NEVER = Long.MAX_VALUE;

  private final String name;
  private final long silenceMillisMax;
  private final String gap;
  private long sinceMillis = NEVER;
  private long lastMillis = NEVER;
  private boolean fileBegins;

  /** What may be missing before the next line, for people; null for nothing. */
  private String missing;

  private String why;

  private HeardLog(String name, long silenceMillisMax, String gap) {
    this.name = name;
    this.silenceMillisMax = silenceMillisMax;
    this.gap = gap;
    why = name + " has no line yet";
  }

  /** One NameNode's log. */
  static HeardLog of(String name) {
    return new HeardLog(name, NEVER, "a file of " + name + " may be missing before");
  }

  /**
   * All logs together, of which one is always written.
   *
   * @param silenceMillisMax after which none of them was
   */
  static HeardLog ofAll(long silenceMillisMax) {
    return new HeardLog("the log", silenceMillisMax, "no log has a line of the day before");
  }

  /** A file begins that nobody saw follow the one before. */
  void fileBegins() {
    fileBegins = true;
  }

  /** A file begins, and another one before it may never have been seen. */
  void fileIsMissing() {
    missing = gap;
  }

  /** A file ended before its time: nobody knows how many lines it should have had. */
  void isDamaged(Path file) {
    lacks(file + " is cut or damaged");
  }

  /** The file that grows was cut, and lines of it with it that nobody had read. */
  void isCutInPlace(Path file) {
    lacks(file + " was cut in place (as by logrotate's copytruncate)");
  }

  /** A file was taken away before it was read. */
  void isGone(Path file) {
    lacks(file + " was taken away before it was read");
  }

  /**
   * Until it is known when the next file began, nothing is heard: that of a NameNode on standby has
   * no line.
   */
  private void lacks(String what) {
    missing = what + ": lines may be missing before";
    sinceMillis = NEVER;
    why = missing + " the next one";
  }

  /** The log has a line of that time. */
  void at(long millis) {
    if (missing != null) {
      begin(millis, missing);
    } else if (sinceMillis == NEVER) {
      begin(millis, name + " begins at");
    } else if (lastMillis != NEVER) {
      long step = millis - lastMillis;
      if (step > (fileBegins ? BETWEEN_FILES_MILLIS_MAX : silenceMillisMax)) {
        begin(millis, gap);
      } else if (step < -STEP_BACK_MILLIS_MAX) {
        begin(millis, "the clock of " + name + " was set back to");
        lastMillis = millis;
      }
    }
    fileBegins = false;
    missing = null;
    lastMillis = lastMillis == NEVER ? millis : Math.max(lastMillis, millis);
  }

  private void begin(long millis, String reason) {
    sinceMillis = millis;
    why = reason + " " + time(millis);
  }

  /** Its first file, or the one after what may be missing, is empty, and was so since that time. */
  void emptySince(long millis) {
    begin(millis, missing == null ? name + " begins, without a line, at" : missing);
    missing = null;
  }

  static String time(long millis) {
    return Instant.ofEpochSecond(Math.floorDiv(millis, 1000L)).toString();
  }

  /** Whether nothing is known of it. */
  boolean isUnheard() {
    return sinceMillis == NEVER;
  }

  /** Since when it has been heard; the end of time for one that is unheard. */
  long sinceMillis() {
    return sinceMillis;
  }

  /** The latest time of a line; the end of time before there is one. */
  long lastMillis() {
    return lastMillis;
  }

  /** Why it is heard no longer, for people. */
  String why() {
    return why;
  }
}
