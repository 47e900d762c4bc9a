package io.tierwise.policies.popularity;

import io.tierwise.policies.heat.ReadListener;
import java.util.Arrays;

/**
 * Fills one window of use after the other from reads as a heat map counts them. Files have the heat
 * map's numbers. Windows are aligned to the clock of the reads; each is handed on when time passes
 * its end, read or not, and its arrays are used again.
 *
 * <p>Readers at one time are those that began within one minute of the clock: a log does not say
 * how long a read takes.
 */
public final class WindowFeed implements ReadListener {
  private static final long TOGETHER_MILLIS = 60_000;

  /** Own: after so many windows without a read every predictor has forgotten all. */
  private static final int EMPTY_WINDOWS_MAX = 64;

  private final long windowMillis;
  private final Listener listener;
  private final UseWindow window;
  private final long[] minutes;
  private final int[] readers;
  private boolean started;
  private long startMillis;

  /** Whether the host's clock began the running window, and not a read. */
  private boolean byHost;

  /** Hears of windows that have ended and of files that begin. */
  public interface Listener {
    /**
     * From now on the number is that of another file.
     *
     * @param formerReads in the window that runs, of the file that had the number before; 0 where
     *     none had
     */
    void begins(int file, int formerReads);

    /** A window has ended: it holds the reads, and the listener says which files exist. */
    void windowEnded(UseWindow window);
  }

  /**
   * Nothing was read yet.
   *
   * @param fileCount reads of files with higher numbers are left out
   */
  public WindowFeed(long windowMillis, int fileCount, Listener listener) {
    this.windowMillis = windowMillis;
    this.listener = listener;
    window = new UseWindow(fileCount);
    minutes = new long[fileCount];
    readers = new int[fileCount];
  }

  @Override
  public void begins(int file) {
    if (file < window.fileCount()) {
      int formerReads = window.reads(file);
      window.renew(file);
      readers[file] = 0;
      listener.begins(file, formerReads);
    }
  }

  @Override
  public void read(int file, long millis) {
    pass(millis, false);
    if (file < window.fileCount()) {
      long minute = Math.floorDiv(millis, TOGETHER_MILLIS);
      readers[file] = minutes[file] == minute ? readers[file] + 1 : 1;
      minutes[file] = minute;
      window.read(file, Math.max(millis, startMillis) / 1e3, readers[file]);
    }
  }

  /**
   * Ends the windows that are over by the host's clock. It may differ from that of the reads, by a
   * wrong time zone for instance: each of them sets back only windows that it has begun itself.
   * Reads that are older than a window that the host began count in that one.
   */
  public void passTo(long millis) {
    pass(millis, true);
  }

  private void pass(long millis, boolean host) {
    long aligned = Math.floorDiv(millis, windowMillis) * windowMillis;
    boolean setBack = aligned < startMillis - windowMillis && host == byHost;
    if (!started || setBack) {
      started = true;
      byHost = host;
      begin(aligned);
      return;
    }
    while (startMillis < aligned) {
      listener.windowEnded(window);
      long missed = (aligned - startMillis) / windowMillis - EMPTY_WINDOWS_MAX;
      byHost = host;
      begin(startMillis + windowMillis * Math.max(1, missed));
    }
  }

  private void begin(long millis) {
    startMillis = millis;
    window.begin(millis / 1e3, (millis + windowMillis) / 1e3);
    Arrays.fill(readers, 0);
  }

  /** Whether a time is known yet. */
  public boolean isStarted() {
    return started;
  }

  /** The window that runs, with the reads until now. */
  public UseWindow running() {
    return window;
  }
}
